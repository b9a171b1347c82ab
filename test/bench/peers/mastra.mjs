import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';

const anything = z.any();

/** Functions that run a workflow of `size` steps that do nothing once, made and committed before. */
export const shapes = {
  chain: (size) => workflowOf((workflow) => steps(size).reduce((chain, step) => chain.then(step), workflow)),
  fan: (size) => workflowOf((workflow) => workflow.parallel(steps(size)).then(stepNamed('join'))),
};

function steps(size) {
  return Array.from({ length: size }, (_, at) => stepNamed(`step${at}`));
}

function stepNamed(id) {
  return createStep({ id, inputSchema: anything, outputSchema: anything, execute: async () => 1 });
}

function workflowOf(build) {
  const workflow = build(createWorkflow({ id: 'bench', inputSchema: anything, outputSchema: anything })).commit();
  return async () => {
    const run = await workflow.createRunAsync();
    const { status } = await run.start({ inputData: 0 });
    if (status !== 'success') throw new Error(`Mastra ended with ${status}`);
  };
}
