import { describe, expect, it } from 'vitest';
import { folderFor, runWorkflow } from './run-workflow.js';

describe('workflows/hello', () => {
  it('greets, with one node and without anything but text', async () => {
    const { code, events, outputs } = await runWorkflow('hello', folderFor('hello'), ['name=Ada']);
    expect(code).toBe(0);
    expect(events).toEqual(['run:started', 'node:started greeting attempt=1', 'node:succeeded greeting', 'run:succeeded']);
    expect(outputs).toEqual({ greeting: 'Hello, Ada!' });
  });
});
