import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Given, openProject, type Ran } from './field/project.js';

const page = readFileSync(fileURLToPath(new URL('../docs/patterns.md', import.meta.url)), 'utf8');
const source = readFileSync(fileURLToPath(import.meta.url), 'utf8');

describe('the page about patterns', () => {
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (-|pattern )/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  const titles = new Set([...source.matchAll(/^ {2}it\('([^']+)'/gm)].map(([, title]) => title));

  it('has a verdict for every pattern, and a reason where it is not yes', () => {
    expect(rows.length).toBeGreaterThan(70);
    for (const [pattern, verdict, how] of rows) {
      expect(['yes', 'later', 'no'], pattern).toContain(verdict);
      expect(how, pattern).not.toBe('');
    }
    const names = rows.map(([pattern]) => pattern);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('names a test for every yes and for nothing else', () => {
    for (const [pattern, verdict, , test = ''] of rows) {
      const title = /^`(.+)`$/.exec(test)?.[1];
      if (verdict === 'yes') expect(titles, pattern).toContain(title);
      else expect(test, pattern).toBe('');
    }
  });

  it('leaves out no test', () => {
    const cited = new Set(rows.map(([, , , test = '']) => /^`(.+)`$/.exec(test)?.[1]));
    const own = /^(has a verdict|names a test|leaves out)/;
    expect([...titles].filter((title) => !own.test(title!) && !cited.has(title))).toEqual([]);
  });
});

describe('control flow', () => {
  it('runs one node after the other', async () => {
    const ran = await run(`nodes:
  - { id: b, type: transform, needs: [a], transform: 'run.outputs["a"] + "b"' }
  - { id: a, type: transform, transform: '"a"' }`);
    expect(ran.outputs).toEqual({ b: 'ab' });
    expect(starts(ran)).toEqual(['a', 'b']);
  });

  it('starts several branches together', async () => {
    const ran = await run(`nodes:
  - { id: fan, type: parallel, parallel_of: [a, b] }
  - { id: a, type: wait, duration_ms: 30 }
  - { id: b, type: wait, duration_ms: 30 }`);
    expect(ran.status).toBe('succeeded');
    expect(story(ran).indexOf('started b')).toBeLessThan(story(ran).indexOf('succeeded a'));
  });

  it('goes on when all branches have ended', async () => {
    const ran = await run(`nodes:
  - { id: slow, type: wait, duration_ms: 30 }
  - { id: fast, type: wait, duration_ms: 1 }
  - { id: both, type: merge, merge_strategy: concat, needs: [slow, fast] }`);
    expect(ran.outputs).toEqual({ both: [null, null] });
    expect(starts(ran).filter((node) => node === 'both')).toHaveLength(1);
    expect(story(ran).indexOf('started both')).toBeGreaterThan(story(ran).indexOf('succeeded slow'));
  });

  const choice = `inputs: [{ name: n, type: number, required: true }]
nodes:
  - id: sign
    type: condition
    expression: Math.sign(inputs.n)
    branches: [{ when: 1, target_node: plus }, { when: -1, target_node: minus }]
    default: zero
  - { id: plus, type: transform, transform: '"plus"' }
  - { id: minus, type: transform, transform: '"minus"' }
  - { id: zero, type: transform, transform: '"zero"' }
  - { id: said, type: output, needs: [plus, minus, zero] }`;

  it('takes exactly one branch', async () => {
    for (const [n, taken] of [
      [5, 'plus'],
      [-5, 'minus'],
      [0, 'zero'],
    ] as const) {
      const { nodes } = await run(choice, { inputs: { n } });
      expect(Object.entries(nodes).filter(([node, word]) => ['plus', 'minus', 'zero'].includes(node) && word === 'succeeded')).toEqual([
        [taken, 'succeeded'],
      ]);
    }
  });

  it('meets again behind a choice', async () => {
    const ran = await run(choice, { inputs: { n: -5 } });
    expect(ran.outputs).toEqual({ said: 'minus' });
    expect(starts(ran).filter((node) => node === 'said')).toHaveLength(1);
  });

  const any = `inputs: [{ name: n, type: number, required: true }]
nodes:
  - { id: number, type: transform, transform: inputs.n }
  - { id: even, type: transform, transform: '"even"' }
  - { id: big, type: transform, transform: '"big"' }
  - { id: negative, type: transform, transform: '"negative"' }
  - { id: all, type: merge, merge_strategy: concat, needs: [even, big, negative] }
edges:
  - { from: number, to: even, condition: inputs.n % 2 === 0 }
  - { from: number, to: big, condition: inputs.n > 100 }
  - { from: number, to: negative, condition: inputs.n < 0 }`;

  it('takes any number of branches, each by its own question', async () => {
    expect((await run(any, { inputs: { n: 200 } })).outputs).toEqual({ all: ['even', 'big'] });
    expect((await run(any, { inputs: { n: -3 } })).outputs).toEqual({ all: ['negative'] });
    expect((await run(any, { inputs: { n: 3 } })).outputs).toEqual({});
  });

  it('waits only for the branches that were taken', async () => {
    const ran = await run(any, { inputs: { n: 2 } });
    expect(ran.nodes).toEqual({ number: 'succeeded', even: 'succeeded', big: 'skipped', negative: 'skipped', all: 'succeeded' });
  });

  const race = (join: string) => `nodes:
  - { id: fan, type: parallel, parallel_of: [slow, fast, middle] }
  - { id: slow, type: wait, duration_ms: 150 }
  - { id: fast, type: wait, duration_ms: 1 }
  - { id: middle, type: wait, duration_ms: 40 }
  - { id: slow-one, type: transform, needs: [slow], transform: '"slow"' }
  - { id: fast-one, type: transform, needs: [fast], transform: '"fast"' }
  - { id: middle-one, type: transform, needs: [middle], transform: '"middle"' }
  - { id: join, type: merge, merge_strategy: concat, needs: [slow-one, fast-one, middle-one], ${join} }`;

  it('goes on with the first branch while the others finish', async () => {
    const ran = await run(race('join_strategy: wait_first, losers: finish'));
    expect(ran.outputs).toEqual({ join: ['fast'] });
    expect(ran.nodes).toMatchObject({ 'slow-one': 'succeeded', 'middle-one': 'succeeded' });
    expect(story(ran).indexOf('succeeded join')).toBeLessThan(story(ran).indexOf('succeeded middle-one'));
  });

  it('goes on with the first branch and cancels the others', async () => {
    const ran = await run(race('join_strategy: wait_first'));
    expect(ran.outputs).toEqual({ join: ['fast'] });
    expect(ran.nodes).toMatchObject({ slow: 'cancelled', middle: 'cancelled', 'slow-one': 'skipped', 'middle-one': 'skipped' });
  });

  it('goes on with two of three while the third finishes', async () => {
    const ran = await run(race('join_strategy: wait_n, wait_n: 2, losers: finish'));
    expect(ran.outputs).toEqual({ join: ['fast', 'middle'] });
    expect(ran.nodes).toMatchObject({ 'slow-one': 'succeeded' });
  });

  it('goes on with two of three and cancels the third', async () => {
    const ran = await run(race('join_strategy: wait_n, wait_n: 2'));
    expect(ran.outputs).toEqual({ join: ['fast', 'middle'] });
    expect(ran.nodes).toMatchObject({ slow: 'cancelled', 'slow-one': 'skipped' });
  });

  it('ends when nothing is left to do', async () => {
    const ran = await run(`nodes:
  - { id: a, type: wait, duration_ms: 1 }
  - { id: b, type: output, value: '"early"', needs: [a] }
  - { id: late, type: wait, duration_ms: 30, needs: [a] }`);
    expect(ran.status).toBe('succeeded');
    expect(story(ran).at(-1)).toBe('succeeded late');
  });

  it('repeats a body a fixed number of times', async () => {
    const ran = await run(`nodes:
  - { id: three, type: loop, for_each: '[1, 2, 3]', max_parallel: 3, body: { nodes: [{ id: x, type: transform, transform: item * 2 }] } }`);
    expect(ran.outputs).toMatchObject({ three: { results: [2, 4, 6], count: 3 } });
  });

  it('repeats a body for each entry of a list that was worked out', async () => {
    const ran = await run(
      `inputs: [{ name: text, type: string, required: true }]
nodes:
  - { id: words, type: transform, transform: 'inputs.text.split(" ")' }
  - { id: each, type: loop, needs: [words], for_each: 'run.outputs["words"]', body: { nodes: [{ id: n, type: transform, transform: item.length }] } }`,
      { inputs: { text: 'one three seven' } },
    );
    expect(ran.outputs).toMatchObject({ each: { results: [3, 5, 5] } });
  });

  it('lets the world choose between a person and the clock', async () => {
    const flow = `nodes:
  - { id: person, type: human_gate, gate_type: approval, message_template: 'Go on?' }
  - { id: clock, type: wait, duration_ms: 60 }
  - { id: yes, type: transform, needs: [person], transform: '"a person"' }
  - { id: late, type: transform, needs: [clock], transform: '"the clock"' }
  - { id: who, type: merge, merge_strategy: first, join_strategy: wait_first, needs: [yes, late] }`;
    const alone = await run(flow);
    expect(alone.outputs).toEqual({ who: 'the clock' });
    expect(alone.nodes.person).toBe('cancelled');
    const answered = await run(flow, { decisions: { person: { decision: 'approved', by: 'someone' } } });
    expect(answered.outputs).toEqual({ who: 'a person' });
    expect(answered.nodes.clock).toBe('cancelled');
  });

  it('never runs two nodes with one lock at a time', async () => {
    const ran = await run(`tools: { allowedCommands: [sleep 0.05] }
nodes:
  - { id: first, type: tool, tool: run_command, lock: db, tool_config: { command: sleep, args: ['0.05'] } }
  - { id: second, type: tool, tool: run_command, lock: db, tool_config: { command: sleep, args: ['0.05'] } }
  - { id: third, type: tool, tool: run_command, lock: db, needs: [first], tool_config: { command: sleep, args: ['0.05'] } }`);
    expect(story(ran)).toEqual(['first', 'second', 'third'].flatMap((node) => [`started ${node}`, `succeeded ${node}`]));
  });

  it('keeps two groups of nodes apart', async () => {
    const group = (id: string) => `  - id: ${id}
    type: loop
    lock: printer
    for_each: '[1, 2]'
    body: { nodes: [{ id: pause, type: wait, duration_ms: 5 }] }`;
    const ran = await run(`nodes:\n${group('letters')}\n${group('labels')}`);
    const order = story(ran);
    expect(order.indexOf('started labels')).toBeGreaterThan(order.indexOf('succeeded letters'));
    expect(ran.status).toBe('succeeded');
  });

  it('cancels one node and goes on', async () => {
    const ran = await run(`tools: { allowedCommands: [sleep 30] }
nodes:
  - { id: slow, type: tool, tool: run_command, timeout_ms: 50, continue_on_error: true, tool_config: { command: sleep, args: ['30'] } }
  - { id: next, type: transform, needs: [slow], transform: 'run.errors["slow"].code' }`);
    expect({ status: ran.status, outputs: ran.outputs }).toEqual({ status: 'succeeded', outputs: { next: 'timeout' } });
  });

  it('cancels the whole run and still cleans up', async () => {
    const ran = await run(
      `tools: { allowedCommands: [sleep 30] }
nodes:
  - { id: work, type: tool, tool: run_command, tool_config: { command: sleep, args: ['30'] } }
  - { id: more, type: transform, needs: [work], transform: '1' }
  - { id: tidy, type: transform, transform: '"tidied"' }
edges: [{ from: work, to: tidy, on: always }]`,
      { cancelAt: 'work' },
    );
    expect(ran.status).toBe('cancelled');
    expect(ran.nodes).toEqual({ work: 'cancelled', more: 'skipped', tidy: 'succeeded' });
  });

  it('repeats while something holds, and until something is true', async () => {
    const ran = await run(`nodes:
  - { id: down, type: loop, initial: '5', while: prev > 2, body: { nodes: [{ id: less, type: transform, transform: prev - 1 }] } }
  - { id: up, type: loop, initial: '5', until: prev > 2, body: { nodes: [{ id: more, type: transform, transform: prev + 1 }] } }
  - { id: both, type: output, needs: [down, up], value: '[run.outputs["down"].results, run.outputs["up"].results]' }`);
    expect(ran.outputs).toEqual({ both: [[4, 3, 2], [6]] });
  });

  it('calls its own file', async () => {
    const factorial = `schema_version: '1.0'
workflow:
  id: factorial
  inputs: [{ name: n, type: number, required: true }]
  nodes:
    - id: end
      type: condition
      expression: inputs.n <= 1
      branches: [{ when: true, target_node: one }, { when: false, target_node: less }]
    - { id: one, type: transform, transform: '1' }
    - { id: less, type: subworkflow, workflow: ./factorial.relavium.yaml, input_mapping: { n: inputs.n - 1 }, output_mapping: { value: result.value } }
    - { id: value, type: output, needs: [one, less], value: 'run.outputs["one"] ?? inputs.n * run.outputs["less"].value' }
`;
    const call = (n: number) => `nodes:
  - { id: call, type: subworkflow, workflow: ./factorial.relavium.yaml, input_mapping: { n: '${n}' } }`;
    const files = { 'factorial.relavium.yaml': factorial };
    expect((await run(call(5), {}, files)).outputs).toEqual({ call: { value: 120 } });
    expect((await run(call(20), {}, files)).error).toMatchObject({ code: 'recursion_limit' });
  });

  it('cancels a whole side of a race', async () => {
    const ran = await run(`nodes:
  - { id: a1, type: wait, duration_ms: 1 }
  - { id: b1, type: wait, duration_ms: 1 }
  - { id: b2, type: wait, needs: [b1], duration_ms: 60000 }
  - { id: b3, type: loop, needs: [b1], for_each: '[1, 2]', max_parallel: 2, body: { nodes: [{ id: pause, type: wait, duration_ms: 60000 }] } }
  - { id: b4, type: transform, needs: [b2, b3], transform: '1' }
  - { id: a2, type: wait, needs: [a1], duration_ms: 40 }
  - { id: join, type: merge, merge_strategy: first, join_strategy: wait_first, needs: [a2, b4] }`);
    expect(ran.status).toBe('succeeded');
    expect(ran.nodes).toMatchObject({ a2: 'succeeded', b2: 'cancelled', b3: 'cancelled', 'b3[0].pause': 'cancelled', b4: 'skipped' });
  });

  it('stops all rounds of a loop when one fails', async () => {
    const ran = await run(`tools: { allowedCommandGlobs: ['sleep *'] }
nodes:
  - id: each
    type: loop
    for_each: '["30", "0.05", "30", "1"]'
    max_parallel: 3
    body:
      nodes:
        - { id: nap, type: tool, tool: run_command, tool_config: { command: sleep }, input_mapping: { args: '[item]' } }
        - { id: stop, type: fail, code: enough, message: 'after {{ item }} s' }`);
    expect(ran.error).toMatchObject({ code: 'user.enough', path: 'each[1].stop', message: 'after 0.05 s' });
    expect(ran.nodes).toMatchObject({ 'each[0].nap': 'cancelled', 'each[2].nap': 'cancelled' });
    expect(starts(ran)).not.toContain('each[3].nap');
  });

  it('ends a loop over a list as soon as enough is known', async () => {
    const ran = await run(`nodes:
  - { id: find, type: loop, for_each: '[3, 8, 21, 55]', until: prev > 10, body: { nodes: [{ id: look, type: transform, transform: item }] } }`);
    expect(ran.outputs).toMatchObject({ find: { results: [3, 8, 21], count: 3, last: 21 } });
  });

  it('joins by what is known at the join alone', async () => {
    const ran = await run(`nodes:
  - { id: a, type: transform, transform: '1' }
  - { id: b, type: transform, needs: [a], if: 'run.outputs["a"] > 1', transform: '2' }
  - { id: c, type: transform, needs: [b], transform: '3' }
  - { id: d, type: transform, needs: [a], transform: '4' }
  - { id: some, type: merge, merge_strategy: concat, needs: [c, d] }
  - { id: every, type: merge, merge_strategy: concat, join_strategy: require_all, needs: [c, d] }
  - { id: none, type: transform, needs: [c], transform: '5' }`);
    expect(ran.outputs).toEqual({ some: [4] });
    expect(ran.nodes).toMatchObject({ c: 'skipped', every: 'skipped', none: 'skipped' });
  });
});

describe('data', () => {
  it('keeps what a body gives inside its round', () => {
    const project = openProject();
    const { plan, diagnostics } = project.compile(
      workflow(`nodes:
  - { id: each, type: loop, for_each: '[1]', body: { nodes: [{ id: inner, type: transform, transform: item }] } }
  - { id: out, type: output, needs: [each], value: 'run.outputs["inner"]' }`),
    );
    expect(plan).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['scope_violation']);
    project.close();
  });

  it('gives each round its own item, index and carried value', async () => {
    const ran = await run(`nodes:
  - id: each
    type: loop
    for_each: '["x", "y"]'
    as: letter
    index_as: place
    initial: '"-"'
    body: { nodes: [{ id: said, type: transform, transform: '\`\${place}\${letter}\${prev}\`' }] }`);
    expect(ran.outputs).toMatchObject({ each: { results: ['0x-', '1y0x-'] } });
  });

  it('lets every node read inputs and context', async () => {
    const ran = await run(`inputs: [{ name: who, type: string, default: Ada }]
context: [{ key: hello, value: 'Hello, {{ inputs.who }}' }]
nodes:
  - { id: each, type: loop, for_each: '[1, 2]', body: { nodes: [{ id: said, type: transform, transform: 'ctx.hello + "!".repeat(item)' }] } }
  - { id: out, type: output, needs: [each], value: '[...run.outputs["each"].results, inputs.who]' }`);
    expect(ran.outputs).toEqual({ out: ['Hello, Ada!', 'Hello, Ada!!', 'Ada'] });
  });

  it('reads and writes the world through tools', async () => {
    const ran = await run(
      `nodes:
  - { id: read, type: tool, tool: read_file, tool_config: { path: in.txt }, output_mapping: { text: result.content } }
  - { id: write, type: tool, tool: write_file, needs: [read], tool_config: { path: out.txt }, input_mapping: { content: 'run.outputs["read"].text.toUpperCase()' } }
  - { id: again, type: tool, tool: read_file, needs: [write], tool_config: { path: out.txt }, output_mapping: { text: result.content } }`,
      {},
      { 'in.txt': 'words' },
    );
    expect(ran.outputs).toEqual({ again: { text: 'WORDS' } });
  });

  it('refuses to read a node that is not upstream', () => {
    const project = openProject();
    const { plan, diagnostics } = project.compile(
      workflow(`nodes:
  - { id: start, type: input }
  - { id: a, type: transform, needs: [start], transform: '1' }
  - { id: b, type: transform, needs: [start], transform: 'run.outputs["a"]' }`),
    );
    expect(plan).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['unordered_reference']);
    project.close();
  });

  it('hands a child its inputs and takes its outputs', async () => {
    const child = `schema_version: '1.0'
workflow:
  id: child
  inputs: [{ name: n, type: number, required: true }]
  nodes: [{ id: twice, type: output, value: inputs.n * 2 }]
`;
    const ran = await run(
      `nodes:
  - { id: call, type: subworkflow, workflow: ./child.relavium.yaml, input_mapping: { n: '20 + 1' }, output_mapping: { answer: result.twice } }`,
      {},
      { 'child.relavium.yaml': child },
    );
    expect(ran.outputs).toEqual({ call: { answer: 42 } });
  });

  it('gathers results in the order of the list', async () => {
    const ran = await run(`tools: { allowedCommandGlobs: ['sleep 0.*'] }
nodes:
  - id: each
    type: loop
    for_each: '["0.2", "0.1", "0.01"]'
    max_parallel: 3
    collect: '{ slept: item }'
    body: { nodes: [{ id: nap, type: tool, tool: run_command, tool_config: { command: sleep }, input_mapping: { args: '[item]' } }] }`);
    expect(story(ran).filter((line) => line.startsWith('succeeded each['))[0]).toBe('succeeded each[2].nap');
    expect(ran.outputs).toMatchObject({ each: { results: [{ slept: '0.2' }, { slept: '0.1' }, { slept: '0.01' }] } });
  });

  it('cannot change a value by working on it', async () => {
    const ran = await run(`nodes:
  - { id: list, type: transform, transform: '[3, 1, 2]' }
  - { id: sorted, type: transform, needs: [list], transform: '[...run.outputs["list"]].sort()' }
  - { id: pushed, type: transform, needs: [list], transform: '(list => { try { list.push(4) } catch { } return list.length })(run.outputs["list"])' }
  - { id: after, type: output, needs: [sorted, pushed], value: 'run.outputs["list"]' }`);
    expect(ran.outputs).toEqual({ after: [3, 1, 2] });
  });

  it('runs a node only if something holds', async () => {
    const flow = `inputs: [{ name: n, type: number, required: true, validation: { max: 10 } }]
nodes: [{ id: big, type: output, if: inputs.n > 5, value: inputs.n }]`;
    expect((await run(flow, { inputs: { n: 6 } })).outputs).toEqual({ big: 6 });
    expect((await run(flow, { inputs: { n: 5 } })).nodes).toEqual({ big: 'skipped' });
    await expect(run(flow, { inputs: { n: 11 } })).rejects.toThrow(/\bn\b.*10/);
  });

  it('does not accept an output of the wrong shape', async () => {
    const ran = await run(`nodes:
  - { id: grade, type: transform, transform: '{ grade: "A" }', output_schema: { type: object, properties: { grade: { type: number } } } }`);
    expect(ran.error).toMatchObject({ code: 'output_invalid', path: 'grade' });
  });
});

describe('exceptions', () => {
  it('goes another way when a node fails', async () => {
    const ran = await run(`nodes:
  - { id: read, type: tool, tool: read_file, tool_config: { path: none.txt } }
  - { id: other, type: transform, transform: 'run.errors["read"].code' }
  - { id: out, type: output, needs: [read, other], value: 'run.outputs["other"]' }
edges: [{ from: read, to: other, on: error, codes: [tool_failed] }]`);
    expect({ status: ran.status, outputs: ran.outputs }).toEqual({ status: 'succeeded', outputs: { out: 'tool_failed' } });
  });

  it('treats a missed deadline as a failure that can be handled', async () => {
    const ran = await run(`nodes:
  - { id: long, type: loop, for_each: '[1]', timeout_ms: 30, body: { nodes: [{ id: nap, type: wait, duration_ms: 60000 }] } }
  - { id: gate, type: human_gate, gate_type: approval, timeout_ms: 30 }
  - { id: a, type: transform, transform: 'run.errors["long"].code' }
  - { id: b, type: transform, transform: 'run.errors["gate"].details.by' }
  - { id: both, type: merge, merge_strategy: concat, needs: [a, b] }
edges:
  - { from: long, to: a, on: error, codes: [timeout] }
  - { from: gate, to: b, on: error, codes: [gate_rejected] }`);
    expect({ status: ran.status, outputs: ran.outputs }).toEqual({ status: 'succeeded', outputs: { both: ['timeout', 'timeout'] } });
  });

  it('tells by a code that a tool is not there', async () => {
    const flow = `nodes:
  - { id: say, type: tool, tool: notify, tool_config: { title: Done, body: All of it } }
  - { id: other, type: transform, transform: '"said nothing"' }
edges: [{ from: say, to: other, on: error, codes: [tool_unavailable] }]`;
    const ran = await run(flow, { host: ({ os: _, ...rest }) => rest });
    expect({ status: ran.status, outputs: ran.outputs }).toEqual({ status: 'succeeded', outputs: { other: 'said nothing' } });
  });

  it('tries again', async () => {
    const ran = await run(
      `tools: { allowedCommands: [sh once.sh] }
nodes:
  - { id: flaky, type: tool, tool: run_command, tool_config: { command: sh, args: [once.sh] }, retry: { max: 3, backoff_ms: 1 }, output_mapping: { said: result.stdout } }`,
      {},
      { 'once.sh': 'if [ -e been-here ]; then printf good; else touch been-here; exit 1; fi\n' },
    );
    expect(ran.outputs).toEqual({ flaky: { said: 'good' } });
    expect(starts(ran)).toEqual(['flaky', 'flaky']);
  });

  it('goes on although a node failed', async () => {
    const ran = await run(`nodes:
  - { id: bad, type: tool, tool: read_file, continue_on_error: true, tool_config: { path: none.txt } }
  - { id: next, type: transform, needs: [bad], transform: '[run.outputs["bad"] ?? null, run.errors["bad"].node]' }`);
    expect({ status: ran.status, outputs: ran.outputs }).toEqual({ status: 'succeeded', outputs: { next: [null, 'bad'] } });
  });

  const broken = (more: string) => `${more}
nodes:
  - { id: bad, type: fail, code: broken, message: broken }
  - { id: slow, type: wait, duration_ms: 20 }
  - { id: after, type: output, needs: [slow], value: '"done"' }`;

  it('lets independent branches end before the run fails', async () => {
    const ran = await run(broken('on_failure: continue'));
    expect({ status: ran.status, outputs: ran.outputs }).toEqual({ status: 'failed', outputs: { after: 'done' } });
    expect(ran.error).toMatchObject({ code: 'user.broken' });
  });

  it('stops everything else when a failure is not handled', async () => {
    const ran = await run(broken('on_failure: fail_fast'));
    expect(ran.status).toBe('failed');
    expect(ran.nodes).toMatchObject({ bad: 'failed', after: 'skipped' });
  });

  it('undoes in reverse order behind an error edge', async () => {
    const ran = await run(
      `nodes:
  - { id: hotel, type: tool, tool: write_file, tool_config: { path: log.txt, content: "hotel\\n", append: true } }
  - { id: flight, type: tool, tool: write_file, needs: [hotel], tool_config: { path: log.txt, content: "flight\\n", append: true } }
  - { id: car, type: fail, needs: [flight], code: no_car, message: no car }
  - { id: undo-flight, type: tool, tool: write_file, tool_config: { path: log.txt, content: "no flight\\n", append: true } }
  - { id: undo-hotel, type: tool, tool: write_file, needs: [undo-flight], tool_config: { path: log.txt, content: "no hotel\\n", append: true } }
  - { id: log, type: tool, tool: read_file, needs: [undo-hotel], tool_config: { path: log.txt }, output_mapping: { text: result.content } }
edges: [{ from: car, to: undo-flight, on: error }]`,
    );
    expect(ran.outputs).toEqual({ log: { text: 'hotel\nflight\nno flight\nno hotel\n' } });
    expect(ran.status).toBe('succeeded');
  });
});

/** Runs a workflow without its head in a folder of its own. */
async function run(body: string, given: Given = {}, files: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const project = openProject(files);
  try {
    return await project.run(workflow(body), given);
  } finally {
    project.close();
  }
}

function workflow(body: string): string {
  return `schema_version: '1.0'\nworkflow:\n  id: pattern\n${body.replaceAll(/^/gm, '  ')}\n`;
}

/** What happened to nodes, in order: `started a`, `succeeded a`, … */
function story({ events }: Ran): string[] {
  return events.flatMap((event) =>
    /^node:(started|succeeded|failed|skipped|cancelled)$/.test(event.type) && 'node' in event
      ? [`${event.type.slice(5)} ${event.node}`]
      : [],
  );
}

function starts(ran: Ran): string[] {
  return story(ran).flatMap((line) => (line.startsWith('started ') ? [line.slice('started '.length)] : []));
}
