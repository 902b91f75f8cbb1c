/** Advice on how to rewrite an entry, for users of a shell. */
export const RECONNECT_ADVICE = 'run "savepoint connect" for this client again';

/** A step of a connection check that needs attention, with its fix. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
  constructor(
    message: string,
    readonly fix: string,
    /** True for what may be in order. */
    readonly isOk = false,
  ) {
    super(message);
  }
}
