/** One request of a chain of redirects. */
export interface Hop {
  readonly url: URL;
  readonly init: RequestInit;
}

/** The request that a redirect asks for; undefined if the answer is none. https://fetch.spec.whatwg.org/#http-redirect-fetch */
export function nextHop({ url, init }: Hop, response: Response): Hop | undefined {
  const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
  if (location === null || !URL.canParse(location, url.href)) return undefined;
  const next = new URL(location, url);
  const method = (init.method ?? 'GET').toUpperCase();
  const isDropped = response.status === 303 ? method !== 'GET' && method !== 'HEAD' : response.status < 303 && method === 'POST';
  const isSent = !isDropped && init.body !== undefined && init.body !== null;
  // A stream has been read by now; only bytes that are still there can be sent again.
  if (isSent && typeof init.body !== 'string' && !ArrayBuffer.isView(init.body)) return undefined;
  const headers = keptHeaders(new Headers(init.headers), next.origin === url.origin, isSent);
  const { body, ...rest } = init;
  return { url: next, init: { ...rest, method: isDropped ? 'GET' : method, headers, ...(isSent ? { body: body as string } : {}) } };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Providers take keys in headers of many names, so another origin is given only headers that are known to hold none, rather than all
 * but the ones that are known to hold one.
 */
function keptHeaders(headers: Headers, isSameOrigin: boolean, hasBody: boolean): Headers {
  const kept = new Headers();
  headers.forEach((value, name) => {
    const isOfBody = name.startsWith('content-');
    if (isOfBody ? hasBody : isSameOrigin || HARMLESS.has(name)) kept.set(name, value);
  });
  return kept;
}

const HARMLESS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent']);
