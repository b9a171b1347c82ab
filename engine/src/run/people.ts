import type { GateDecision, Note } from '../events/run-event.js';
import type { CancelSignal } from '../ports/cancel.js';

/** Questions to a person that an execution under way asks, beside the gates that are nodes. Each has the path of what it is about. */
export interface People {
  /** True: approved. A signal that comes first is a no. */
  ask(path: string, message: string, signal: CancelSignal): Promise<boolean>;
  /** What is wrong with the decision, in sentences; undefined: no such question is open. */
  decide(path: string, decision: GateDecision): readonly string[] | undefined;
}

export function createPeople(note: (note: Note) => void): People {
  const open = new Map<string, (isApproved: boolean) => void>();
  return {
    ask(path, message, signal) {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve(false);
        const close = (isApproved: boolean): void => {
          open.delete(path);
          signal.removeEventListener('abort', giveUp);
          resolve(isApproved);
        };
        const giveUp = (): void => close(false);
        signal.addEventListener('abort', giveUp, { once: true });
        open.set(path, close);
        note({ type: 'gate:opened', node: path, gateType: 'approval', message });
      });
    },
    decide(path, decision) {
      const close = open.get(path);
      if (close === undefined) return undefined;
      if (decision.decision === 'input_provided') return ['this is a question of yes or no'];
      note({ type: 'gate:decided', node: path, ...decision });
      close(decision.decision === 'approved');
      return [];
    },
  };
}
