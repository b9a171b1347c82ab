import { ALPHANUMERIC, type Alphabet, DOTTED, HEXADECIMAL, type Run, runOf, UPPER_ALPHANUMERIC, URL_SAFE } from './alphabet.js';
import type { Span } from './span.js';

/** Tokens that issuers mark by a prefix. The prefixes and lengths are those that the issuers document for secret scanning. */
export function tokenFamilies(text: string): Span[] {
  const spans: Span[] = [];
  /** For a family whose tokens have something that a run lacks: where that run ends. No other part of it can be such a token. */
  const lacking = new Map<Family, number>();
  PREFIXES.lastIndex = 0;
  for (let hit = PREFIXES.exec(text); hit !== null; hit = PREFIXES.exec(text)) {
    const bodyStart = hit.index + hit[0].length;
    const family = FAMILIES.find(({ prefix }) => prefix.test(hit![0]))!;
    if (bodyStart < (lacking.get(family) ?? 0)) continue;
    const run = runOf(text, bodyStart, family.alphabet);
    const isToken = family.isToken?.(run) !== false;
    if (!isToken) lacking.set(family, run.end);
    if (!isToken || run.count < family.min) continue;
    // What is glued to a token is taken for a part of it.
    const word = runOf(text, bodyStart, URL_SAFE);
    const whole = word.end > run.end ? word : run;
    spans.push({ start: hit.index, end: whole.end });
    PREFIXES.lastIndex = whole.lastLine > whole.start ? whole.lastLine : whole.end;
  }
  return spans;
}

interface Family {
  /** Matches the whole prefix. */
  readonly prefix: RegExp;
  readonly alphabet: Alphabet;
  /** Characters after the prefix, at least. */
  readonly min: number;
  readonly isToken?: (run: Run) => boolean;
}

const isMixed = (run: Run): boolean => run.hasDigitOrUpper;

/** Prefixes that no other text has: what stands before them does not matter. */
const DISTINCT: readonly Family[] = [
  family('gh[pousr]_', ALPHANUMERIC, 20),
  family('github_pat_', URL_SAFE, 20),
  family('gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-', URL_SAFE, 16),
  family('xox[a-z](?:\\.xox[a-z])?-', URL_SAFE, 10, isMixed),
  family('[srp]k_(?:live|test)_', ALPHANUMERIC, 16),
  family('AIza', URL_SAFE, 30),
  family('npm_', ALPHANUMERIC, 30),
  family('pypi-AgE', URL_SAFE, 16),
  family('dckr_(?:pat|oat)_', URL_SAFE, 20),
  family('AGE-SECRET-KEY-1', UPPER_ALPHANUMERIC, 50),
];

/** Prefixes that are also the end of words: these begin a word. */
const AT_WORD: readonly Family[] = [
  family('xapp-', URL_SAFE, 16, isMixed),
  // OpenAI and Anthropic bodies have hyphens, and so have ordinary words after "sk-".
  family('sk-', URL_SAFE, 20, isMixed),
  family('whsec_', ALPHANUMERIC, 20),
  family('ya29\\.', DOTTED, 20),
  family('GOCSPX-', URL_SAFE, 20),
  family('(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AIPA|ANPA|ANVA|AROA)', UPPER_ALPHANUMERIC, 16),
  family('rubygems_', HEXADECIMAL, 32),
  family('do[opr]_v1_', HEXADECIMAL, 32),
  family('hv[sbr]\\.', URL_SAFE, 20),
  family('ntn_', ALPHANUMERIC, 30),
  family('hf_', ALPHANUMERIC, 30),
  family('gsk_', ALPHANUMERIC, 30),
  family('xai-', ALPHANUMERIC, 40),
  family('pplx-', ALPHANUMERIC, 32),
  family('r8_', ALPHANUMERIC, 30),
  family('SG\\.', DOTTED, 32),
  family('SK', HEXADECIMAL, 32),
  family('key-', HEXADECIMAL, 32),
  family('dapi', HEXADECIMAL, 32),
  family('shp(?:at|ca|pa|ss)_', HEXADECIMAL, 32),
  family('sq0(?:atp|csp)-', URL_SAFE, 20),
  family('lin_(?:api|oauth)_', ALPHANUMERIC, 30),
  family('sbp_', HEXADECIMAL, 32),
  family('gl(?:sa|c)_', URL_SAFE, 30),
  family('sntry[su]_', URL_SAFE, 30),
  family('pscale_(?:tkn|pw|oauth)_', DOTTED, 30),
  family('PMAK-', URL_SAFE, 30),
  family('NRAK-', UPPER_ALPHANUMERIC, 27),
  family('ATATT3', URL_SAFE, 40),
  family('tskey-', URL_SAFE, 20),
  family('figd_', URL_SAFE, 30),
  family('dp\\.(?:pt|st|ct|sa|scim|audit)\\.', DOTTED, 30),
  family('nfp_', ALPHANUMERIC, 30),
  family('eyJ', DOTTED, 20, (run) => run.hasDot),
];

const FAMILIES: readonly Family[] = [...DISTINCT, ...AT_WORD];

const PREFIXES = new RegExp(`${anyOf(DISTINCT)}|(?<![A-Za-z0-9])${anyOf(AT_WORD)}`, 'gu');

function anyOf(families: readonly Family[]): string {
  return `(?:${families.map(({ prefix }) => prefix.source.slice(1, -1)).join('|')})`;
}

function family(prefix: string, alphabet: Alphabet, min: number, isToken?: (run: Run) => boolean): Family {
  const whole = new RegExp(`^${prefix}$`, 'u');
  return isToken === undefined ? { prefix: whole, alphabet, min } : { prefix: whole, alphabet, min, isToken };
}
