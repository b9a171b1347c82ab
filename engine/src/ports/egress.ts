import type { HttpRequestArguments } from '@relavium/schemas/tools';
import type { Json } from '../json.js';
import type { CallContext } from './call-context.js';

/** Fetches over HTTPS. Addresses are judged where the connection is made, on every hop; a refusal is `tool_denied address_blocked`. */
export interface Egress {
  /** Resolves for every status. */
  request(request: HttpRequestArguments, call: CallContext): Promise<HttpAnswer>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  /** Parsed where the content type is JSON. */
  readonly body: Json;
}
