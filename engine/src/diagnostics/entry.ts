export type Severity = 'error' | 'warning';

/** One kind of finding. Codes are public: they are never renamed and never used for something else. */
export interface Entry<Data> {
  /** snake_case */
  readonly code: string;
  readonly severity: Severity;
  /** One line for lists. */
  readonly title: string;
  readonly message: (data: Data) => string;
  /** Why it is a problem, and what to do; for `relavium explain`. */
  readonly explanation: string;
  /** YAML that gives the finding, and the same mended. Fragments of a workflow. */
  readonly wrong: string;
  readonly right: string;
  /** Whether a finding of this kind can come with a fix. */
  readonly fixable: boolean;
}
