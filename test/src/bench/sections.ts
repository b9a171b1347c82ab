import type { Figure } from './figure.js';

/** Measures one section; figures go out as they come. */
export type Section = (report: (figure: Figure) => void) => Promise<void>;

export const sections: Readonly<Record<string, () => Promise<{ readonly section: Section }>>> = {
  compile: () => import('./sections/compile.js'),
  'per-node': () => import('./sections/per-node.js'),
  'fan-out': () => import('./sections/fan-out.js'),
  expressions: () => import('./sections/expressions.js'),
  'cold-start': () => import('./sections/cold-start.js'),
};
