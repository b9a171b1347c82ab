import { resolve } from 'node:path';
import { MAX_SOURCE_BYTES, type SourceText } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { done, type Outcome } from '../problem.js';
import { readText } from './read-text.js';

/** A file that a person names, as compile takes it. */
export function readSource(cli: Cli, named: string): Outcome<SourceText> {
  const text = readText(resolve(cli.cwd, named), named, MAX_SOURCE_BYTES);
  return text.ok ? done({ path: named, text: text.value }) : text;
}
