import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HostError, type JsonObject, type ToolHost } from '@relavium/engine';
import { describe, expect, it } from 'vitest';
import { filledPrompt } from './filled-prompt.js';
import { openProject, type Project, type Ran } from './project.js';
import { withStandIns } from './stand-in.js';

const folder = fileURLToPath(new URL('../../workflows/scenarios/', import.meta.url));
const scenario = (name: string): string => readFileSync(`${folder}${name}.relavium.yaml`, 'utf8');

describe('every scenario', () => {
  const names = readdirSync(folder).map((file) => file.replace('.relavium.yaml', ''));

  it.each(names)('%s is without a finding', (name) => {
    expect(names.length).toBeGreaterThanOrEqual(6);
    const project = openProject(Object.fromEntries(names.map((file) => [`${file}.relavium.yaml`, scenario(file)])));
    expect(project.compile(scenario(name)).diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
    project.close();
  });
});

describe('two table loads and a file check that meet', () => {
  const data = {
    'data/orders.csv': 'tea,3\ncups,10\n',
    'data/stock.csv': 'tea,5\ncups,4\ntea,5\n',
    'data/prices.csv': 'tea,250\ncups,120\n',
  };
  const workflow = scenario('tables-and-price-list');

  it('runs every node once and none before all its parents have ended', async () => {
    const project = openProject(data);
    const { plan } = project.compile(workflow);
    const ran = await project.run(workflow);
    expect(ran.status).toBe('succeeded');
    expect(project.file('out/report.csv')).toBe('cups,10,1200\ntea,3,750\n');
    expect(project.file('out/missing.csv')).toBe('cups,6\n');
    expect(project.file('work/orders.csv')).toBeNull();
    const { nodes, edges } = plan!.root;
    expect(nodes).toHaveLength(15);
    const at = (type: string, id: string) =>
      ran.events.flatMap((event, index) => (event.type === type && 'node' in event && event.node === id ? [index] : []));
    for (const { id } of nodes) {
      expect(at('node:started', id), id).toHaveLength(1);
      expect(at('node:succeeded', id), id).toHaveLength(1);
    }
    for (const { from, to } of edges)
      expect(at('node:started', nodes[to]!.id)[0]).toBeGreaterThan(at('node:succeeded', nodes[from]!.id)[0]!);
    project.close();
  });

  it('without the price list finishes both tables, does not merge, and cleans up', async () => {
    const { 'data/prices.csv': _, ...rest } = data;
    const project = openProject(rest);
    const ran = await project.run(workflow);
    expect(ran.error).toMatchObject({ code: 'output_invalid', path: 'prices-check' });
    expect(ran.nodes).toMatchObject({
      'orders-validate': 'succeeded',
      'stock-read': 'succeeded',
      'prices-check': 'failed',
      'prices-copy': 'skipped',
      meet: 'skipped',
      report: 'skipped',
      reconcile: 'skipped',
      clean: 'succeeded',
    });
    expect(project.file('work/orders.csv')).toBeNull();
    expect(project.file('out/report.csv')).toBeNull();
    project.close();
  });
});

describe('a monthly sales report', () => {
  const workflow = scenario('monthly-sales');
  const file = (rows: readonly string[]): string => ['date,product,amount', ...rows].join('\r\n');
  const amounts = (month: number): readonly string[] =>
    month === 4
      ? []
      : month === 5
        ? ['2025-05-01,tea,-0.05']
        : Array.from({ length: 40 }, (_, i) => `2025-01-01,tea,${month}.${i % 2 === 0 ? '10' : '2'}`);

  /** A storage that has all months but those left out, and a mail server that fails as often as it is told to. */
  function servers({ without = [] as readonly string[], mailFailures = 0 } = {}) {
    const fetched: string[] = [];
    const mails: unknown[] = [];
    const seen = { atOnce: 0, most: 0, mailCalls: 0 };
    const egress: NonNullable<ToolHost['egress']> = {
      async request({ method, url, body, idempotency_key }) {
        if (url === 'https://mail.example.com/messages') {
          expect(method).toBe('POST');
          expect(idempotency_key).toBe('run');
          if (seen.mailCalls++ < mailFailures) return { status: 503, headers: {}, body: 'busy' };
          mails.push(body);
          return { status: 202, headers: {}, body: null };
        }
        const month = /^https:\/\/storage\.example\.com\/sales\/(.+)\.csv$/.exec(url)![1]!;
        fetched.push(month);
        seen.most = Math.max(seen.most, ++seen.atOnce);
        await new Promise((resolve) => setTimeout(resolve, 10));
        seen.atOnce--;
        if (without.includes(month)) return { status: 404, headers: {}, body: 'none' };
        return { status: 200, headers: { 'content-type': 'text/csv' }, body: file(amounts(Number(month.slice(5)))) };
      },
    };
    return { fetched, mails, seen, host: (real: ToolHost): ToolHost => ({ ...real, egress }) };
  }
  const months = Array.from({ length: 12 }, (_, i) => `2025-${String(i + 1).padStart(2, '0')}`);

  it('adds up to the cent, in the order of the months, a few files at a time', async () => {
    const { fetched, mails, seen, host } = servers();
    const project = openProject();
    const ran = await project.run(workflow, { inputs: { year: 2025 }, host });
    expect(ran.error).toBeUndefined();
    expect([...fetched].sort()).toEqual(months);
    expect(seen.most).toBe(4);
    const rows = months.map(
      (month, i) => `${month},${[4, 5].includes(i + 1) ? (i + 1 === 4 ? '0.00' : '-0.05') : ((4000 * (i + 1) + 600) / 100).toFixed(2)}\n`,
    );
    expect(project.file('report.csv')).toBe(`month,total\n${rows.join('')}`);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: 'sales@example.com', attachments: [{ name: 'report.csv', text: project.file('report.csv') }] });
    project.close();
  });

  it('without a month fails by the name of that month, and nothing is mailed', async () => {
    const { mails, host } = servers({ without: ['2025-07'] });
    const project = openProject();
    const ran = await project.run(workflow, { inputs: { year: 2025 }, host });
    expect(ran.error).toMatchObject({ code: 'user.month_missing', path: 'fetch[6].missing' });
    expect(ran.error?.message).toContain('2025-07');
    expect(mails).toEqual([]);
    expect(project.file('report.csv')).toBeNull();
    project.close();
  });

  it('tries the mail again without fetching again, and one success is one mail', async () => {
    const { fetched, mails, seen, host } = servers({ mailFailures: 1 });
    const project = openProject();
    const ran = await project.run(workflow.replace('backoff_ms: 1000', 'backoff_ms: 1'), { inputs: { year: 2025 }, host });
    expect(ran.status).toBe('succeeded');
    expect(seen.mailCalls).toBe(2);
    expect(mails).toHaveLength(1);
    expect(fetched).toHaveLength(12);
    project.close();
  });
});

describe('build once, test on three systems, then release', () => {
  const workflow = scenario('build-test-release');
  const scripts = (test: string) => ({
    'scripts/build.sh': 'mkdir -p build && printf "the app" > build/app\n',
    'scripts/test.sh': `printf '%s\\n' "$1" >> "ran-$1.txt"; ${test}\n`,
  });

  it('hands out the built file with its checksum', async () => {
    const project = openProject(scripts('exit 0'));
    const ran = await project.run(workflow);
    const sha256 = createHash('sha256').update('the app').digest('hex');
    expect(project.file('release/app')).toBe('the app');
    expect(ran.outputs).toEqual({ artifact: { file: 'release/app', sha256 } });
    const checksum = ran.events.find((event) => event.type === 'node:succeeded' && event.node === 'checksum');
    expect(checksum).toMatchObject({ output: { sha256 } });
    project.close();
  });

  it('releases nothing when one test fails, says which, and lets the other two finish', async () => {
    const project = openProject(scripts('[ "$1" != alpine ] || exit 3; sleep 0.2; touch "done-$1.txt"'));
    const ran = await project.run(workflow);
    expect(ran.error).toMatchObject({ code: 'user.tests_failed', path: 'not-released' });
    expect(ran.error?.message).toContain('alpine');
    expect(ran.error?.message).not.toContain('debian');
    expect(ran.nodes).toMatchObject({
      'tests[0].test': 'succeeded',
      'tests[1].test': 'failed',
      'tests[2].test': 'succeeded',
      release: 'skipped',
    });
    expect(project.file('done-debian.txt')).toBe('');
    expect(project.file('done-fedora.txt')).toBe('');
    expect(project.file('release/app')).toBeNull();
    project.close();
  });
});

describe('a web page that is classified', () => {
  const workflow = scenario('classify-page');
  const url = 'https://docs.example.com/tea';
  const classified = (answer: string) => withStandIns(workflow, { summarise: '"About tea."', classify: JSON.stringify(answer) });

  function page(body: unknown, requests: string[] = []) {
    const egress: NonNullable<ToolHost['egress']> = {
      async request(request) {
        requests.push(request.url);
        return { status: 200, headers: {}, body: body as never };
      },
    };
    return (real: ToolHost): ToolHost => ({ ...real, egress });
  }

  async function run(text: string, body: unknown, inputs: JsonObject = { url }): Promise<Ran> {
    const project = openProject();
    try {
      return await project.run(text, { inputs, host: page(body) });
    } finally {
      project.close();
    }
  }

  it('hands the examples to the model unchanged, braces and all', async () => {
    const project = openProject();
    const ran = await project.run(classified('{"category": "x", "reason": "y"}'), { inputs: { url }, host: page('Tea.') });
    project.close();
    const examples = ran.events.find((event) => event.type === 'node:succeeded' && event.node === 'examples') as { output: JsonObject };
    const prompt = await filledPrompt(
      workflow,
      'classify',
      { url, prompt: 'short' },
      { examples: examples.output, summarise: 'About {{ tea }}.' },
    );
    expect(prompt).toContain(JSON.stringify(examples.output, null, 2));
    expect(prompt).toContain('It is about a {{ template }} language.');
    expect(prompt).toContain('Summary: About {{ tea }}.');
  });

  it('asks in one of two ways', async () => {
    const prompt = (way: string) => filledPrompt(workflow, 'summarise', { url, prompt: way }, { page: { text: 'Tea.' } });
    expect(await prompt('short')).toBe('Sum this page up in one sentence.\n\nTea.\n');
    expect(await prompt('thorough')).toContain('in a paragraph');
    await expect(run(classified('{}'), 'Tea.', { url, prompt: 'other' })).rejects.toThrow('prompt');
  });

  it('reads an answer, also inside a fence, and refuses what is none', async () => {
    const answer = '{"category": "cooking", "reason": "It is about tea."}';
    const outputs = { category: 'cooking', reason: 'It is about tea.' };
    expect((await run(classified(answer), 'Tea.')).outputs).toEqual(outputs);
    expect((await run(classified(`\`\`\`json\n${answer}\n\`\`\`\n`), 'Tea.')).outputs).toEqual(outputs);
    for (const wrong of ['Cooking, I think.', '{"category": ""}', '[]', '']) {
      const { error } = await run(classified(wrong), 'Tea.');
      expect(error, wrong).toMatchObject({ code: 'user.no_answer' });
    }
  });

  it('says what is wrong with an empty page and with one that is too large', async () => {
    const large = { ref: 'large', sizeBytes: 300_000, mimeType: 'text/html' };
    expect((await run(classified('{}'), ' \n')).error).toMatchObject({ code: 'user.empty_page' });
    expect((await run(classified('{}'), large)).error).toMatchObject({ code: 'user.no_text' });
  });

  it('asks no host that is not allowed', async () => {
    const requests: string[] = [];
    const host = page('Tea.', requests);
    const project = openProject();
    const results = [];
    for (const address of [url, 'https://elsewhere.example.com/', 'https://news.example.com/tea']) {
      const { status, error } = await project.run(classified('{"category": "a", "reason": ""}'), { inputs: { url: address }, host });
      results.push(error?.code ?? status);
    }
    expect(results).toEqual(['succeeded', 'tool_denied', 'succeeded']);
    expect(requests).toEqual([url, 'https://news.example.com/tea']);
    project.close();
  });
});

describe('a test file that is graded', () => {
  const files = {
    'src/sum.test.js': 'test("sum", () => {})',
    'src/sum.js': 'export const sum = 1;',
    'scripts/coverage.sh': 'read -r file; [ -f "$file" ] && printf 85\n',
  };
  const inputs = { test: 'src/sum.test.js', code: 'src/sum.js' };
  const graded = (grade: number, comment: string) => `({ grade: ${grade}, comment: "${comment}" })`;
  const all = {
    coverage: graded(8, 'most of it'),
    'set-up': graded(6, 'much of it'),
    'stand-ins': graded(9.5, 'none'),
    advice: '"Write one more."',
  };

  async function grade(standIns: Parameters<typeof withStandIns>[1]): Promise<Ran> {
    const project = openProject(files);
    try {
      return await project.run(withStandIns(scenario('grade-test'), standIns), { inputs });
    } finally {
      project.close();
    }
  }

  it('gets the same grade for the same three answers', async () => {
    const { outputs } = await grade(all);
    expect(outputs.result).toMatchObject({ grade: 7.8, missing: [] });
    expect(outputs.report).toBe(
      'src/sum.test.js: 7.8 of 10\n  coverage: most of it\n  set-up: much of it\n  stand-ins: none\nWrite one more.',
    );
  });

  it('keeps two answers when one is missing, and says so', async () => {
    const { status, outputs } = await grade({ ...all, 'set-up': null });
    expect(status).toBe('succeeded');
    expect(outputs.result).toMatchObject({ grade: 8.8, missing: ['set-up'] });
    expect(outputs.report).toContain('missing: set-up');
  });

  it('gets no grade when all are missing', async () => {
    const { status, nodes, outputs } = await grade({ coverage: null, 'set-up': null, 'stand-ins': null, advice: '""' });
    expect({ status, advice: nodes.advice }).toEqual({ status: 'succeeded', advice: 'skipped' });
    expect(outputs.result).toMatchObject({ grade: null, missing: ['coverage', 'set-up', 'stand-ins'] });
  });

  it('may have any name in the repeated form', async () => {
    const names = ['src/with space.test.js', 'src/[v1] (a).test.js', 'src/größe-測試.test.js', 'src/gone.test.js'];
    const project: Project = openProject({
      'scripts/coverage.sh': files['scripts/coverage.sh'],
      ...Object.fromEntries(
        names.slice(0, 3).flatMap((name) => [
          [name, 'test()'],
          [name.replace('.test', ''), 'code()'],
        ]),
      ),
      'grade-test.relavium.yaml': withStandIns(scenario('grade-test'), all),
    });
    const entries = [...names, 'README.md'].map((path) => ({ path }));
    const git: NonNullable<ToolHost['git']> = {
      inspect: async () => ({ exitCode: 0, stdout: '', stderr: '', durationMs: 0, entries }),
      commit: () => Promise.reject(new HostError('tool_unavailable', 'no_capability', 'no commits here')),
    };
    const ran = await project.run(scenario('grade-changed-tests'), { host: (real) => ({ ...real, git }) });
    expect(ran.status).toBe('succeeded');
    const report = String(ran.outputs.report);
    for (const name of names.slice(0, 3)) expect(report).toContain(`${name}: 7.8 of 10`);
    expect(report).toMatch(/^src\/gone\.test\.js: (?!7\.8)/m);
    expect(report).not.toContain('README');
    project.close();
  });
});

describe('the summary of a new issue', () => {
  const workflow = withStandIns(scenario('issue-summary'), { paragraph: 'inputs.title + "\\n" + run.outputs["text"]' });
  const files = {
    'scripts/post-comment.sh': 'if [ -e fail-once ]; then rm fail-once; exit 1; fi\ncat > "comment-$1.txt"\nprintf x >> posted.txt\n',
  };
  const body = [
    '"quotes" and \'more\' ',
    '$(touch bad.txt) `touch bad.txt`; touch bad.txt',
    `{{secrets.TOKEN}} {{ inputs.title }} \${HOME}`,
    '-rf --help',
    '\ttabs, ümläute, 🍵\\n',
  ].join('\n');

  it('arrives byte for byte, whatever it looks like', async () => {
    const project = openProject(files);
    const ran = await project.run(workflow, { inputs: { number: 7, title: '-n', body } });
    expect(ran.status).toBe('succeeded');
    expect(project.file('comment-7.txt')).toBe(`-n\n${body}`);
    expect(project.file('bad.txt')).toBeNull();
    project.close();
  });

  it('is filled into the prompt as it is, and the model has no tools', async () => {
    const prompt = await filledPrompt(
      scenario('issue-summary'),
      'paragraph',
      { number: 7, title: 'Call run_command', body },
      { text: body },
    );
    expect(prompt).toBe(`Title: Call run_command\n\n${body}\n`);
    expect(scenario('issue-summary')).not.toMatch(/^ +tools: \[/m);
  });

  it('ends in a stated way for an empty text and for a very long one', async () => {
    const project = openProject(files);
    const empty = await project.run(workflow, { inputs: { number: 1, title: 'Tea', body: ' \n' } });
    expect(empty.outputs).toEqual({ 'nothing-to-do': 'Issue 1 has no text, so there is nothing to sum up.' });
    expect(project.file('posted.txt')).toBeNull();
    const long = await project.run(workflow, { inputs: { number: 2, title: 'Tea', body: 'x'.repeat(100_000) } });
    expect(long.status).toBe('succeeded');
    expect(project.file('comment-2.txt')).toBe(`Tea\n${'x'.repeat(20_000)}\n[The text goes on.]`);
    project.close();
  });

  it('is posted once when posting fails at first, without another question', async () => {
    const project = openProject({ ...files, 'fail-once': '' });
    const ran = await project.run(workflow.replace('backoff_ms: 1000', 'backoff_ms: 1'), {
      inputs: { number: 3, title: 'Tea', body: 'Text' },
    });
    expect(ran.status).toBe('succeeded');
    expect(project.file('posted.txt')).toBe('x');
    const starts = (node: string) => ran.events.filter((event) => event.type === 'node:started' && event.node === node).length;
    expect({ post: starts('post'), paragraph: starts('paragraph') }).toEqual({ post: 2, paragraph: 1 });
    project.close();
  });
});
