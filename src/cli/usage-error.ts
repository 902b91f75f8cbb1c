/** A mistake in the command line. Its message is printed together with the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
