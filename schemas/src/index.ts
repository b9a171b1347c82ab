// The shapes of the files are types only, so this entry costs nothing when it is loaded. Each validator has an entry of its own.
export type * from './generated/shapes.js';
export type { ValidationIssue, ValidationResult } from './validation.js';
