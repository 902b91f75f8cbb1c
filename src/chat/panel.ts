import type { Message, MessagePart, ToolPart } from '../model/message.js';
import type { ModelToolCall } from './language-model.js';
import type { Step, TurnEvent } from './turn.js';

/** One call of a tool as its card shows it while the model answers. */
export interface LiveCall extends ModelToolCall {
  readonly status: 'asking' | 'waiting' | 'running' | ToolPart['status'];
  readonly part?: ToolPart;
}

/** What the model is saying now: the message that will be kept when it is whole. */
export interface LiveStep {
  readonly said: readonly Extract<MessagePart, { type: 'text' | 'reasoning' }>[];
  readonly calls: readonly LiveCall[];
}

/** What the panel shows of one conversation beside the messages that are kept. */
export interface PanelState {
  readonly phase: 'idle' | 'waiting' | 'streaming' | 'calling' | 'stopping';
  readonly live: LiveStep | undefined;
  /** How the last turn failed, until the next begins. */
  readonly failure: Pick<Step, 'error' | 'retryAfter'> | undefined;
  /** The end of the branch that is shown; undefined for the newest. */
  readonly leafId: string | undefined;
}

/** Everything that changes what the panel shows. */
export type PanelEvent =
  | TurnEvent
  | { readonly type: 'sent'; readonly leafId: string }
  | { readonly type: 'kept'; readonly message: Message }
  | { readonly type: 'askPerson' | 'personAnswered'; readonly id: string }
  | { readonly type: 'stop' }
  | { readonly type: 'ended'; readonly step: Step | undefined }
  | { readonly type: 'show'; readonly leafId: string | undefined }
  | { readonly type: 'dismissFailure' };

export const idlePanel: PanelState = {
  phase: 'idle',
  live: undefined,
  failure: undefined,
  leafId: undefined,
};

const noStep: LiveStep = { said: [], calls: [] };

/** The panel after one more event; every transition there is. */
export function panelAfter(state: PanelState, event: PanelEvent): PanelState {
  const { live = noStep } = state;
  switch (event.type) {
    case 'sent':
      return { phase: 'waiting', live: undefined, failure: undefined, leafId: event.leafId };
    case 'text':
    case 'reasoning':
      return {
        ...state,
        phase: busy(state, 'streaming'),
        live: { ...live, said: said(live.said, event.type, event.text) },
      };
    case 'asked':
      return {
        ...state,
        phase: busy(state, 'calling'),
        live: { ...live, calls: [...live.calls, { ...event.call, status: 'waiting' }] },
      };
    case 'askPerson':
      return { ...state, live: withCall(live, event.id, { status: 'asking' }) };
    case 'personAnswered':
      return { ...state, live: withCall(live, event.id, { status: 'waiting' }) };
    case 'running':
      return { ...state, live: withCall(live, event.id, { status: 'running' }) };
    case 'answered':
      return {
        ...state,
        live: withCall(live, event.part.id, { status: event.part.status, part: event.part }),
      };
    case 'step':
      return state; // it is shown until it is kept
    case 'kept':
      return { ...state, phase: busy(state, 'waiting'), live: undefined, leafId: event.message.id };
    case 'stop':
      return state.phase === 'idle' ? state : { ...state, phase: 'stopping' };
    case 'ended': {
      const error = event.step?.error;
      return {
        ...state,
        phase: 'idle',
        live: undefined,
        failure: error === undefined ? undefined : { error, retryAfter: event.step?.retryAfter },
      };
    }
    case 'show':
      return { ...state, leafId: event.leafId, failure: undefined };
    case 'dismissFailure':
      return { ...state, failure: undefined };
  }
}

/** Who has asked to stop sees that it is being stopped, whatever still comes. */
function busy(state: PanelState, phase: PanelState['phase']): PanelState['phase'] {
  return state.phase === 'stopping' ? 'stopping' : phase;
}

function said(list: LiveStep['said'], type: 'text' | 'reasoning', text: string): LiveStep['said'] {
  const last = list.at(-1);
  return last?.type === type
    ? [...list.slice(0, -1), { type, text: last.text + text }]
    : [...list, { type, text }];
}

function withCall(live: LiveStep, id: string, change: Partial<LiveCall>): LiveStep {
  return {
    ...live,
    calls: live.calls.map((call) => (call.id === id ? { ...call, ...change } : call)),
  };
}
