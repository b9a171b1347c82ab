import type { LineRepair } from './repaired-lines.js';

/**
 * For Anthropic's interface, which may send events of new kinds at any time; the package that reads the stream takes one that it
 * does not know for a fault of the whole answer. https://docs.anthropic.com/en/api/versioning
 */
export function messagesRepair(): LineRepair {
  return REPAIR;
}

const KINDS: ReadonlySet<string> = new Set([
  'message_start',
  'message_delta',
  'message_stop',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'ping',
  'error',
]);

const REPAIR: LineRepair = {
  signs: ['data:'],
  repair: (line) => (isKnown(line) ? line : ''),
  isEnd: () => false,
};

/** The event is named in the line before as well, but it is the data that is read. */
function isKnown(line: string): boolean {
  if (!line.startsWith('data:')) return true;
  const kind = /^data:\s*\{\s*"type"\s*:\s*"([a-z_]+)"/u.exec(line)?.[1] ?? kindOf(line);
  return kind === undefined || KINDS.has(kind);
}

function kindOf(line: string): string | undefined {
  try {
    const { type } = JSON.parse(line.slice('data:'.length)) as { readonly type?: unknown };
    return typeof type === 'string' ? type : undefined;
  } catch {
    return undefined;
  }
}
