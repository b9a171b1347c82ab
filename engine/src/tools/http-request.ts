import type { JsonObject } from '../json.js';
import type { ToolDef } from '../registry/tool-def.js';
import { builtin } from './builtin.js';

export const httpRequest: ToolDef = builtin('http_request', {
  description:
    'Makes one HTTPS request to a host that the workflow allows and gives status, headers and body. body is at most 1 MiB (1048576 bytes) of UTF-8.',
  policy: 'egress',
  effect: ({ method, idempotency_key }) =>
    method === 'GET' || method === 'HEAD' ? 'none' : idempotency_key === undefined ? 'once' : 'receipt',
  capability: 'egress',
  bounds: [{ kind: 'text_or_json', argument: 'body', maxBytes: 1024 * 1024 }],
  target: ({ url }) => ({ kind: 'url', url }),
  call: async (args, egress, call) => ({ ...(await egress.request(args, call)) }),
  failure(result, { ok_status }) {
    const status = result.status as number;
    if (status < 400 || ok_status?.includes(status) === true) return undefined;
    const retryAfter = (result.headers as JsonObject)['retry-after'];
    return {
      message: `the server answered with status ${status}`,
      details: { status, ...(retryAfter === undefined ? {} : { retryAfter }) },
    };
  },
});
