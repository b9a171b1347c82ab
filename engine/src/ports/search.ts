import type { WebSearchArguments } from '@relavium/schemas/tools';
import type { CallContext } from './call-context.js';

/** Searches the web through the service that the author names. */
export interface Search {
  search(request: WebSearchArguments, call: CallContext): Promise<readonly SearchResult[]>;
}

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}
