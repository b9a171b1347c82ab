/** Sizes that are refused, never cut down to fit. */

/** UTF-8 bytes of one file. */
export const MAX_SOURCE_BYTES: number = 2 * 1024 * 1024;
/** Collections inside one another in a file, aliases followed. */
export const MAX_YAML_DEPTH = 64;
/** Nodes that aliases would add to a file if they were written out. */
export const MAX_ALIAS_EXPANSION = 100_000;
/** Nodes of a workflow file, those of loop bodies counted once. */
export const MAX_NODES = 10_000;
/** Edges of a workflow file, those of loop bodies counted once. */
export const MAX_EDGES = 50_000;
/** Members of one `parallel_of`. */
export const MAX_FAN_OUT = 10_000;
/** Leaf calls in flight. */
export const MAX_PARALLEL = 64;
/** Schema nodes that one value can be checked against, references followed and the product of branches counted. */
export const MAX_SCHEMA_WORK = 100_000;
/** Characters of one `pattern`. */
export const MAX_PATTERN_LENGTH = 1_000;

/** Tool calls of one answer of a model. */
export const MAX_CALLS_IN_ANSWER = 16;
/** Agents that invoke one another, the first included. */
export const MAX_INVOCATION_DEPTH = 8;

/** Defaults of the format, where leaving a key out means a number. */
export const DEFAULT_MAX_PARALLEL = 8;
export const DEFAULT_CLEANUP_TIMEOUT_MS = 30_000;
export const DEFAULT_MAX_ITERATIONS = 100;
export const DEFAULT_BACKOFF_MS = 1_000;
export const DEFAULT_MAX_BACKOFF_MS = 300_000;
export const DEFAULT_MAX_TURNS = 16;
export const DEFAULT_FALLBACK_ATTEMPTS = 1;
