import { ModelError } from '@relavium/engine';
import { type LineRepair, type RepairedLines, repairLines } from './repaired-lines.js';

/** Far more than any model says in one answer. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** What a server says of a failure is quoted by a few hundred characters. */
const MAX_FAILURE_BYTES = 256 * 1024;

/**
 * `fetch` whose answers have an end: a server that never stops costs the run the call and not the memory of the process. What is too much
 * of a good answer is `ModelError` `provider_error`; of a failure the beginning is enough. Event streams are repaired on their way.
 */
export function boundedAnswers(fetch: typeof globalThis.fetch, newRepair?: () => LineRepair): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const isStream = headers.get('content-type')?.includes('text/event-stream') === true;
    const lines = isStream && newRepair !== undefined ? repairLines(newRepair()) : undefined;
    const body = response.ok
      ? bounded(response.body, lines, MAX_ANSWER_BYTES, tooMuch)
      : bounded(response.body, lines, MAX_FAILURE_BYTES, undefined);
    return new Response(body, { status, statusText, headers });
  };
}

function tooMuch(): ModelError {
  return new ModelError('provider_error', `the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
}

/** One stream that is pulled, which costs half of what a pipe does. Without `excess` what is too much is left out. */
function bounded(
  body: ReadableStream<Uint8Array>,
  lines: RepairedLines | undefined,
  limit: number,
  excess: (() => Error) | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = limit;
  return new ReadableStream(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          const isTooMuch = !done && value.byteLength > left;
          if (isTooMuch && excess !== undefined) {
            void reader.cancel().catch(() => undefined);
            return controller.error(excess());
          }
          const chunk = done ? undefined : value.subarray(0, left);
          left -= chunk?.byteLength ?? 0;
          const given = lines === undefined ? chunk : chunk === undefined ? lines.rest() : lines.take(chunk);
          if (given !== undefined && given.byteLength > 0) controller.enqueue(given);
          const isOver = isTooMuch || lines?.isOver() === true;
          if (isOver) void reader.cancel().catch(() => undefined);
          if (done || isOver) return controller.close();
          if (given !== undefined) return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
