import { type Diagnostic, type SourceText, unusedAgents } from '@relavium/engine';
import { lintLevels, readConfig } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { applyLevels } from '../lint/apply-levels.js';
import { type Checked, checkSource } from '../lint/check-source.js';
import { selectFiles } from '../lint/select-files.js';
import { done, type Outcome, type Problem, problem, refuse } from '../problem.js';
import { openProject, type Project, shownPath } from '../project/open-project.js';
import { readSource } from '../project/read-source.js';
import { readStandardInput } from '../project/read-text.js';
import { countLine, prettyDiagnostic } from '../render/diagnostic.js';
import { diagnosticRecord, githubAnnotation } from '../render/diagnostic-record.js';
import { writeData, writeRecord } from '../render/write-data.js';

export interface LintOptions {
  readonly format?: 'pretty' | 'json' | 'github';
  readonly strict?: boolean;
  readonly stdin?: boolean;
  readonly jsonl?: boolean;
}

/** Checks files and prints all findings. */
export async function lint(cli: Cli, paths: readonly string[], options: LintOptions): Promise<number> {
  const project = openProject(cli);
  const config = readConfig({ projectRoot: project.root, ...(cli.configFile === undefined ? {} : { file: cli.configFile }) });
  const levels = { configured: lintLevels(config), isStrict: options.strict === true };
  if (options.jsonl === true) {
    const { answerLines } = await import('./answer-lines.js');
    return answerLines(cli, ({ file, text }) => {
      if (typeof text !== 'string') return { ok: false, code: 'invalid_request', message: 'a request needs text' };
      const name = typeof file === 'string' ? file : standardInput;
      return { file: name, diagnostics: applyLevels(checkSource({ path: name, text }, project).diagnostics, levels).map(diagnosticRecord) };
    });
  }

  const sources = options.stdin === true ? await fromStandardInput(cli, paths) : fromFiles(cli, project, paths);
  if (!sources.ok) return refuse(cli, sources.problem);
  const { texts, unreadable } = sources.value;
  const isWholeProject = paths.length === 0 && options.stdin !== true;
  const configFindings = isWholeProject
    ? applyLevels(
        config.problems.map((found) => renamed(found, cli)),
        levels,
      )
    : [];
  const checked = texts.map((text): CheckedText => ({ text, ...checkSource(text, project) }));
  const found = [...checked.flatMap(({ diagnostics }) => diagnostics), ...(isWholeProject ? agentsOfNoWorkflow(checked) : [])];
  const findings = distinct([...applyLevels(found, levels), ...configFindings]);
  print(cli, findings, texts.length + (configFindings.length > 0 ? 1 : 0), options.format ?? (cli.json ? 'json' : 'pretty'));
  if (unreadable.length > 0) {
    for (const one of unreadable) refuse(cli, one);
    return exitCode.refused;
  }
  return findings.some(({ severity }) => severity === 'error') ? exitCode.failed : exitCode.done;
}

/** Only when the whole project is seen can it be said that nothing uses an agent. */
function agentsOfNoWorkflow(checked: readonly CheckedText[]): readonly Diagnostic[] {
  const isAgent = ({ text }: CheckedText): boolean => text.path.endsWith('.agent.yaml');
  const agents = checked.filter(isAgent).map(({ text }) => text);
  return agents.length === 0
    ? []
    : unusedAgents(
        agents,
        checked.filter((one) => !isAgent(one)).flatMap(({ sources }) => sources),
      );
}

interface CheckedText extends Checked {
  readonly text: SourceText;
}

const standardInput = 'stdin.relavium.yaml';

interface Texts {
  readonly texts: readonly SourceText[];
  readonly unreadable: readonly Problem[];
}

async function fromStandardInput(cli: Cli, paths: readonly string[]): Promise<Outcome<Texts>> {
  if (paths.length > 1) return problem('--stdin checks one text', 'Give at most one path, to name it.');
  const text = await readStandardInput(cli.stdin);
  return text.ok ? done({ texts: [{ path: paths[0] ?? standardInput, text: text.value }], unreadable: [] }) : text;
}

function fromFiles(cli: Cli, project: Project, paths: readonly string[]): Outcome<Texts> {
  const selected = selectFiles(cli, project, paths);
  if (!selected.ok) return selected;
  const texts: SourceText[] = [];
  const unreadable: Problem[] = [];
  for (const path of selected.value) {
    const source = readSource(cli, shownPath(cli, path));
    if (source.ok) texts.push(source.value);
    else unreadable.push(source.problem);
  }
  return done({ texts, unreadable });
}

function renamed(found: Diagnostic, cli: Cli): Diagnostic {
  return { ...found, source: { ...found.source, path: shownPath(cli, found.source.path) } };
}

/** A file that several workflows name is checked with each of them; its findings are told once. */
function distinct(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return findings.filter(({ source, range, code, message }) => {
    const key = JSON.stringify([source.path, range.start, range.end, code, message]);
    return seen.has(key) ? false : seen.add(key);
  });
}

function print(cli: Cli, findings: readonly Diagnostic[], files: number, format: 'pretty' | 'json' | 'github'): void {
  switch (format) {
    case 'json':
      for (const finding of findings) writeRecord(cli.out, diagnosticRecord(finding));
      return;
    case 'github':
      for (const finding of findings) writeData(cli.out, `${githubAnnotation(finding)}\n`);
      return;
    case 'pretty':
      for (const finding of findings) cli.out.line(`${prettyDiagnostic(finding, cli.out.paint, cli.out.columns)}\n`);
      if (!cli.quiet) cli.out.line(countLine(findings, files));
      return;
    default:
      return format satisfies never;
  }
}
