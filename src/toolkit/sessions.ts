import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import { isText, isTextList } from '../model/text/json-fields.js';

/** Facts that decide where a session's calls happen. JSON data, as processes exchange it. */
export interface SessionState {
  /** Number of changes: the state with more is newer. */
  readonly revision: number;
  /** Id of the current workspace, if the session has entered one. */
  readonly workspaceId?: string;
  /** Workspaces that it has failed to create or load since it last entered one, latest last. */
  readonly failedWorkspaces: readonly string[];
  /** True if the session has saved a state. */
  readonly hasSaved?: boolean;
  /** Notices given so far, of those that are given once. */
  readonly notices?: readonly string[];
  /** State loaded or saved last in each workspace, latest last. */
  readonly lastStates?: readonly LastState[];
}

export interface LastState {
  readonly workspaceId: string;
  readonly id: string;
  readonly isLoaded: boolean;
}

const MAX_SESSIONS = 1000;
const MAX_FAILED_WORKSPACES = 10;
const MAX_LAST_STATES = 20;
const MAX_NOTICES = 20;

const NEW_SESSION: SessionState = { revision: 0, failedWorkspaces: [] };

/** A process's sessions, least recently changed first: in memory only, at most `MAX_SESSIONS`. */
export class Sessions {
  readonly #states = new Map<string, SessionState>();

  /** Returns the id of the current workspace, if the session has entered one. */
  get(sessionId: string): string | undefined {
    return this.stateOf(sessionId).workspaceId;
  }

  stateOf(sessionId: string): SessionState {
    return this.#states.get(sessionId) ?? NEW_SESSION;
  }

  enterWorkspace(sessionId: string, workspaceId: string): void {
    this.#change(sessionId, { workspaceId, failedWorkspaces: [] });
  }

  addFailedWorkspace(sessionId: string, name: string): void {
    const others = this.stateOf(sessionId).failedWorkspaces.filter((other) => other !== name);
    const failedWorkspaces = [...others, name].slice(-MAX_FAILED_WORKSPACES);
    this.#change(sessionId, { failedWorkspaces });
  }

  /** Returns true the first time that a session is to get a notice. */
  takeNotice(sessionId: string, notice: string): boolean {
    const { notices = [] } = this.stateOf(sessionId);
    if (notices.includes(notice)) return false;
    this.#change(sessionId, { notices: [...notices, notice].slice(-MAX_NOTICES) });
    return true;
  }

  setLastState(sessionId: string, { workspaceId, id, isLoaded }: LastState): void {
    const last = { workspaceId, id, isLoaded }; // and nothing else of a state, since it is stored
    const { lastStates: known = [], hasSaved = false } = this.stateOf(sessionId);
    const others = known.filter((each) => each.workspaceId !== workspaceId);
    const lastStates = [...others, last].slice(-MAX_LAST_STATES);
    this.#change(sessionId, { lastStates, hasSaved: hasSaved || !isLoaded });
  }

  /** Adopts the state that another process has, if it is newer. */
  merge(sessionId: string, state: SessionState): void {
    if (state.revision > this.stateOf(sessionId).revision) this.#set(sessionId, state);
  }

  delete(sessionId: string): void {
    this.#states.delete(sessionId);
  }

  #change(sessionId: string, change: Partial<SessionState>): void {
    const state = this.stateOf(sessionId);
    this.#set(sessionId, { ...state, ...change, revision: state.revision + 1 });
  }

  #set(sessionId: string, state: SessionState): void {
    this.#states.delete(sessionId);
    this.#states.set(sessionId, state);
    const oldest = this.#states.keys().next();
    if (this.#states.size > MAX_SESSIONS && !oldest.done) this.#states.delete(oldest.value);
  }
}

/** Validates a state that another process has sent or stored. */
export function isSessionState(value: Json | undefined): value is JsonObject & SessionState {
  if (!isJsonObject(value)) return false;
  const { revision, workspaceId = '', failedWorkspaces, notices = [] } = value;
  const { hasSaved = false, lastStates = [] } = value;
  return (
    typeof revision === 'number' &&
    isText(workspaceId) &&
    isTextList(failedWorkspaces) &&
    typeof hasSaved === 'boolean' &&
    isTextList(notices) &&
    Array.isArray(lastStates) &&
    lastStates.every(isLastState)
  );
}

function isLastState(value: Json): boolean {
  return (
    isJsonObject(value) &&
    isText(value['workspaceId']) &&
    isText(value['id']) &&
    typeof value['isLoaded'] === 'boolean'
  );
}
