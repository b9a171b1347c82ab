import { mask } from '@relavium/engine';
import { judged } from '../figure.js';
import { callByCall } from '../measure.js';
import type { Section } from '../sections.js';

const MB = 1_000_000;

const PLAIN = 'The build of module core took 1.2 s, 14 files were checked, see src/index.ts:12 and https://example.com/docs?page=2\n';
const HOSTILE: Readonly<Record<string, string>> = {
  'labels without values': 'password=',
  'quotes without ends': 'token="',
  'addresses without hosts': 'a://b:',
  'keys without ends': '-----BEGIN PRIVATE KEY-----\n',
  'prefixes of tokens': 'ghp_sk-xoxb-eyJ',
  'schemes without credentials': 'Bearer ',
};

export const parts: Readonly<Record<string, Section>> = {
  plain: async (report) => {
    const text = PLAIN.repeat(Math.ceil((10 * MB) / PLAIN.length)).slice(0, 10 * MB);
    const { plain } = await callByCall({ plain: () => mask(text) }, 7, 2);
    const value = 10 / (plain.ms / 1000);
    report(judged({ section: 'masking', name: 'plain text, 10 MB', value, unit: 'MB/s', spread: plain.spread }, { atLeast: 50 }));
  },

  hostile: async (report) => {
    for (const [name, piece] of Object.entries(HOSTILE)) {
      const of = (size: number): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
      const [small, large] = [of(MB), of(10 * MB)];
      const measured = await callByCall({ small: () => mask(small), large: () => mask(large) }, 5, 1);
      const ratio = measured.large.ms / 10 / measured.small.ms;
      const value = measured.large.ms;
      const figure = { section: 'masking', name: `${name}, 10 MB`, value, unit: 'ms', spread: measured.large.spread } as const;
      report(judged({ ...figure, against: 'ten times 1 MB', ratio }, { atMost: 1.5 }));
    }
  },
};
