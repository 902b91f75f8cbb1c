/**
 * Runs `task` for each item, at most `width` at a time. If tasks fail, rejects with one of the
 * errors once no task is running.
 */
export async function eachInParallel<T>(
  items: readonly T[],
  width: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const workers = Array.from({ length: Math.min(width, items.length) }, async () => {
    for (let at = next++; at < items.length; at = next++) await task(items[at]!);
  });
  await allEnded(workers);
}

/**
 * Resolves as `Promise.all` does, but rejects only once every task has ended, so that none goes on
 * in the background.
 */
export async function allEnded<T extends readonly Promise<unknown>[] | []>(
  tasks: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}
