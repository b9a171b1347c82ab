import { APICallError } from '@ai-sdk/provider';
import { clip, HostError, ModelError, type ModelErrorCode, mask, showControls } from '@relavium/engine';
import { retryAfterMs } from './retry-after.js';

export interface FailureContext {
  /** The provider and its model, for the message. */
  readonly provider: string;
  readonly model: string;
  /** Instant against which dates of the server are read. */
  readonly now: number;
  /** Values that no message may show. */
  readonly secrets: readonly string[];
}

/** Whatever went wrong with a provider, as the one error that the engine knows. */
export function providerFailure(error: unknown, context: FailureContext): ModelError {
  const own = causes(error).find((cause) => cause instanceof ModelError);
  if (own !== undefined) return own;
  const refusal = causes(error).find((cause) => cause instanceof HostError);
  if (refusal !== undefined) {
    const code = refusal.code === 'tool_denied' ? 'tool_denied' : 'provider_error';
    return new ModelError(code, `${context.provider}: ${refusal.message}`, { cause: error });
  }
  const answer = answerOf(error);
  if (answer === undefined) return unanswered(error, context);

  const code = codeOf(answer);
  const pause = retryAfterMs(answer.headers, context.now);
  return new ModelError(code, sentence(code, answer, pause, context), {
    ...(answer.isHttp ? { status: answer.status } : {}),
    ...(pause === undefined ? {} : { retryAfterMs: pause }),
    cause: error,
  });
}

/** What a server said about a failure. */
interface Answer {
  /** Of the answer, or what its error stands for where it came inside a stream that had begun well. */
  readonly status: number;
  readonly isHttp: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Machine words such as `context_length_exceeded`. */
  readonly words: string;
  readonly text: string;
}

function answerOf(error: unknown): Answer | undefined {
  if (APICallError.isInstance(error)) {
    // A good answer that broke off half-way is reported with its good status.
    if (error.statusCode === undefined || error.statusCode < 300) return undefined;
    const body = recordOf(error.responseBody);
    const said = detailsOf(body);
    // Anthropic's package gives an error that came as the first event of a good answer a status of its own; only there the error object
    // stands without an envelope.
    const isMadeUp = body?.error === undefined && typeof body?.type === 'string' && body.type.endsWith('_error');
    const status = isMadeUp ? statusOfWords(said.words) : error.statusCode;
    return { ...said, status, isHttp: true, headers: error.responseHeaders ?? {} };
  }
  const record = recordOf(error);
  if (error instanceof Error || record === undefined) return undefined;
  const said = detailsOf(record);
  const stated = [record.statusCode, record.status, record.code].map(Number).find((number) => number >= 400 && number <= 599);
  return { ...said, status: stated ?? statusOfWords(said.words), isHttp: false, headers: {} };
}

/** Providers nest an error's type, code and message under `error`, or do not. */
function detailsOf(record: Record<string, unknown> | undefined): { readonly words: string; readonly text: string } {
  const inner = recordOf(record?.error) ?? record ?? {};
  const words = [inner.type, inner.code, inner.status].filter((word) => typeof word === 'string').join(' ');
  const text = [inner.message, record?.message, record?.error, record?.detail].find((one) => typeof one === 'string');
  return { words: words.toLowerCase(), text: typeof text === 'string' ? text : '' };
}

/** Words of error objects → the status that says the same. The first that fits counts. */
const WORDS: readonly (readonly [RegExp, number])[] = [
  [/rate_limit|insufficient_quota|too_many_requests|resource_exhausted/, 429],
  [/overloaded|server_error|api_error|internal|timeout|unavailable/, 503],
  [/authentication|invalid_api_key|permission|unauthorized|unauthenticated/, 401],
  [/context_length|content_filter|content_policy|invalid|not_found|too_large/, 400],
];

function statusOfWords(words: string): number {
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 503;
}

function codeOf({ status, words, text }: Answer): ModelErrorCode {
  if (status === 401 || status === 403 || BAD_KEY.test(text)) return 'provider_auth';
  if (status === 429) return 'provider_rate_limit';
  if (status === 408 || status === 409 || status >= 500) return 'provider_unavailable';
  if (words.includes('context_length') || status === 413 || TOO_LONG.test(text)) return 'context_overflow';
  if (/content_(filter|policy)|safety/.test(words)) return 'content_filter';
  return 'provider_error';
}

/** Google answers 400 to a key that is none. */
const BAD_KEY = /^api key (not valid|expired)/i;

/** How the vendors and the common servers say that the conversation is longer than the model takes. They have no shared code for it. */
const TOO_LONG =
  /maximum context length|context (length|window|size)|prompt is too long|input is too long|input token count|too many (input )?tokens|exceeds? the (model's )?(maximum|available)|reduce the length/i;

function sentence(code: ModelErrorCode, answer: Answer, pause: number | undefined, { provider, model, secrets }: FailureContext): string {
  const who = `${provider} (${model})`;
  const status = answer.isHttp ? `HTTP ${answer.status}` : 'an error in the stream';
  switch (code) {
    case 'provider_auth':
      return `${who} refused the key: ${status}`;
    case 'provider_rate_limit':
      return `${who} limits the rate of calls: ${status}${pause === undefined ? '' : `, asks for a pause of ${pause / 1000} s`}`;
    case 'provider_unavailable':
      return `${who} cannot answer at the moment: ${status}`;
    case 'context_overflow':
      return `the conversation is longer than ${who} takes: ${status}`;
    case 'content_filter':
      return `${who} refused the content: ${status}`;
    default: {
      const words = spoken(answer.text, secrets);
      return `${who} did not accept the request: ${status}${words === '' ? '' : `: ${words}`}`;
    }
  }
}

/** What the server says about a request of ours is the one thing that helps to mend it; it may repeat what it was sent. */
function spoken(text: string, secrets: readonly string[]): string {
  const hidden = secrets.reduce((shown, secret) => (secret.length < 4 ? shown : shown.replaceAll(secret, '***')), text.slice(0, 4000));
  return clip(showControls(mask(hidden), 'log_line'), 300);
}

/** There was no answer, or one that broke off, or one that is not in the provider's format. */
function unanswered(error: unknown, { provider, model }: FailureContext): ModelError {
  const who = `${provider} (${model})`;
  const chain = causes(error);
  const code = chain.map((cause) => (cause as { readonly code?: unknown }).code).find((one) => typeof one === 'string' && CODE.test(one));
  const names = new Set(chain.map((cause) => cause.name));
  if (FORMAT.some((name) => names.has(name)))
    return new ModelError('provider_unavailable', `the answer of ${who} broke off or is not in its format`, { cause: error });
  if (code !== undefined || error instanceof TypeError || APICallError.isInstance(error))
    return new ModelError('provider_unavailable', `the connection to ${who} failed${code === undefined ? '' : `: ${code}`}`, {
      cause: error,
    });
  return new ModelError('provider_error', `the request could not be put into the format of ${who}`, { cause: error });
}

/** Codes of the system and of the HTTP client, such as ECONNREFUSED and UND_ERR_SOCKET. */
const CODE = /^[A-Z][A-Z0-9_]{2,40}$/;

const FORMAT = ['AI_InvalidResponseDataError', 'AI_JSONParseError', 'AI_TypeValidationError', 'AI_EmptyResponseBodyError'];

/** The error and what caused it, at most a few steps down. */
function causes(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < 8; cause = cause.cause) chain.push(cause);
  return chain;
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return undefined;
  try {
    return recordOf(JSON.parse(value));
  } catch {
    return undefined;
  }
}
