import type { Diagnostic } from '@relavium/engine';

export interface Levels {
  /** By code, from the configuration. */
  readonly configured: ReadonlyMap<string, 'error' | 'warning' | 'off'>;
  /** Warnings count as errors. */
  readonly isStrict: boolean;
}

/** Findings as the configuration wants them to count. An error stays one: its file does not run, whatever lint says. */
export function applyLevels(findings: readonly Diagnostic[], { configured, isStrict }: Levels): readonly Diagnostic[] {
  return findings.flatMap((finding) => {
    const level = configured.get(finding.code);
    if (finding.severity === 'error') return [finding];
    if (level === 'off') return [];
    return [level === 'error' || isStrict ? { ...finding, severity: 'error' as const } : finding];
  });
}
