import type { Figure } from './figure.js';

/** Measures a part of a section; figures go out as they come. */
export type Section = (report: (figure: Figure) => void) => Promise<void>;

/** Each part is measured in a process of its own, so that one does not warm or burden the next. */
export interface Sections {
  readonly parts: Readonly<Record<string, Section>>;
}

export const sections: Readonly<Record<string, () => Promise<Sections>>> = {
  compile: () => import('./sections/compile.js'),
  'per-node': () => import('./sections/per-node.js'),
  'fan-out': () => import('./sections/fan-out.js'),
  expressions: () => import('./sections/expressions.js'),
  watch: () => import('./sections/watch.js'),
  batch: () => import('./sections/batch.js'),
  'agent-loop': () => import('./sections/agent-loop.js'),
  spawn: () => import('./sections/spawn.js'),
  files: () => import('./sections/files.js'),
  masking: () => import('./sections/masking.js'),
  streams: () => import('./sections/streams.js'),
  'cold-start': () => import('./sections/cold-start.js'),
};
