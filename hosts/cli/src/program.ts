import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { showControls } from '@relavium/engine';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type Cli, createSink, type GlobalOptions } from './cli.js';
import { exitCode } from './exit-code.js';
import { reportInternal } from './internal-error.js';
import type { Problem } from './problem.js';
import { version } from './version.js';

/** Reads the arguments, runs the command that they name, and gives the exit code. Never throws. */
export async function main(args: readonly string[]): Promise<number> {
  let code: number = exitCode.done;
  const program = createProgram((ended) => {
    code = ended;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.refused;
    return reportInternal(error, process.env);
  }
  return code;
}

type Ended = (code: number) => void;
/** Commander hands an action its arguments, then the options, then the command itself. */
type Action = (cli: Cli, ...args: never[]) => Promise<number> | number;

function createProgram(ended: Ended): Command {
  const program = new Command('relavium')
    .description('Runs workflows that are written as YAML files: checks them, runs them with guarded tools, shows every step.')
    .usage('[options] <command>')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .option('--cwd <dir>', 'work as if started in this directory')
    .option('--config <file>', 'use this configuration file instead of the one of the project')
    .option('--json', 'print one JSON record a line and nothing else on standard output')
    .option('-q, --quiet', 'say nothing but results and problems')
    .option('-v, --verbose', 'say more: starts, tool calls, output of commands as it comes')
    .addOption(new Option('--color', 'colour even where the output is no terminal'))
    .addOption(new Option('--no-color', 'no colour'))
    .configureHelp({ showGlobalOptions: true })
    // What was typed is repeated, and may come from anywhere.
    .configureOutput({ outputError: (text, write) => write(showControls(text)) })
    .showHelpAfterError('Run with --help to see what is possible.')
    .exitOverride();

  /** `load` is a dynamic import: a command costs nothing until it is asked for. */
  const act =
    (load: () => Promise<Action>) =>
    async (...given: unknown[]): Promise<void> => {
      const action = await load();
      const command = given.pop() as Command;
      const cli = createCli(command.optsWithGlobals<GlobalOptions>());
      const missing = missingPlace(cli);
      if (missing !== undefined) return ended((await import('./problem.js')).refuse(cli, missing));
      ended(await (action as (cli: Cli, ...args: unknown[]) => Promise<number> | number)(cli, ...given));
    };

  program
    .command('init')
    .description('make a small project: a workflow that runs, configuration, editor support')
    .argument('[dir]', 'where; the working directory if left out')
    .action(act(async () => (await import('./commands/init.js')).init));

  withGrants(
    program
      .command('run')
      .description('run a workflow and print its outputs; without a file, list the workflows of the project')
      .argument('[workflow]', 'a workflow file, or the id of a workflow in .relavium/workflows/')
      .option('-i, --input <name=value>', 'set an input; may be repeated', collect)
      .option('--inputs <file>', 'read inputs from a JSON file, or from standard input with -')
      .option('-o, --output <file>', 'write the outputs to this file instead of standard output'),
  )
    .option('--max-parallel <n>', 'tool calls in flight at most', wholeNumber(1, 64))
    .option('--timeout <seconds>', 'end the run after this time', seconds)
    .option('--ask', 'ask a person before each call that changes something')
    .addOption(new Option('--gates <mode>', 'ask about gates in this terminal, or reject them all').choices(['prompt', 'reject']))
    .option('-n, --dry-run', 'do nothing: print what would run, and what the policy would say')
    .option('--mock <file>', 'with --dry-run: a JSON file with outputs by node, to go on past what only a run could tell')
    .action(act(async () => (await import('./commands/run.js')).run));

  withGrants(
    program
      .command('watch')
      .description('run a workflow, and again whenever something that it reads has changed')
      .argument('<workflow>', 'a workflow file, or the id of a workflow in .relavium/workflows/')
      .option('-i, --input <name=value>', 'set an input; {changed} gives a file_path input each changed path; may be repeated', collect)
      .option('--glob <pattern>', 'watch these files too, such as "src/**/*.md"; may be repeated', collect)
      .option('--debounce <ms>', 'how long a file must be left alone before it counts; 500 if nobody says', wholeNumber(0, 3_600_000))
      .option('--no-initial', 'do not run before the first change')
      .option('--restart', 'on a change during a run, cancel it and start again; otherwise one more run follows it'),
  )
    .option('--max-parallel <n>', 'tool calls in flight at most', wholeNumber(1, 64))
    .action(act(async () => (await import('./commands/watch.js')).watch));

  withGrants(
    program
      .command('batch')
      .description('run a workflow once for each item of a CSV, JSON Lines or JSON file')
      .argument('<workflow>', 'a workflow file, or the id of a workflow in .relavium/workflows/')
      .requiredOption('--items <file>', 'the items: a .csv, .jsonl or .json file, or standard input with -')
      .option('--map <input=column>', 'let an input take a column of another name; may be repeated', collect)
      .option('--concurrency <n>', 'items in progress at most; 8 if left out', wholeNumber(1, 256))
      .option('--out <file>', 'write the rows to this file instead of standard output')
      .option('--unordered', 'write rows as items end, not in the order of the items')
      .option('--max-failures <n>', 'begin no further item once so many have failed', wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  ).action(act(async () => (await import('./commands/batch.js')).batch));

  program
    .command('lint')
    .description('check workflow, agent and configuration files; without a path, those of the project')
    .argument('[paths...]', 'files, directories or quoted globs')
    .addOption(new Option('--format <format>', 'how findings are printed').choices(['pretty', 'json', 'github']))
    .option('--strict', 'treat warnings as errors')
    .option('--stdin', 'check the text on standard input; a path then only names it')
    .option('--jsonl', 'answer requests {"file", "text"} from standard input, one a line')
    .action(act(async () => (await import('./commands/lint.js')).lint));

  program
    .command('graph')
    .description('print the graph of a workflow')
    .argument('<workflow>', 'a workflow file, or the id of a workflow in .relavium/workflows/')
    .addOption(new Option('--format <format>', 'mermaid text, or the plan as JSON').choices(['mermaid', 'json']))
    .action(act(async () => (await import('./commands/graph.js')).graph));

  program
    .command('eval')
    .description('evaluate one expression or template')
    .argument('[expression]', 'the text; left out with --jsonl')
    .option('--scope <json>', 'an object whose keys are the names that can be read: a file, or JSON')
    .option('--template', 'the text is a template with {{ … }}')
    .option('--jsonl', 'answer requests {"expr" or "template", "scope"} from standard input, one a line')
    .action(act(async () => (await import('./commands/eval.js')).evaluateText));

  program
    .command('schema')
    .description('print the JSON Schema of a kind of file')
    .addArgument(new Argument('<kind>', 'which').choices(['workflow', 'agent', 'config', 'event', 'script']))
    .action(act(async () => (await import('./commands/schema.js')).schema));

  program
    .command('explain')
    .description('explain the code of a finding or of an error; without a code, list them')
    .argument('[code]', 'such as unknown_key')
    .action(act(async () => (await import('./commands/explain.js')).explain));

  const tools = program
    .command('tools')
    .description('what the registry holds, and what it would allow')
    .usage('[options] <command>')
    .helpCommand(false);
  tools
    .command('list')
    .description('list the tools')
    .action(act(async () => (await import('./commands/tools-list.js')).listTools));
  tools
    .command('show')
    .description('what a tool takes and what governs it')
    .argument('<id>', 'tool id')
    .action(act(async () => (await import('./commands/tools-show.js')).showTool));
  tools
    .command('check')
    .description('would this call be allowed? Nothing is done')
    .argument('[id]', 'tool id; left out with --jsonl')
    .option('--args <json>', 'the arguments of the call, as a JSON object')
    .option('--workflow <file>', 'take the policy of this workflow')
    .option('--allow-command <line>', 'allow this exact command; may be repeated', collect)
    .option('--allow-command-glob <pattern>', 'allow commands that match; may be repeated', collect)
    .option('--allow-domain <host>', 'allow this host; may be repeated', collect)
    .option('--resolve <host=ip,…>', 'what a name is to resolve to; nothing is looked up; may be repeated', collect)
    .addOption(new Option('--surface <surface>', 'who asks; a chat has no full tier').choices(['workflow', 'chat']))
    .addOption(
      new Option('--platform <platform>', 'whose paths these are; on another one than this, only their spelling is judged').choices([
        'posix',
        'win32',
      ]),
    )
    .addOption(
      new Option('--tier <tier>', 'how far file tools may reach at most').choices(['sandboxed', 'project', 'full']).default('sandboxed'),
    )
    .option('--root <dir>', 'a further directory that file tools may use with --tier project; may be repeated', collect)
    .option('--jsonl', 'answer requests {"tool", "args", …} from standard input, one a line')
    .action(act(async () => (await import('./commands/tools-check.js')).checkTool));

  program
    .command('mask')
    .description('print a file or standard input with credentials masked')
    .argument('[file]', 'the file; standard input if left out')
    .option('--jsonl', 'answer requests {"text"} from standard input, one a line')
    .action(act(async () => (await import('./commands/mask.js')).maskText));

  program
    .command('doctor')
    .description('what is installed and works here, which keys are set, what killed runs have left; asks no server')
    .action(act(async () => (await import('./commands/doctor.js')).doctor));

  return program;
}

/** What a person grants on the command line, to every command that runs workflows. */
function withGrants(command: Command): Command {
  return command
    .addOption(
      new Option('--tier <tier>', 'how far file tools may reach at most').choices(['sandboxed', 'project', 'full']).default('sandboxed'),
    )
    .option('--root <dir>', 'a further directory that file tools may use with --tier project; may be repeated', collect)
    .option('--model <provider:model>', 'the model of every agent; scripted:FILE answers from a file and needs no key')
    .option(
      '--allow-local <origin>',
      'let agents use a server on this machine or network, such as http://127.0.0.1:11434; may be repeated',
      collect,
    )
    .option('--max-cost <dollars>', 'end before models can cost more than this', dollars);
}

/** Global flags name places that every command relies on. */
function missingPlace(cli: Cli): Problem | undefined {
  if (statSync(cli.cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    return { message: `--cwd: there is no directory ${cli.cwd}`, next: 'Make it first, or name another one.' };
  if (cli.configFile !== undefined && statSync(cli.configFile, { throwIfNoEntry: false })?.isFile() !== true) {
    return {
      message: `--config: there is no file ${cli.configFile}`,
      next: 'Check the path; it is relative to the working directory, or to --cwd.',
    };
  }
  return undefined;
}

function createCli(options: GlobalOptions): Cli {
  const cwd = resolve(options.cwd ?? '.');
  return {
    stdin: process.stdin,
    out: createSink(process.stdout, options.color, process.env),
    err: createSink(process.stderr, options.color, process.env),
    env: process.env,
    cwd,
    ...(options.config === undefined ? {} : { configFile: resolve(cwd, options.config) }),
    json: options.json === true,
    quiet: options.quiet === true,
    verbose: options.verbose === true,
  };
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return value;
  };
}

function seconds(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0) throw new InvalidArgumentError('It must be a number of seconds above 0.');
  return value;
}

function dollars(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0) throw new InvalidArgumentError('It must be an amount of dollars above 0, such as 0.50.');
  return value;
}
