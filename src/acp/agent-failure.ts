/**
 * Reasons why an agent cannot answer: its program is not installed, it ended, it speaks another
 * version of the protocol, it needs a login, it did not answer in time, it ignored a request to
 * stop, it returned an error, or it sent a message that is too long.
 */
export type AgentFailureKind =
  'missing' | 'ended' | 'version' | 'login' | 'silent' | 'stuck' | 'error' | 'oversized';

/** A failure of an agent. The plugin turns its kind into a sentence for the user. */
export class AgentFailure extends Error {
  override readonly name = 'AgentFailure';

  constructor(
    readonly kind: AgentFailureKind,
    /**
     * The agent's own words, such as the end of its output or its error message. They are text,
     * never markup.
     */
    readonly details = '',
    /** Code of the JSON-RPC error. */
    readonly code?: number,
  ) {
    super(details === '' ? kind : `${kind}: ${details}`);
  }
}
