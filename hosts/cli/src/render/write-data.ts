import { showControls } from '@relavium/engine';
import type { Sink } from '../cli.js';
import { jsonText } from './outputs.js';

/** Text that may hold anything: as it is for files and pipes; in a terminal control characters are shown, not sent. */
export function writeData(sink: Sink, text: string): void {
  sink.write(sink.isTerminal ? showControls(text) : text);
}

/** A value as one line of JSON. Keys whose value is `undefined` are left out. */
export function writeRecord(sink: Sink, record: object): void {
  writeData(sink, `${JSON.stringify(record)}\n`);
}

/** A value as JSON for people. */
export function writeJson(sink: Sink, value: unknown): void {
  writeData(sink, jsonText(value));
}
