import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderFor, runWorkflow } from './run-workflow.js';

describe('workflows/docs-index', () => {
  it('writes an index of the headings, one loop item a page', async () => {
    const folder = folderFor('docs-index', {
      'docs/guide.md': '# Guide\n\n## First steps ##\n\n```sh\n# no heading\n```\n\n### Too deep\n',
      'docs/deep/api.md': '# API\r\n\r\n## Calls\r\n',
      'docs/notes.txt': '# not Markdown\n',
    });
    const { code, events, outputs } = await runWorkflow('docs-index', folder, ['target=out/index.md']);
    expect(code).toBe(0);
    expect(outputs).toEqual({ answer: 'out/index.md: 2 pages' });
    expect(readFileSync(join(folder, 'out/index.md'), 'utf8')).toBe(
      ['# Index', '', '- [API](docs/deep/api.md)', '  - Calls', '- [Guide](docs/guide.md)', '  - First steps', ''].join('\n'),
    );
    expect(events).toEqual([
      'run:started',
      'node:started pages attempt=1',
      'tool:call pages tool=read_file',
      'tool:result pages ok=true',
      'node:succeeded pages',
      'node:started any-pages attempt=1',
      'node:succeeded any-pages selected=true',
      'node:skipped no-pages reason=branch_not_taken',
      'node:started sections attempt=1',
      ...[0, 1].flatMap((index) => [
        `loop:item_started sections index=${index}`,
        ...['headings', 'section'].flatMap((node) => [
          `node:started sections[${index}].${node} attempt=1`,
          `node:succeeded sections[${index}].${node}`,
        ]),
        `loop:item_completed sections index=${index} ok=true`,
      ]),
      'node:succeeded sections',
      'node:started index attempt=1',
      'node:succeeded index',
      'node:started write attempt=1',
      'tool:call write tool=write_file',
      'tool:result write ok=true',
      'node:succeeded write',
      'node:started answer attempt=1',
      'node:succeeded answer',
      'run:succeeded',
    ]);
  });

  it('fails with a code of its own where there are no pages, and writes nothing', async () => {
    const { code, error, folder } = await runWorkflow('docs-index', folderFor('docs-index', { 'docs/notes.txt': '' }));
    expect(code).toBe(1);
    expect(error).toMatchObject({ code: 'user.no_pages', path: 'no-pages' });
    expect(existsSync(join(folder, 'docs-index.md'))).toBe(false);
  });
});
