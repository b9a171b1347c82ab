import { createInterface } from 'node:readline';
import type { Json, JsonObject } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { writeRecord } from '../render/write-data.js';

/** Answers one JSON request a line from standard input with one JSON line each, in order. What is no object is answered as such. */
export async function answerLines(cli: Cli, answer: (request: JsonObject) => Promise<object> | object): Promise<number> {
  for await (const line of createInterface({ input: cli.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const request = requestOf(line);
    writeRecord(cli.out, request === undefined ? invalid : await answer(request));
  }
  return exitCode.done;
}

const invalid = { ok: false, code: 'invalid_request', message: 'a request is one JSON object on a line of its own' };

function requestOf(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line.replace(/^\ufeff/, '')) as Json;
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
