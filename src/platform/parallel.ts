/** Runs at most `width` tasks at a time. Rejects with one of the errors once none is running. */
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

/** Like `Promise.all`, but rejects only once every task has ended, so that none goes on. */
export async function allEnded<T extends readonly Promise<unknown>[] | []>(
  tasks: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}

/** Runs all tasks in turn, also those after one that fails. Rejects with the last error. */
export async function runInTurn([task, ...others]: readonly (() => unknown)[]): Promise<void> {
  if (!task) return;
  try {
    await task();
  } finally {
    await runInTurn(others);
  }
}
