/** One line of the table. */
export interface Figure {
  readonly section: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What was measured beside it in the same run. */
  readonly against?: string;
  /** `value` over the other one's value. */
  readonly ratio?: number;
  /** Spread of `value` between the passes, as largest over smallest. */
  readonly spread?: number;
  readonly target?: string;
  readonly met?: boolean;
}

/** A bound on the ratio if there is one, else on the value. */
export function judged(
  figure: Omit<Figure, 'target' | 'met'>,
  target: { readonly atMost: number } | { readonly atLeast: number } | undefined,
): Figure {
  if (target === undefined) return figure;
  const measured = figure.ratio ?? figure.value;
  const unit = figure.ratio === undefined ? ` ${figure.unit}` : ' ×';
  return 'atMost' in target
    ? { ...figure, target: `≤ ${target.atMost}${unit}`, met: measured <= target.atMost }
    : { ...figure, target: `≥ ${target.atLeast}${unit}`, met: measured >= target.atLeast };
}
