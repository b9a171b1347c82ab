import type { Input } from '@relavium/schemas';
import { done, type Outcome, problem } from '../problem.js';

/** What `-i name={changed}` is written as. */
const CHANGED = '{changed}';

export interface Assignments {
  /** `name=value` of the inputs that are the same for every run. */
  readonly fixed: readonly string[];
  /** The inputs that take the changed path; with one of them each changed path is a run. */
  readonly changed: readonly string[];
}

export function splitAssignments(assignments: readonly string[]): Assignments {
  const isChanged = (assignment: string): boolean =>
    assignment.endsWith(`=${CHANGED}`) && assignment.indexOf('=') === assignment.length - CHANGED.length - 1;
  return {
    fixed: assignments.filter((assignment) => !isChanged(assignment)),
    changed: assignments.filter(isChanged).map((assignment) => assignment.slice(0, assignment.indexOf('='))),
  };
}

/** Only an input that is a path can take one, and only a pattern says which paths these are. */
export function checkChanged(names: readonly string[], declared: readonly Input[], hasGlobs: boolean): Outcome<undefined> {
  for (const name of names) {
    const input = declared.find((each) => each.name === name);
    if (input === undefined) return problem(`-i ${name}=${CHANGED}: this workflow has no input "${name}"`);
    if (input.type !== 'file_path') {
      return problem(
        `-i ${name}=${CHANGED}: input "${name}" is of type ${input.type}`,
        'A changed path goes to an input of type file_path.',
      );
    }
  }
  if (names.length > 0 && !hasGlobs) {
    return problem(
      `-i ${names[0]}=${CHANGED} needs to know which files are meant`,
      'Name them with --glob, or with a file_change trigger in the workflow.',
    );
  }
  return done(undefined);
}
