import { expect, it } from 'vitest';
import { requirements } from '../../requirement.js';
import { runYaml } from './run-yaml.js';

it(
  requirements(['MP-01', 'MP-02', 'RS-02'], 'arguments come from the run, outputs from the result, and what follows shapes them further'),
  async () => {
    const { outputs } = await runYaml(
      `inputs: [{ name: folder, type: string }]
nodes:
  - { id: name, type: transform, transform: 'inputs.folder + "/a.txt"' }
  - { id: read, type: tool, tool: read_file, needs: [name], input_mapping: { path: 'run.outputs["name"]' }, output_mapping: { text: result.content, size: result.sizeBytes } }
  - { id: shaped, type: transform, needs: [read], transform: '({ ...run.outputs["read"], words: run.outputs["read"].text.split(" ").length })' }`,
      { inputs: { folder: 'docs' }, files: { 'docs/a.txt': 'one two' } },
    );
    expect(outputs).toEqual({ shaped: { text: 'one two', size: 7, words: 2 } });
  },
);
