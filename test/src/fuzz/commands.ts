import { builtinTools, createRegistry, type JsonObject } from '@relavium/engine';
import fc from 'fast-check';
import { checked } from './checked.js';
import type { FuzzRequest, FuzzResult } from './request.js';

/** Random commands against random allowlists: the registry says what a reading of the rules as simple as can be says. */
export async function fuzzCommands(request: FuzzRequest): Promise<FuzzResult> {
  const counts = { runs: 0, allowed: 0, denied: 0 };
  const property = fc.asyncProperty(
    vector,
    fc.array(vector, { maxLength: 3 }),
    fc.array(glob, { maxLength: 3 }),
    async (words, lists, globs) => {
      const policy = { allowedCommands: lists, allowedCommandGlobs: globs, allowedDomains: [], fsScope: 'sandboxed' } as const;
      const registry = createRegistry({
        tools: builtinTools,
        policy,
        host: { process: { run: () => Promise.reject(new Error('not run')) } },
      });
      const [command = '', ...args] = words;
      const { decision } = await registry.check({
        tool: 'run_command',
        caller: 'agent',
        granted: ['run_command'],
        modelArgs: { command, args } as JsonObject,
        mapped: {},
        config: {},
        context: { node: 'fuzz', attempt: 1, signal: new AbortController().signal },
      });
      const wanted = isAllowed(words, lists, globs);
      counts.runs++;
      counts[wanted ? 'allowed' : 'denied']++;
      if ((decision === 'allow') !== wanted) throw new Error(`the registry says ${decision}, the rules say ${wanted ? 'allow' : 'deny'}`);
    },
  );
  return checked(request, property, counts);
}

const word = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'b', 'ab', '--x', '*', '?') },
  { weight: 1, arbitrary: fc.constantFrom('a b', 'a\nb', 'a\tb', 'a\0', '', '\u00a0', 'A') },
);
const vector = fc.array(word, { minLength: 1, maxLength: 3 });
const glob = fc
  .array(fc.constantFrom('a', 'b', 'ab', ' ', '*', '?', '**', '.', '[ab]', '\n'), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''));

function isAllowed(words: readonly string[], lists: readonly (readonly string[])[], globs: readonly string[]): boolean {
  if (words[0] === '' || words.some((each) => each.includes('\0'))) return false;
  if (lists.some((list) => list.length === words.length && list.every((each, at) => each === words[at]))) return true;
  return !words.some((each) => /\s/u.test(each)) && globs.some((each) => matches(each, words.join(' ')));
}

/** By trying every way to read the stars. */
function matches(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  const rest = pattern.slice(1);
  const isPlain = text !== '' && !/[\u0000-\u001f\u007f-\u009f]/u.test(text[0]!);
  if (pattern[0] === '*') return matches(rest, text) || (isPlain && matches(pattern, text.slice(1)));
  if (pattern[0] === '?') return isPlain && matches(rest, text.slice(1));
  return text[0] === pattern[0] && matches(rest, text.slice(1));
}
