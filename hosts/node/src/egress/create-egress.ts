import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { HostError } from '@relavium/engine';
import type { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import { isBlockedAddress, isLocalAddress } from './blocked-address.js';
import { type Hop, nextHop } from './next-hop.js';

export interface EgressOptions {
  /**
   * Origins such as `http://127.0.0.1:11434` that may be reached although they are neither https nor public. Each must resolve to this
   * machine or to a private network; a metadata service stays out of reach.
   */
  readonly allowLocal: readonly string[];
  /** Where redirects may lead. What is sent to a model goes to the server that was named and to no other. Default: `anywhere`. */
  readonly redirects?: 'anywhere' | 'same_origin';
  /** Name → addresses. Default: the resolver of the system. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

/** The way out to the network. */
export interface NodeEgress {
  /**
   * `fetch` that refuses what is neither https nor allowed, and that connects only to addresses which it has judged itself, on every
   * hop. A refusal rejects with `HostError` `tool_denied` and the reason `insecure_url` or `address_blocked`. Redirects are followed
   * unless `redirect` says otherwise; on a change of origin nothing but harmless headers goes along.
   */
  readonly fetch: typeof fetch;
  /** Ends the kept connections. */
  close(): Promise<void>;
}

export function createEgress({ allowLocal, redirects = 'anywhere', resolve = systemAddresses }: EgressOptions): NodeEgress {
  const local = new Set(allowLocal.map(originOf));
  let opened: Promise<Network> | undefined;
  const network = () => {
    opened ??= openNetwork(local, resolve);
    return opened;
  };
  return {
    async fetch(input, init) {
      const { fetch, dispatcher } = await network();
      let hop = firstHop(input, init);
      for (let hops = 0; ; hops++) {
        checkUrl(hop.url, local);
        const response = await once(fetch, dispatcher, hop);
        if (hop.init.redirect === 'manual') return response;
        const next = nextHop(hop, response);
        if (next === undefined) return response;
        await response.body?.cancel();
        if (hop.init.redirect === 'error' || hops === MAX_HOPS)
          throw new HostError('tool_failed', 'redirected', `${hop.url.host} redirects where that is not expected`);
        if (redirects === 'same_origin' && next.url.origin !== hop.url.origin)
          throw new HostError(
            'tool_denied',
            'address_blocked',
            `${hop.url.host} redirects to another server, ${next.url.host || next.url.protocol}`,
          );
        hop = next;
      }
    },
    async close() {
      await (await opened)?.dispatcher.close();
    },
  };
}

const MAX_HOPS = 5;

interface Network {
  readonly fetch: typeof undiciFetch;
  readonly dispatcher: Agent;
}

/** Loaded when the first request is made: most commands make none. */
async function openNetwork(local: ReadonlySet<string>, resolve: Resolve): Promise<Network> {
  // A CommonJS module: `default` is what it exports, bundled or not.
  const { Agent, buildConnector, fetch } = (await import('undici')).default;
  const toPublic = buildConnector({ lookup: checkedLookup(resolve, (address) => !isBlockedAddress(address)) } as ConnectorOptions);
  const toLocal = buildConnector({ lookup: checkedLookup(resolve, isLocalAddress) } as ConnectorOptions);
  const connect: buildConnector.connector = (options, callback) => {
    const isLocal = local.has(`${options.protocol}//${options.host}`);
    const literal = options.hostname.replace(/^\[|\]$/g, '');
    // A host that is written as an address is connected to without a look-up, so the check in there would never run.
    if (isIP(literal) !== 0 && !(isLocal ? isLocalAddress(literal) : !isBlockedAddress(literal))) {
      callback(blocked(literal), null);
      return;
    }
    (isLocal ? toLocal : toPublic)(options, callback);
  };
  return { fetch, dispatcher: new Agent({ connect }) };
}

type Resolve = NonNullable<EgressOptions['resolve']>;
type ConnectorOptions = buildConnector.BuildOptions;
type Answer = (error: Error | null, address: string | { address: string; family: number }[], family?: number) => void;

/**
 * Looks a name up, judges all that it stands for, and hands these very addresses to the socket: there is no second look-up whose answer
 * could differ. One forbidden address refuses the name.
 */
function checkedLookup(resolve: Resolve, isAllowed: (address: string) => boolean) {
  return (hostname: string, options: { readonly all?: boolean }, answer: Answer): void => {
    resolve(hostname).then(
      (found) => {
        const addresses = found.map((address) => ({ address, family: isIP(address) }));
        const [first] = addresses;
        if (first === undefined) answer(Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' }), '');
        else if (!found.every(isAllowed)) answer(blocked(hostname), '');
        else if (options.all === true) answer(null, addresses);
        else answer(null, first.address, first.family);
      },
      (error: Error) => answer(error, ''),
    );
  };
}

async function systemAddresses(hostname: string): Promise<readonly string[]> {
  return (await systemLookup(hostname, { all: true })).map(({ address }) => address);
}

function firstHop(input: string | URL | Request, init: RequestInit = {}): Hop {
  if (typeof input === 'string' || input instanceof URL) return { url: urlOf(input), init };
  const { method, headers, body, signal, redirect } = input;
  return {
    url: urlOf(input.url),
    init: { method, headers, body, signal, redirect, ...(body === null ? {} : { duplex: 'half' }), ...init },
  };
}

function urlOf(asked: string | URL): URL {
  const text = String(asked);
  if (!URL.canParse(text)) throw new HostError('invalid_args', 'insecure_url', 'this is no absolute URL');
  return new URL(text);
}

/** Addresses are judged where the connection is made; this judges what a URL says by itself. */
function checkUrl(url: URL, local: ReadonlySet<string>): void {
  if (url.username !== '' || url.password !== '') throw insecure(`the URL of ${url.host} holds a user name or password`);
  if (METADATA_NAMES.has(url.hostname.replace(/\.$/, ''))) throw blocked(url.hostname);
  if (url.protocol !== 'https:' && !local.has(url.origin))
    throw insecure(
      url.protocol === 'http:'
        ? `${url.origin} is not https. A server of your own is allowed by --allow-local ${url.origin}`
        : `${url.protocol} is not https`,
    );
}

const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
]);

async function once(fetch: Network['fetch'], dispatcher: Agent, { url, init }: Hop): Promise<Response> {
  try {
    return (await fetch(url, { ...init, redirect: 'manual', dispatcher } as Parameters<typeof fetch>[1])) as unknown as Response;
  } catch (error) {
    const cause = (error as { readonly cause?: unknown }).cause;
    throw cause instanceof HostError ? cause : error;
  }
}

/** The spelling in which origins are compared: lower case, without the default port. */
function originOf(text: string): string {
  const { origin } = new URL(text);
  return origin;
}

function insecure(message: string): HostError {
  return new HostError('tool_denied', 'insecure_url', message);
}

function blocked(host: string): HostError {
  return new HostError('tool_denied', 'address_blocked', `${host} is no public address, or has one that is not`);
}
