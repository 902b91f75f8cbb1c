import type { Message, MessagePart, ToolPart } from '../model/message.js';
import type { ModelToolCall } from './language-model.js';
import type { StepError, TurnEvent, TurnStep } from './turn.js';

/** A tool call as its card shows it while the model answers. */
export interface PanelCall extends ModelToolCall {
  readonly status: 'asking' | 'waiting' | 'running' | ToolPart['status'];
  readonly part?: ToolPart;
}

/** A call as it is shown, from a stored message or while the model answers. */
export type ShownCall = Omit<ToolPart, 'status'> & Pick<PanelCall, 'status'>;

export type ShownPart = Exclude<MessagePart, ToolPart> | ShownCall;

export function shownCall({ part, ...call }: PanelCall): ShownCall {
  return { ...part, type: 'tool', ...call };
}

/** The part of the model's current message received so far. */
export interface StreamingStep {
  readonly parts: readonly Extract<MessagePart, { type: 'text' | 'reasoning' }>[];
  readonly calls: readonly PanelCall[];
}

/** State of a conversation's panel, except its stored messages. */
export interface PanelState {
  readonly phase: 'idle' | 'waiting' | 'streaming' | 'calling' | 'stopping';
  readonly live: StreamingStep | undefined;
  /** Failure of the last turn, until the next one begins. */
  readonly failure: StepError | undefined;
  /** Leaf of the branch shown; undefined for the newest. */
  readonly leafId: string | undefined;
}

export type PanelEvent =
  | TurnEvent
  | { readonly type: 'sent'; readonly leafId: string }
  | { readonly type: 'stored'; readonly message: Message }
  | { readonly type: 'approvalRequested' | 'approvalDecided'; readonly id: string }
  | { readonly type: 'stop' }
  | { readonly type: 'ended'; readonly step: TurnStep | undefined }
  | { readonly type: 'showBranch'; readonly leafId: string | undefined };

export const idlePanel: PanelState = {
  phase: 'idle',
  live: undefined,
  failure: undefined,
  leafId: undefined,
};

const emptyStep: StreamingStep = { parts: [], calls: [] };

export function reducePanel(state: PanelState, event: PanelEvent): PanelState {
  const { live = emptyStep } = state;
  switch (event.type) {
    case 'sent':
      return { phase: 'waiting', live: undefined, failure: undefined, leafId: event.leafId };
    case 'text':
    case 'reasoning':
      return {
        ...state,
        phase: phaseUnlessStopping(state, 'streaming'),
        live: { ...live, parts: appendText(live.parts, event.type, event.text) },
      };
    case 'callRequested':
      return {
        ...state,
        phase: phaseUnlessStopping(state, 'calling'),
        live: { ...live, calls: [...live.calls, { ...event.call, status: 'waiting' }] },
      };
    case 'callUpdated':
      return { ...state, live: updateCall(live, event.call.id, event.call) };
    case 'approvalRequested':
      return { ...state, live: updateCall(live, event.id, { status: 'asking' }) };
    case 'approvalDecided':
      return { ...state, live: updateCall(live, event.id, { status: 'waiting' }) };
    case 'callStarted':
      return { ...state, live: updateCall(live, event.id, { status: 'running' }) };
    case 'callFinished': {
      const { part } = event;
      return { ...state, live: updateCall(live, part.id, { status: part.status, part }) };
    }
    case 'step':
      return state; // stays visible until it is stored, so that nothing flickers
    case 'stored':
      return {
        ...state,
        phase: phaseUnlessStopping(state, 'waiting'),
        live: undefined,
        leafId: event.message.id,
      };
    case 'stop':
      return state.phase === 'idle' ? state : { ...state, phase: 'stopping' };
    case 'ended':
      return { ...state, phase: 'idle', live: undefined, failure: event.step?.error };
    case 'showBranch':
      return { ...state, leafId: event.leafId, failure: undefined };
  }
}

/** While the turn is stopping, later events must not hide that. */
function phaseUnlessStopping(state: PanelState, phase: PanelState['phase']): PanelState['phase'] {
  return state.phase === 'stopping' ? 'stopping' : phase;
}

function appendText(
  parts: StreamingStep['parts'],
  type: 'text' | 'reasoning',
  text: string,
): StreamingStep['parts'] {
  const last = parts.at(-1);
  return last?.type === type
    ? [...parts.slice(0, -1), { type, text: last.text + text }]
    : [...parts, { type, text }];
}

function updateCall(live: StreamingStep, id: string, change: Partial<PanelCall>): StreamingStep {
  const calls = live.calls.map((call) => (call.id === id ? { ...call, ...change } : call));
  return { ...live, calls };
}
