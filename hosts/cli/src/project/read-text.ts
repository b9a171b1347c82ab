import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { done, type Outcome, problem } from '../problem.js';

/** A file's text, as UTF-8 without its byte order mark. `shown` is how messages name it. */
export function readText(path: string, shown: string, mostBytes: number = Number.POSITIVE_INFINITY): Outcome<string> {
  let descriptor: number | undefined;
  try {
    // Without waiting: opening a pipe that nobody writes to would otherwise block for ever.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) return problem(`${shown} is a directory`, 'Name a file in it.');
    if (!stats.isFile())
      return problem(
        `${shown} is not a regular file`,
        'Copy what it gives into a file, or pipe it into standard input where the command takes that.',
      );
    if (stats.size > mostBytes)
      return problem(
        `${shown} has ${stats.size} bytes; at most ${mostBytes} are read`,
        'Move data out of it into files that a tool reads, or split it.',
      );
    return decode(readFileSync(descriptor), shown);
  } catch (error) {
    return unreadable(error as NodeJS.ErrnoException, shown);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Everything that standard input gives. */
export async function readStandardInput(stdin: NodeJS.ReadStream): Promise<Outcome<string>> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stdin) chunks.push(chunk as Buffer);
  } catch (error) {
    return unreadable(error as NodeJS.ErrnoException, 'standard input');
  }
  return decode(Buffer.concat(chunks), 'standard input');
}

function decode(bytes: Uint8Array, shown: string): Outcome<string> {
  try {
    return done(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return problem(`${shown} is not UTF-8 text`, 'Save it as UTF-8 and try again.');
  }
}

function unreadable(error: NodeJS.ErrnoException, shown: string): Outcome<string> {
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return problem(`there is no file ${shown}`, 'Check the path; it is relative to the working directory, or to --cwd.');
    case 'EACCES':
    case 'EPERM':
      return problem(`${shown} may not be read by this user`, 'Change its permissions, or name another file.');
    case 'EISDIR':
      return problem(`${shown} is a directory`, 'Name a file in it.');
    default:
      return problem(
        `${shown} cannot be read (${error.code ?? 'unknown reason'})`,
        'Check that the path is right and the disk is in order.',
      );
  }
}
