import * as fs from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';

/** A measurement, such as a ratio or a time, with an optional upper or lower bound. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly limit?: number;
  readonly least?: number;
  readonly unit?: string;
  /** True for a part of the summary, whose text must be clear without the question. */
  readonly isHighlighted?: boolean;
  /** True if there is no value, because data is missing. */
  readonly isMissing?: boolean;
  /** The curve of the growth chart that the figure is a point of, and the size at that point. */
  readonly curve?: { readonly name: string; readonly size: number };
}

/** True in the short form, which takes little of everything and only has to end with figures. */
export const isShort = process.env['SAVEPOINT_SHORT'] === '1';

/** Returns the size for the form of this run. */
export function perForm(full: number, short: number): number {
  return isShort ? short : full;
}

/** Thrown by a benchmark that cannot run on this machine. The message says what is missing. */
export class NotRunError extends Error {
  override readonly name = 'NotRunError';
}

/** Runs a task with a temporary folder. */
export async function inFolder<T>(
  task: (folder: string) => Promise<T>,
  within = os.tmpdir(),
): Promise<T> {
  const folder = await fs.mkdtemp(path.join(within, 'savepoint-bench-'));
  try {
    return await task(folder);
  } finally {
    await fs.rm(folder, { recursive: true });
  }
}

/** Returns the duration of a task in milliseconds. */
export async function timeOf(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

/** Collects garbage, so a round does not pay for the previous one. */
export function collectGarbage(): void {
  if (!gc) throw new Error('Run this with --expose-gc, as npm run bench does');
  gc();
}

/** Returns a number as figures show it, such as 10,000. */
export function counted(number: number): string {
  return number.toLocaleString('en');
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Returns the exponent k of cost = c * size^k, fitted in log space: 0 is constant, 1 is linear. */
export function fittedExponent(
  points: readonly { readonly size: number; readonly cost: number }[],
): number {
  const logs = points.map(({ size, cost }) => [Math.log(size), Math.log(cost)] as const);
  const mean = (at: 0 | 1) => logs.reduce((sum, log) => sum + log[at], 0) / logs.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const slope = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return slope / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

/** A state of ordinary size, about 600 bytes. */
export function stateParams(name: string): Record<string, unknown> {
  return {
    name,
    conversationContext:
      'We decided on JWT tokens for auth, set up the basic structure, and agreed to keep refresh tokens in an httpOnly cookie. '.repeat(
        2,
      ),
    activeTask: 'Implementing token refresh logic',
    activeFiles: ['src/auth/jwt.ts', 'src/auth/middleware.ts'],
    nextSteps: ['Add refresh token endpoint', 'Test token expiration', 'Add logout flow'],
    tags: ['auth', 'in-progress'],
  };
}
