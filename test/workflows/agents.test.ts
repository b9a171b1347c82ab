import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderWith, repository } from '../cli/relavium.js';
import { runWorkflow, type WorkflowRun } from './run-workflow.js';

/** A folder with the workflows, where a model is a script. */
function folderFor(workflow: string): string {
  const folder = folderWith({ 'README.md': '# Sample\n' });
  cpSync(join(repository, 'workflows'), join(folder, 'workflows'), { recursive: true });
  cpSync(join(repository, 'workflows', `${workflow}.relavium.yaml`), join(folder, `${workflow}.relavium.yaml`));
  return folder;
}

function run(workflow: string, folder: string, flags: readonly string[] = []): Promise<WorkflowRun> {
  return runWorkflow(workflow, folder, [], ['--model', `scripted:workflows/${workflow}.script.yaml`, ...flags]);
}

const only = (events: readonly string[], type: string) => events.filter((event) => event.startsWith(type));

describe('workflows/code-review', () => {
  it('asks three reviewers at once and an editor, and drops what a person does not want', async () => {
    const ran = await run('code-review', folderFor('code-review'), ['--gates', 'reject']);
    expect([ran.code, ran.outputs]).toEqual([0, { dropped: 'not kept: fix' }]);
    expect(
      only(ran.events, 'agent:turn_completed')
        .map((event) => event.split(' ')[1])
        .sort(),
    ).toEqual(['clarity', 'correctness', 'correctness', 'security', 'weigh']);
    expect(existsSync(join(ran.folder, 'dist'))).toBe(false);
  });
});

describe('workflows/answer-from-docs', () => {
  it('has a lead that reads nothing, a finder and a checker that it invokes', async () => {
    const ran = await run('answer-from-docs', folderFor('answer-from-docs'));
    expect(ran.code).toBe(0);
    expect(ran.outputs).toEqual({
      answer: 'Its whole command line stands in tools.allowedCommands.\n\nFrom: workflows/project-facts.relavium.yaml',
    });
    expect(only(ran.events, 'node:started').map((event) => event.split(' ')[1])).toEqual([
      'lead',
      'lead/call[1]/finder',
      'lead/call[2]/checker',
      'answer',
    ]);
    expect(only(ran.events, 'agent:tool_result').every((event) => event.includes('ok=true'))).toBe(true);
  });
});

describe('workflows/issue-triage', () => {
  it('sorts each row of a table and writes a table', async () => {
    const ran = await run('issue-triage', folderFor('issue-triage'));
    expect([ran.code, ran.outputs]).toEqual([0, { summary: 'dist/issue-triage.md: 5 issues, 1 urgent, 0 not sorted' }]);
    const table = readFileSync(join(ran.folder, 'dist/issue-triage.md'), 'utf8').split('\n');
    expect(table[2]).toBe('| 105 | Data is lost on a crash | bug | 1 | Data is lost. |');
    expect(table).toHaveLength(8);
  });
});

describe.each(['code-review', 'answer-from-docs', 'issue-triage'])('two runs of %s', (workflow) => {
  it('give the same events but for times and ids', async () => {
    const flags = ['--gates', 'reject'];
    const [first, second] = [await run(workflow, folderFor(workflow), flags), await run(workflow, folderFor(workflow), flags)];
    expect(second.records).toEqual(first.records);
  });
});
