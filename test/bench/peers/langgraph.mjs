import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

/** Functions that run a graph of `size` steps that do nothing once, made and compiled before. */
export const shapes = {
  chain: (size) =>
    graphOf(size, (graph, names) => {
      for (const [at, name] of names.entries()) graph.addEdge(names[at - 1] ?? START, name);
      graph.addEdge(names.at(-1), END);
    }),
  fan: (size) =>
    graphOf(size, (graph, names) => {
      for (const name of names) graph.addEdge(START, name);
      graph.addNode('join', async () => ({ done: 0 }));
      graph.addEdge(names, 'join');
      graph.addEdge('join', END);
    }),
};

function graphOf(size, connect) {
  const graph = new StateGraph(Annotation.Root({ done: Annotation({ reducer: (sum, more) => sum + more, default: () => 0 }) }));
  const names = Array.from({ length: size }, (_, at) => `step${at}`);
  for (const name of names) graph.addNode(name, async () => ({ done: 1 }));
  connect(graph, names);
  const app = graph.compile();
  return async () => {
    const { done } = await app.invoke({}, { recursionLimit: size + 3 });
    if (done !== size) throw new Error(`LangGraph ran ${done} of ${size} steps`);
  };
}
