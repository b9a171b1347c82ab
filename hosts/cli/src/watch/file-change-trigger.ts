import { parseYaml, type SourceText } from '@relavium/engine';
import type { FileChange, WorkflowFile } from '@relavium/schemas';

/** The `file_change` trigger of a workflow file that compiles, if it has one. The plan does not hold it: a run asks nothing of it. */
export function fileChangeTrigger(source: SourceText): FileChange | undefined {
  const file = parseYaml(source).document?.value as WorkflowFile | undefined;
  const trigger = file?.workflow.trigger;
  return trigger?.type === 'file_change' ? trigger.file_change : undefined;
}
