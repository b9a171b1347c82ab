import type * as schemas from '@relavium/schemas';

/** What a run does, in order: the events that are stored. `seq` counts from 0 without a gap. The shapes are those of `event.schema.json`. */
export type RunEvent = Exclude<schemas.RunEvent, StreamedEvent>;

/** Shown while it comes and not stored: no `seq`. */
export type StreamedEvent = schemas.AgentTextEvent | schemas.AgentReasoningEvent | schemas.ToolOutputEvent;

/** An event without what the run itself stamps on it. */
export type RunEventPayload = Payload<RunEvent>;

type Payload<T> = T extends unknown ? Omit<T, 'seq' | 'ts' | 'runId'> : never;

export type NodeStarted = schemas.NodeStartedEvent;
export type NodeSucceeded = schemas.NodeSucceededEvent;
export type NodeFailed = schemas.NodeFailedEvent;
export type NodeSkipped = schemas.NodeSkippedEvent;
export type EdgeVerdicts = schemas.EdgeVerdicts;

/** What models have used and cost so far. */
export type Spent = Pick<schemas.CostUpdatedEvent, 'usage' | 'cost'>;

/** What an execution under way has to say: facts that decide nothing. */
export type Note = Payload<
  | schemas.ToolCallEvent
  | schemas.ToolResultEvent
  | schemas.AgentTurnCompletedEvent
  | schemas.AgentToolCallEvent
  | schemas.AgentToolResultEvent
  | schemas.AgentFailoverEvent
  | schemas.GateOpenedEvent
  | schemas.GateDecidedEvent
  | schemas.BudgetWarningEvent
  | schemas.BudgetWaitingEvent
  | schemas.CostUpdatedEvent
  | schemas.LogEvent
  // Of an invoked agent, whose path leads through the call.
  | schemas.NodeStartedEvent
  | schemas.NodeSucceededEvent
  | schemas.NodeFailedEvent
  | schemas.NodeRetryingEvent
  | schemas.NodeCancelledEvent
>;

/** A person's word about a gate, or `by: 'timeout'`. */
export type GateDecision = Omit<Payload<schemas.GateDecidedEvent>, 'type' | 'node'>;
