import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openProject, type Ran } from './field/project.js';

const folder = fileURLToPath(new URL('../docs/nodes/', import.meta.url));
const reference = readFileSync(join(folder, '../reference/format.md'), 'utf8');
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
const types = pages.filter((name) => name !== 'README.md').map((name) => name.replace('.md', ''));

describe('the pages about nodes', () => {
  it('are one a node type, all of them listed in the contents', () => {
    const known = [...section(reference, '### Node\n').matchAll(/^- `(\w+)`:/gm)].map(([, type]) => type);
    expect(known).toHaveLength(13);
    expect([...types].sort()).toEqual([...known].sort());
    const listed = [...read('README.md').matchAll(/^\| \[(\w+)\]\((\w+)\.md\)/gm)].map(([, type, page]) => [type, page]);
    expect(listed).toEqual(known.map((type) => [type, type]));
  });

  it('link to headings and pages that exist', () => {
    const headings = [...reference.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!.toLowerCase().replaceAll(' ', '-'));
    for (const page of pages) {
      for (const [, target] of read(page).matchAll(/\]\(([^)]+)\)/g)) {
        const [file, heading] = target!.split('#');
        if (file === '../reference/format.md') expect(headings, `${page} → ${target}`).toContain(heading);
        else expect(pages, `${page} → ${target}`).toContain(file);
      }
    }
  });

  it('name only error codes that there are', () => {
    const known = reference.match(/^\| Error code \|.*$/m)![0];
    for (const type of types) {
      const codes = [...section(read(`${type}.md`), '## Error codes\n').matchAll(/^\| `([^`]+)`/gm)].map(([, code]) => code!);
      for (const code of codes) expect(known, `${type}: ${code}`).toContain(`\`${code}\``);
    }
  });
});

describe('the example on the page', () => {
  for (const page of pages) {
    for (const [index, { workflow, files, shown }] of examplesOf(page).entries()) {
      it(`${page}, number ${index + 1}, gives what is shown`, async () => {
        const project = openProject(files);
        if (page !== 'README.md') expect(workflow).toContain(`type: ${page.replace('.md', '')}`);
        expect(project.compile(workflow).diagnostics.map(({ message }) => message)).toEqual([]);
        const ran = await project.run(workflow, { models: [] });
        for (const [key, value] of Object.entries(shown)) expectShown(ran, key, value);
        project.close();
      });
    }
  }
});

function expectShown(ran: Ran, key: string, value: unknown): void {
  switch (key) {
    case 'status':
    case 'outputs':
    case 'nodes':
      return expect(ran[key], key).toEqual(value);
    case 'error':
      return expect(ran.error).toMatchObject(value as object);
    default:
      throw new Error(`an example shows ${key}, which is nothing that a run gives`);
  }
}

interface Example {
  readonly workflow: string;
  /** Files beside it: blocks that begin with a file's name in a comment. */
  readonly files: Readonly<Record<string, string>>;
  readonly shown: Readonly<Record<string, unknown>>;
}

/** A page shows workflows, each followed by what comes out. */
function examplesOf(page: string): readonly Example[] {
  const examples: Example[] = [];
  let files: Record<string, string> = {};
  let workflow: string | undefined;
  for (const [, language, body] of read(page).matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    if (language === 'json') {
      if (workflow === undefined) throw new Error(`${page} shows a result without a workflow`);
      examples.push({ workflow, files, shown: JSON.parse(body!) });
      files = {};
      workflow = undefined;
      continue;
    }
    const name = /^# (\S+\.yaml)\n/.exec(body!)?.[1];
    if (name !== undefined) files = { ...files, [name]: body! };
    else if (language === 'yaml' && workflow === undefined) workflow = body!;
    else throw new Error(`${page} shows a block that nothing checks`);
  }
  if (workflow !== undefined || examples.length === 0) throw new Error(`${page} shows a workflow without its result`);
  return examples;
}

function section(text: string, heading: string): string {
  const start = text.indexOf(heading);
  if (start < 0) throw new Error(`no section ${heading}`);
  const end = text.indexOf('\n#', start + heading.length);
  return text.slice(start, end < 0 ? undefined : end);
}

function read(page: string): string {
  return readFileSync(join(folder, page), 'utf8');
}
