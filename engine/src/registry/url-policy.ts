import { clip } from '../masking/clip.js';
import { mask } from '../masking/mask.js';
import type { EffectivePolicy } from './effective-policy.js';
import { remedyFor } from './remedy.js';
import type { Denial } from './tool-error.js';

/** Judges scheme and host of a URL; addresses are for the host to judge when it connects. `undefined`: allowed. */
export function judgeUrl(url: string, policy: EffectivePolicy): Denial | undefined {
  const value = clip(mask(url), 500);
  if (!/^https:\/\//iu.test(url)) {
    return { reason: 'insecure_url', message: 'only https: URLs are fetched', rule: 'https only', source: 'built_in', value };
  }
  const origin = originOf(url);
  if (origin === undefined) {
    const message = 'the URL must name its host in ASCII, without credentials, and hold no blank or control character';
    return { reason: 'domain_not_allowed', message, rule: 'exact host', source: 'built_in', value };
  }
  for (let layer: EffectivePolicy | undefined = policy; layer !== undefined; layer = layer.within) {
    if (layer.allowedDomains.some((domain) => domain.toLowerCase() === origin)) continue;
    const owner = layer === policy ? 'the workflow' : 'the calling workflow';
    const message =
      layer.allowedDomains.length === 0
        ? `${owner} lists no host in tools.allowedDomains`
        : `${origin} is not in tools.allowedDomains of ${owner}`;
    return {
      reason: 'domain_not_allowed',
      message,
      rule: 'tools.allowedDomains',
      source: layer === policy ? 'workflow' : 'calling_workflow',
      value,
      remedy: remedyFor({ kind: 'domain', host: origin }),
    };
  }
  return undefined;
}

/**
 * Host in lower case, with the port unless it is 443. Stricter than a URL parser on purpose: what a parser would repair (blanks,
 * backslashes, other alphabets) could be read as another host further on, and is refused instead.
 */
function originOf(url: string): string | undefined {
  if (/[\s\p{Cc}\\]/u.test(url)) return undefined;
  const match = /^https:\/\/([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?(?=[/?#]|$)/iu.exec(url);
  if (match === null) return undefined;
  const host = match[1]!.toLowerCase().replace(/\.$/u, '');
  const port = match[2] === undefined ? 443 : Number(match[2]);
  if (host === '' || host.startsWith('.') || host.includes('..') || port > 65_535) return undefined;
  return port === 443 ? host : `${host}:${port}`;
}
