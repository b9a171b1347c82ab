import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { referencePage } from '../../../../engine/src/diagnostics/reference-page.js';

/** `npx vitest run -u` on this file writes the page. */
it('docs/diagnostics.md is what the catalogue says', async () => {
  await expect(referencePage()).toMatchFileSnapshot(fileURLToPath(new URL('../../../../docs/diagnostics.md', import.meta.url)));
});
