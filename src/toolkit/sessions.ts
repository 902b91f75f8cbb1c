import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import { isText, isTextList } from '../model/text/json-fields.js';

/**
 * Facts about a session that decide where its calls happen. JSON data, because processes exchange
 * it.
 */
export interface SessionState {
  /** Number of changes. Of two states of a session, the one with more changes is newer. */
  readonly revision: number;
  /** Id of the current workspace, if the session has entered one. */
  readonly workspaceId?: string;
  /**
   * Names of workspaces that the session has failed to create or load since it last entered one,
   * latest last.
   */
  readonly failedWorkspaces: readonly string[];
  /** True if the session has saved a state. */
  readonly hasSaved?: boolean;
  /** The notices that the session has had, of those that are given once. */
  readonly notices?: readonly string[];
  /** The state that the session loaded or saved last in each workspace, latest last. */
  readonly lastStates?: readonly LastState[];
}

/** A state that a session has loaded or saved. */
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

/**
 * The sessions of a process by their ids, least recently changed first. In memory only; forgets the
 * oldest beyond `MAX_SESSIONS`.
 */
export class Sessions {
  readonly #states = new Map<string, SessionState>();

  /** Returns the id of the session's current workspace; undefined if it has not entered one. */
  get(sessionId: string): string | undefined {
    return this.stateOf(sessionId).workspaceId;
  }

  stateOf(sessionId: string): SessionState {
    return this.#states.get(sessionId) ?? NEW_SESSION;
  }

  /** Makes a workspace the current one of a session. */
  enterWorkspace(sessionId: string, workspaceId: string): void {
    this.#change(sessionId, { workspaceId, failedWorkspaces: [] });
  }

  /** Records that a session has failed to create or load the workspace with this name. */
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

  /** Records that a session has loaded or saved a state. */
  setLastState(sessionId: string, { workspaceId, id, isLoaded }: LastState): void {
    const last = { workspaceId, id, isLoaded }; // and nothing else of a state, since it is stored
    const { lastStates: known = [], hasSaved = false } = this.stateOf(sessionId);
    const others = known.filter((each) => each.workspaceId !== workspaceId);
    const lastStates = [...others, last].slice(-MAX_LAST_STATES);
    this.#change(sessionId, { lastStates, hasSaved: hasSaved || !isLoaded });
  }

  /** Takes over the state that another process has of a session, if it is newer. */
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

/** Returns true for the state of a session that another process has sent or stored. */
export function isSessionState(value: Json | undefined): value is JsonObject & SessionState {
  if (!isJsonObject(value)) return false;
  const {
    revision,
    workspaceId = '',
    failedWorkspaces,
    hasSaved = false,
    notices = [],
    lastStates = [],
  } = value;
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
