/**
 * Why an agent gives no whole answer. `silent`: no answer in time; `stuck`: ignored a request to
 * stop; `cancelled`: ended its turn by itself.
 */
export type ChatAgentFailureKind =
  | 'missing'
  | 'ended'
  | 'version'
  | 'login'
  | 'silent'
  | 'stuck'
  | 'cancelled'
  | 'error'
  | 'oversized';

/** The plugin turns its kind into a sentence for the user. */
export class ChatAgentFailure extends Error {
  override readonly name = 'AgentFailure';

  constructor(
    readonly kind: ChatAgentFailureKind,
    /** The agent's own words, such as its output or error message: text, never markup. */
    readonly details = '',
    /** Code of the JSON-RPC error. */
    readonly code?: number,
  ) {
    super(details === '' ? kind : `${kind}: ${details}`);
  }
}
