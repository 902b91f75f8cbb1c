/** A mistake in the command line. Its message is printed with a pointer to the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
