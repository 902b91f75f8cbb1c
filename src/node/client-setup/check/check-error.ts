/** Advice on how to rewrite an entry, for users of a shell. */
export const RECONNECT_ADVICE = 'run "savepoint connect" for this client again';

/** A failed step of a connection check, with its fix. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
  constructor(
    message: string,
    readonly fix: string,
  ) {
    super(message);
  }
}
