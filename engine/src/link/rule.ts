import type { ToolDef } from '../registry/tool-def.js';
import type { LinkContext } from './link-context.js';
import type { LinkedWorkflow } from './model.js';

/** One rule: looks at a linked workflow and reports. Rules do not depend on each other's findings. */
export type Rule = (context: LinkContext, workflow: LinkedWorkflow, world: World) => void;

/** What exists outside the file. */
export interface World {
  readonly tools: ReadonlyMap<string, ToolDef>;
}
