import { saveToNotRelative } from '../../diagnostics/catalogue/tools.js';
import type { Rule } from '../rule.js';

/** What the literal parts of save_to already say; the filled-in path is judged again when it is written. */
export const saveToRule: Rule = (context, workflow) => {
  for (const scope of workflow.scopes) {
    for (const node of scope.nodes) {
      if (node.syntax.type !== 'output' || node.syntax.save_to === undefined) continue;
      const problem = problemOf(node.syntax.save_to);
      if (problem !== undefined) context.report(saveToNotRelative, { path: [...node.at, 'save_to'] }, { problem });
    }
  }
};

function problemOf(path: string): string | undefined {
  if (path.trim() === '') return 'it is empty';
  // A value that is filled in is one segment, so any text without separators stands for it here.
  const literal = path.replace(/\{\{[\s\S]*?\}\}/g, 'x');
  if (/^[/\\]/.test(literal)) return 'it is absolute';
  if (/^[A-Za-z]:/.test(literal)) return 'it names a drive';
  if (literal.startsWith('~')) return 'it starts with ~';
  if (literal.split(/[/\\]/).includes('..')) return 'it leads out with ..';
  if (/[\u0000-\u001f\u007f]/.test(literal)) return 'it holds a control character';
  if (/[/\\]$/.test(literal)) return 'it names a folder, not a file';
  return undefined;
}
