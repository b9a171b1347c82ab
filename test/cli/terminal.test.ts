import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { binary, environment, folderWith, stable } from './relavium.js';

const workflow = `schema_version: '1.0'
workflow:
  id: w
  tools: { allowedCommands: ['sleep 0.3'] }
  nodes:
    - { id: a-node-with-a-name-that-is-rather-long, type: tool, tool: run_command, tool_config: { command: sleep, args: ['0.3'] } }
    - { id: out, type: output, needs: [a-node-with-a-name-that-is-rather-long], value: '"left\\u001b[31m over"' }
`;

/** Runs in a pseudo-terminal of this size, which `script` of util-linux makes. */
function inTerminal(args: string, env: Readonly<Record<string, string>> = {}, size = 'rows 24 columns 40'): string {
  const cwd = folderWith({ 'w.relavium.yaml': workflow });
  const command = `stty ${size}; exec ${JSON.stringify(process.execPath)} ${JSON.stringify(binary)} ${args}`;
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { cwd, env: environment(env), encoding: 'utf8', input: '' });
  return stdout.replaceAll('\r\n', '\n');
}

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;

describe.runIf(hasScript)('in a terminal', () => {
  it('draws the run in place, within 40 columns, and leaves the cursor on', () => {
    const screen = inTerminal('run --no-color w.relavium.yaml');
    expect(screen).toContain('\u001b[3A\u001b[J');
    expect(screen.indexOf('\u001b[?25l')).toBeLessThan(screen.lastIndexOf('\u001b[?25h'));
    const last = screen.slice(screen.lastIndexOf('\u001b[J') + 3);
    expect(stable(last.replace('\u001b[?25h', ''))).toMatchInlineSnapshot(`
      "✓ a-node-w…ther-long  <time>
      ✓ out                 <time>
      succeeded in <time>
      left\\x1b[31m over
      "
    `);
    for (const line of screen.split('\n')) {
      const shown = line.replaceAll(/\u001b\[[?\d]*[a-zA-Z]|\r/g, '');
      expect(shown.length, shown).toBeLessThanOrEqual(40);
    }
  });

  it('shows control characters of an output instead of sending them', () => {
    expect(inTerminal('run -q --no-color w.relavium.yaml')).toBe('left\\x1b[31m over\n');
  });

  it.each([{ TERM: 'dumb' }, { CI: 'true' }])('prints plain lines for %j', (env) => {
    const screen = inTerminal('run --no-color w.relavium.yaml', env);
    expect(screen).not.toContain('\u001b');
    expect(screen).toMatch(/^done {6}a-node-with/);
  });

  it('colours by itself, and not when NO_COLOR says so', () => {
    expect(inTerminal('lint w.relavium.yaml', {}, 'rows 24 columns 80')).toBe('no problems in 1 file\n');
    expect(inTerminal('explain unknown_key')).toContain('\u001b[1munknown_key\u001b[22m');
    expect(inTerminal('explain unknown_key', { NO_COLOR: '1' })).not.toContain('\u001b');
  });
});
