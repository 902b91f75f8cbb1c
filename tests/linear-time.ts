/** Times that are shorter, in milliseconds, are not compared: they are within the clock's error. */
const MIN_MS = 0.2;
const MAX_ROUNDS = 60;

function cpuMs(task: () => unknown): number {
  const before = process.cpuUsage();
  task();
  return process.cpuUsage(before).user / 1000;
}

/**
 * Returns true if reading a text takes less than 32 times the CPU time of its first eighth. A
 * quadratic reader takes 64 times as long. A loaded machine and other tests of the process can only
 * add time, so the least of several runs counts, and more runs only help a linear reader.
 */
export function takesLinearTime(
  read: (text: string) => unknown,
  text: string,
  minMs = MIN_MS,
): boolean {
  const part = text.slice(0, text.length / 8);
  let [whole, eighth] = [Infinity, Infinity];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    whole = Math.min(
      whole,
      cpuMs(() => read(text)),
    );
    if (whole < 32 * minMs) return true;
    eighth = Math.min(
      eighth,
      cpuMs(() => read(part)),
    );
    if (whole < 32 * Math.max(minMs, eighth)) return true;
  }
  return false;
}
