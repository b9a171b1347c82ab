import { realpathSync } from 'node:fs';
import type { SourceText } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { done, type Outcome } from '../problem.js';
import { shownPath } from './open-project.js';
import { readText } from './read-text.js';

/** A file as compile takes it. `path` is absolute. */
export function readSource(cli: Cli, path: string, named: string): Outcome<SourceText> {
  const text = readText(path, named);
  return text.ok ? done({ path: shownPath(cli, path), text: text.value }) : text;
}
