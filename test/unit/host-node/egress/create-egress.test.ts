import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostError } from '../../../../engine/src/index.js';
import { createEgress, type EgressOptions, type NodeEgress } from '../../../../hosts/node/src/egress/create-egress.js';

interface Seen {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let servers: Server[] = [];
let egress: NodeEgress | undefined;
beforeEach(() => {
  servers = [];
});
afterEach(async () => {
  await egress?.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Redirects what starts with `/to/STATUS/` to the rest, and answers all else. */
async function serve(seen: Seen[], target = ''): Promise<number> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ path: request.url ?? '', method: request.method ?? '', headers: request.headers, body });
    const redirect = /^\/to\/(\d+)(\/.*)$/.exec(request.url ?? '');
    if (redirect === null) response.end('here');
    else response.writeHead(Number(redirect[1]), { location: target + redirect[2] }).end('elsewhere');
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const open = (options: EgressOptions) => {
  egress = createEgress(options);
  return egress;
};

async function refusalOf(promise: Promise<unknown>): Promise<HostError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HostError);
  return error as HostError;
}

describe('the way out', () => {
  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'data:text/plain,hello',
    'blob:https://example.com/0',
    'https://someone@example.com/',
    'https://someone:word@example.com/',
  ])('refuses %s as insecure before anything is looked up', async (url) => {
    const asked: string[] = [];
    const { fetch } = open({
      allowLocal: [],
      resolve: async (name) => {
        asked.push(name);
        return ['93.184.216.34'];
      },
    });
    expect(await refusalOf(fetch(url))).toMatchObject({ code: 'tool_denied', reason: 'insecure_url' });
    expect(asked).toEqual([]);
  });

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://metadata.google.internal/',
    'https://metadata.google.internal./',
  ])('refuses %s though nothing has to be looked up for it', async (url) => {
    const { fetch } = open({ allowLocal: [] });
    expect(await refusalOf(fetch(url))).toMatchObject({ code: 'tool_denied', reason: 'address_blocked' });
  });

  it.each([[['127.0.0.1']], [['93.184.216.34', '10.0.0.9']], [['93.184.216.34', '::ffff:a00:5']], [['::7f00:1']], [['0.0.0.0']]])(
    'refuses a name that stands for %j',
    async (addresses) => {
      const { fetch } = open({ allowLocal: [], resolve: async () => addresses });
      expect(await refusalOf(fetch('https://api.example.com/'))).toMatchObject({ code: 'tool_denied', reason: 'address_blocked' });
    },
  );

  it('connects to the addresses that it has judged, by one look-up a connection', async () => {
    const seen: Seen[] = [];
    const port = await serve(seen);
    let lookups = 0;
    const resolve = async () => (lookups++ === 0 ? ['127.0.0.1'] : ['93.184.216.34']);
    const { fetch } = open({ allowLocal: [`http://own.test:${port}`], resolve });
    expect(await (await fetch(`http://own.test:${port}/a`)).text()).toBe('here');
    expect(lookups).toBe(1);
  });

  it('takes an allowed origin to the letter, and only to this machine or a private network', async () => {
    const seen: Seen[] = [];
    const port = await serve(seen);
    const { fetch } = open({
      allowLocal: [`http://127.0.0.1:${port}`, 'http://public.test', 'http://[fd00:ec2::254]', 'http://169.254.169.254'],
      resolve: async () => ['93.184.216.34'],
    });
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    expect(await refusalOf(fetch(`http://localhost:${port}/`))).toMatchObject({ reason: 'insecure_url' });
    expect(await refusalOf(fetch(`http://127.0.0.1:${port + 1}/`))).toMatchObject({ reason: 'insecure_url' });
    for (const url of ['http://public.test/', 'http://[fd00:ec2::254]/', 'http://169.254.169.254/'])
      expect(await refusalOf(fetch(url))).toMatchObject({ reason: 'address_blocked' });
    expect(seen).toHaveLength(1);
  });

  it('fails like any network where a name has no address', async () => {
    const { fetch } = open({ allowLocal: [], resolve: async () => [] });
    await expect(fetch('https://nowhere.test/')).rejects.toMatchObject({ cause: { code: 'ENOTFOUND' } });
  });

  it('follows a redirect of the same server with its headers, and a method as fetch does', async () => {
    const seen: Seen[] = [];
    const port = await serve(seen);
    const { fetch } = open({ allowLocal: [`http://127.0.0.1:${port}`] });
    const init = { method: 'POST', body: '{}', headers: { 'x-api-key': 'banana', 'content-type': 'application/json' } };
    for (const status of [301, 303, 307]) await fetch(`http://127.0.0.1:${port}/to/${status}/next`, init);
    expect(seen.filter(({ path }) => path === '/next')).toMatchObject([
      { method: 'GET', body: '', headers: { 'x-api-key': 'banana' } },
      { method: 'GET', body: '', headers: { 'x-api-key': 'banana' } },
      { method: 'POST', body: '{}', headers: { 'x-api-key': 'banana', 'content-type': 'application/json' } },
    ]);
    expect(seen.find(({ method, path }) => path === '/next' && method === 'GET')?.headers).not.toHaveProperty('content-type');
  });

  it('takes no header that may hold a key to another origin', async () => {
    const seen: Seen[] = [];
    const second = await serve(seen);
    const first = await serve([], `http://127.0.0.1:${second}`);
    const { fetch } = open({ allowLocal: [`http://127.0.0.1:${first}`, `http://127.0.0.1:${second}`] });
    const headers = {
      authorization: 'Bearer banana',
      cookie: 'a=1',
      'x-api-key': 'banana',
      'x-goog-api-key': 'banana',
      accept: 'text/plain',
    };
    await fetch(`http://127.0.0.1:${first}/to/307/next`, { headers });
    expect(JSON.stringify(seen)).not.toContain('banana');
    expect(seen[0]?.headers).toMatchObject({ accept: 'text/plain' });
    expect(seen[0]?.headers).not.toHaveProperty('cookie');
  });

  it.each(['http://169.254.169.254', 'https://127.0.0.1', 'data:text/plain,x', 'http://example.com'])(
    'judges a redirect to %s anew',
    async (target) => {
      const port = await serve([], target);
      const { fetch } = open({ allowLocal: [`http://127.0.0.1:${port}`] });
      expect(await refusalOf(fetch(`http://127.0.0.1:${port}/to/302/x`))).toMatchObject({ code: 'tool_denied' });
    },
  );

  it('does not follow a redirect to another server where what is sent is for the one that was named', async () => {
    const seen: Seen[] = [];
    const second = `http://127.0.0.1:${await serve(seen)}`;
    const away = `http://127.0.0.1:${await serve([], second)}`;
    const { fetch } = open({ allowLocal: [second, away], redirects: 'same_origin' });
    const init = { method: 'POST', body: 'all of it' };
    expect(await refusalOf(fetch(`${away}/to/307/x`, init))).toMatchObject({ code: 'tool_denied', reason: 'address_blocked' });
    expect(seen).toEqual([]);
    expect(await (await fetch(`${second}/to/307/x`, init)).text()).toBe('here');
  });

  it('gives the redirect itself, fails, or stops after five, as it is told', async () => {
    const port = await serve([]);
    const { fetch } = open({ allowLocal: [`http://127.0.0.1:${port}`] });
    const at = (path: string) => `http://127.0.0.1:${port}${path}`;
    expect((await fetch(at('/to/302/x'), { redirect: 'manual' })).status).toBe(302);
    expect(await refusalOf(fetch(at('/to/302/x'), { redirect: 'error' }))).toMatchObject({ reason: 'redirected' });
    expect((await fetch(at(`${'/to/302'.repeat(5)}/x`))).status).toBe(200);
    expect(await refusalOf(fetch(at(`${'/to/302'.repeat(6)}/x`)))).toMatchObject({ reason: 'redirected' });
  });

  it('takes what fetch takes', async () => {
    const seen: Seen[] = [];
    const port = await serve(seen);
    const { fetch } = open({ allowLocal: [`http://127.0.0.1:${port}`] });
    const url = `http://127.0.0.1:${port}/x`;
    await fetch(new URL(url));
    await fetch(new Request(url, { method: 'PUT', body: 'hello', headers: { 'x-a': '1' } }));
    expect(seen).toMatchObject([{ method: 'GET' }, { method: 'PUT', body: 'hello', headers: { 'x-a': '1' } }]);
    await expect(fetch(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(await refusalOf(fetch('not a url'))).toMatchObject({ code: 'invalid_args' });
  });
});
