/** A mistake in the command line. It is printed together with the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
