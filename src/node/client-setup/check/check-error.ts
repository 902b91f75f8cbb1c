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
