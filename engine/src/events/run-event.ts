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

/** Facts about a tool call, which change no state. */
export type ToolNote = Payload<schemas.ToolCallEvent | schemas.ToolResultEvent>;

/** A person's word about a gate, or `by: 'timeout'`. */
export type GateDecision = Omit<Payload<schemas.GateDecidedEvent>, 'type' | 'node'>;
