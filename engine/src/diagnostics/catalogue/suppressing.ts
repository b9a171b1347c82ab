import type { Entry } from '../entry.js';

export const unusedSuppression: Entry<{ readonly why: string }> = {
  code: 'unused_suppression',
  severity: 'warning',
  title: 'a suppression without an effect',
  message: ({ why }) => `this suppression has no effect: ${why}`,
  explanation:
    '# relavium-ignore[code]: reason hides warnings of that code in the line below it. One that hides nothing may be left over or misspelt. Errors cannot be hidden.',
  wrong: "nodes:\n  # relavium-ignore[retry_on_pure]: kept for later\n  - { id: sum, type: transform, transform: '1 + 1' }",
  right:
    "nodes:\n  # relavium-ignore[retry_on_pure]: kept for later\n  - { id: sum, type: transform, transform: '1 + 1', retry: { max: 3 } }",
  fixable: true,
};
