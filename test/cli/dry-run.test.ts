import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderWith, relavium } from './relavium.js';

const flow = `schema_version: '1.0'
workflow:
  id: g
  tools: { allowedCommands: ['node scan.js'] }
  nodes:
    - { id: scan, type: tool, tool: run_command, tool_config: { command: node, args: [scan.js] } }
    - { id: ask, type: human_gate, gate_type: approval, needs: [scan], message_template: 'Go?' }
    - { id: count, type: transform, needs: [ask], transform: 'run.outputs["scan"].stdout.length' }
`;
const scan = "require('node:fs').writeFileSync('ran', '')";

it('a dry run does nothing and says what would run', async () => {
  const cwd = folderWith({ 'g.relavium.yaml': flow, 'scan.js': scan });
  const { code, stdout, stderr } = await relavium(['run', 'g.relavium.yaml', '-n'], { cwd });
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: [
      'execute   scan   all that it waits for is known',
      '          policy: allowed',
      'deferred  ask    depends on a result that only a run can tell',
      'deferred  count  depends on a result that only a run can tell',
      '',
    ].join('\n'),
    stderr: '',
  });
  expect(existsSync(join(cwd, 'ran'))).toBe(false);
});

it('a dry run goes on past what is mocked', async () => {
  const cwd = folderWith({ 'g.relavium.yaml': flow, 'mocks.json': '{"scan": {"stdout": "abc"}, "ask": {"decision": "approved"}}' });
  const { code, stdout } = await relavium(['run', 'g.relavium.yaml', '-n', '--mock', 'mocks.json', '--json'], { cwd });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(lines.map(({ node, decision }) => [node, decision])).toEqual([
    ['scan', 'done'],
    ['ask', 'done'],
    ['count', 'done'],
  ]);
});

it('a dry run that finds a denial exits with 1 and shows the lines that would allow it', async () => {
  const cwd = folderWith({ 'g.relavium.yaml': flow.replace('[scan.js]', '[other.js]') });
  const { code, stdout } = await relavium(['run', 'g.relavium.yaml', '-n'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain("- 'node other.js'");
});

it('a mock file that holds no object is refused', async () => {
  const cwd = folderWith({ 'g.relavium.yaml': flow, 'mocks.json': '[1]' });
  const { code, stderr } = await relavium(['run', 'g.relavium.yaml', '-n', '--mock', 'mocks.json'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain('mocks.json holds no object');
});

it('mocks without a dry run are refused, since the run would be a real one', async () => {
  const cwd = folderWith({ 'g.relavium.yaml': flow, 'scan.js': scan, 'mocks.json': '{}' });
  const { code, stderr } = await relavium(['run', 'g.relavium.yaml', '--mock', 'mocks.json'], { cwd });
  expect([code, existsSync(join(cwd, 'ran'))]).toEqual([2, false]);
  expect(stderr).toContain('--mock has no effect without --dry-run');
});

it('what is skipped takes all that is in it along, and its calls are not judged', async () => {
  const never = `schema_version: '1.0'
workflow:
  id: n
  nodes:
    - id: off
      type: loop
      if: 'false'
      for_each: '[1]'
      body: { nodes: [{ id: x, type: tool, tool: run_command, tool_config: { command: rm } }] }
    - id: empty
      type: loop
      for_each: '[]'
      body: { nodes: [{ id: x, type: tool, tool: run_command, tool_config: { command: rm } }] }
    - { id: bad, type: tool, if: 'false', tool: run_command, tool_config: { command: rm } }
`;
  const { code, stdout } = await relavium(['run', 'n.relavium.yaml', '-n'], { cwd: folderWith({ 'n.relavium.yaml': never }) });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: [
      'skip      off         condition_false (false)',
      'skip      off[0].x    off does not run',
      'done      empty       evaluated here',
      'skip      empty[0].x  empty has ended without it',
      'skip      bad         condition_false (false)',
      '',
    ].join('\n'),
  });
});
