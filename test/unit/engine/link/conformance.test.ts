import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../../engine/src/compile.js';
import { memorySourceReader } from '../../../../engine/src/testing/memory-source-reader.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';

interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly workflow: string;
  readonly stubbed: { readonly workflows?: Readonly<Record<string, string>> };
  readonly expect: { readonly status?: string; readonly error?: { readonly code: string; readonly mentions?: readonly string[] } };
}

const lines = readFileSync(new URL('../../../cases/conformance/scenarios.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const scenarios = lines.map((line) => JSON.parse(line) as Scenario);

function compiled(scenario: Scenario) {
  const children = Object.entries(scenario.stubbed.workflows ?? {}).map(([path, text]) => [path.replace('./', ''), text]);
  const reader = memorySourceReader(Object.fromEntries(children));
  return compile({ path: 'main.relavium.yaml', text: scenario.workflow }, { reader, tools: builtinTools });
}

describe('the conformance scenarios', () => {
  it('were found', () => expect(scenarios).toHaveLength(30));

  it.each(scenarios.filter((one) => one.expect.status !== 'rejected'))('$id compiles without an error', (scenario) => {
    const { plan, diagnostics } = compiled(scenario);
    expect(diagnostics.filter((found) => found.severity === 'error')).toEqual([]);
    expect(plan?.workflow.id).toBe(scenario.id);
  });

  it.each(scenarios.filter((one) => one.expect.status === 'rejected'))('$id is refused with the code that it asks for', (scenario) => {
    const { plan, diagnostics } = compiled(scenario);
    expect(plan).toBeUndefined();
    const found = diagnostics.find((one) => one.code === scenario.expect.error?.code);
    for (const word of scenario.expect.error?.mentions ?? []) expect(found?.message).toContain(word);
  });
});
