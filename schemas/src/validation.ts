/** One way in which a document does not meet its schema. */
export interface ValidationIssue {
  /** JSON Pointer to the value that is wrong, or that lacks or has a key. */
  readonly instancePath: string;
  /**
   * The rule that was broken, by its name in JSON Schema: `required`, `additionalProperties`, `enum`, `type`, …
   * `anyOf` says that one of several keys is missing, `false schema` that a key excludes another one beside it.
   */
  readonly keyword: string;
  /** What the rule says: `missingProperty`, `missingAlternatives`, `additionalProperty`, `allowedValues`, `limit`, … */
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
  readonly schemaPath: string;
}

export type ValidationResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/** A function that the generator has made out of a schema. */
export interface CompiledValidator {
  (value: unknown): boolean;
  errors?: readonly RawIssue[] | null;
}

interface RawIssue extends ValidationIssue {
  /** Set on what `propertyNames` found wrong with a key. */
  readonly propertyName?: string;
}

/** Tells whether a value meets a schema, and gives one issue a mistake when it does not. */
export function check<T>(validator: CompiledValidator, value: unknown): ValidationResult<T> {
  if (validator(value)) return { ok: true, value: value as T };
  const raw = validator.errors ?? [];
  validator.errors = null;
  return { ok: false, issues: oneIssuePerMistake(raw) };
}

/**
 * A single mistake breaks several rules at once where one rule wraps others.
 * What stays is the rule that says best what to change.
 */
function oneIssuePerMistake(raw: readonly RawIssue[]): readonly ValidationIssue[] {
  const alternatives = alternativesByPath(raw);
  const unionTypes = new Set(raw.filter((issue) => isUnionType(issue)).map((issue) => issue.instancePath));
  const issues = new Map<string, ValidationIssue>();
  for (const issue of raw) {
    if (isWrapper(issue)) continue;
    if (issue.keyword === 'type' && unionTypes.has(issue.instancePath) && !isUnionType(issue)) continue;
    const kept =
      issue.keyword === 'anyOf'
        ? missingAlternatives(issue, alternatives)
        : alternatives.has(branchKey(issue))
          ? undefined
          : plainIssue(issue);
    if (kept !== undefined) issues.set(`${kept.instancePath}\n${kept.keyword}\n${JSON.stringify(kept.params)}`, kept);
  }
  return [...issues.values()];
}

/** `discriminator` stands beside an `enum` or `required` of the same key, `if` beside what its branch found. */
function isWrapper(issue: RawIssue): boolean {
  return issue.keyword === 'discriminator' || issue.keyword === 'if' || issue.propertyName !== undefined;
}

function isUnionType(issue: RawIssue): boolean {
  return issue.keyword === 'type' && Array.isArray(issue.params.type);
}

/** The keys that the branches of each `anyOf` ask for, by where it stands and what it was applied to. */
function alternativesByPath(raw: readonly RawIssue[]): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const issue of raw) if (issue.keyword === 'anyOf') found.set(alternativesKey(issue.instancePath, issue.schemaPath), []);
  for (const issue of raw) if (issue.keyword === 'required') found.get(branchKey(issue))?.push(issue.params.missingProperty);
  return found;
}

function alternativesKey(instancePath: string, schemaPath: string): string {
  return `${instancePath}\n${schemaPath}`;
}

/** The key of the `anyOf` in one of whose branches this issue was found: its path ends with the branch's number and the rule. */
function branchKey(issue: RawIssue): string {
  return alternativesKey(issue.instancePath, issue.schemaPath.replace(/\/\d+\/[^/]+$/, ''));
}

/** Where the branches are no lists of keys, what was found inside them says more than that none of them fits. */
function missingAlternatives(outer: RawIssue, alternatives: ReadonlyMap<string, readonly unknown[]>): ValidationIssue | undefined {
  const keys = alternatives.get(alternativesKey(outer.instancePath, outer.schemaPath)) ?? [];
  if (keys.length === 0) return undefined;
  return { ...plainIssue(outer), params: { missingAlternatives: keys }, message: `must have one of ${keys.join(', ')}` };
}

function plainIssue({ instancePath, keyword, params, message, schemaPath }: RawIssue): ValidationIssue {
  const types = params.type;
  if (keyword === 'type' && Array.isArray(types))
    return { instancePath, keyword, params, message: `must be ${types.join(' or ')}`, schemaPath };
  if (keyword === 'false schema')
    return { instancePath, keyword, params, message: 'must not stand here together with the keys beside it', schemaPath };
  return { instancePath, keyword, params, message, schemaPath };
}
