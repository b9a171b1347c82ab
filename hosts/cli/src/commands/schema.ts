import { schemaDocuments } from '@relavium/schemas/documents';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { jsonText } from '../render/outputs.js';

export function schema(cli: Cli, kind: keyof typeof schemaDocuments): number {
  cli.out.write(cli.json ? `${JSON.stringify(schemaDocuments[kind])}\n` : jsonText(schemaDocuments[kind]));
  return exitCode.done;
}
