import { ModelError } from '@relavium/engine';

/** Far more than any model says in one answer. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** What a server says of a failure is quoted by a few hundred characters. */
const MAX_FAILURE_BYTES = 256 * 1024;

/**
 * `fetch` whose answers have an end: a server that never stops costs the run the call and not the memory of the process. What is too much
 * of a good answer is `ModelError` `provider_error`; of a failure the beginning is enough.
 */
export function boundedAnswers(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const body = response.ok ? bounded(response.body, MAX_ANSWER_BYTES, tooMuch) : bounded(response.body, MAX_FAILURE_BYTES, undefined);
    return new Response(body, { status, statusText, headers });
  };
}

function tooMuch(): ModelError {
  return new ModelError('provider_error', `the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
}

/** A stream that is pulled costs half of what a pipe does. Without `excess` what is too much is left out. */
function bounded(body: ReadableStream<Uint8Array>, limit: number, excess: (() => Error) | undefined): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = limit;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        if (value.byteLength <= left) {
          left -= value.byteLength;
          return controller.enqueue(value);
        }
        void reader.cancel().catch(() => undefined);
        if (excess !== undefined) return controller.error(excess());
        controller.enqueue(value.subarray(0, left));
        controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
