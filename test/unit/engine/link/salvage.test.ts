import { describe, expect, it } from 'vitest';
import { compile } from '../../../../engine/src/compile.js';
import { memorySourceReader } from '../../../../engine/src/testing/memory-source-reader.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';

function codes(body: string): readonly string[] {
  const text = `schema_version: '1.0'\nworkflow:\n  id: t\n${body}`;
  return compile({ path: 't.yaml', text }, { reader: memorySourceReader({}), tools: builtinTools }).diagnostics.map((found) => {
    const line = text.slice(0, found.range.start).split('\n').length;
    return `${line} ${found.code}`;
  });
}

describe('a file whose shape is broken', () => {
  it('is still looked at behind the broken place', () => {
    expect(
      codes(
        "  nodes:\n    - { id: a, type: transform, transform: 1 }\n    - { id: b, type: transform, transform: 'inputs.x', needs: [c] }\n",
      ),
    ).toEqual(['5 wrong_type', '6 unresolved_reference', '6 unknown_node']);
  });

  it('gives no findings that only follow from the broken place', () => {
    const body = `  nodes:
    - { id: a, type: transform, transform: '1' }
    - { id: pick, type: condition, expression: '1', branches: [{ when: 1 }], needs: [a] }
    - { id: b, type: transform, transform: 'run.outputs["a"] + run.outputs["pick"].value' }
    - { id: c, type: output, needs: [b, 'pick:1'] }
`;
    expect(codes(body)).toEqual(['6 missing_key']);
  });

  it('keeps the lines of what stands behind entries that were taken out', () => {
    const body = `  nodes:
    - 7
    - { id: a, type: transform, transform: '1' }
    - { id: b, type: transform, transform: 'nope', needs: [a] }
  edges:
    - { to: b }
    - { from: a, to: c }
`;
    expect(codes(body)).toEqual(['5 wrong_type', '7 unresolved_reference', '9 missing_key', '10 unknown_node']);
  });

  it('is looked at inside loop bodies too', () => {
    const body = `  nodes:
    - id: each
      type: loop
      for_each: '[1]'
      body:
        nodes:
          - { id: x, type: transform }
          - { id: y, type: transform, transform: 'nope' }
`;
    expect(codes(body)).toEqual(['10 missing_key', '11 unresolved_reference']);
  });

  it('without a list of nodes has nothing more to say', () => {
    expect(codes('  nodes: 3\n  inputs: 4\n')).toEqual(['4 wrong_type', '5 wrong_type']);
  });
});
