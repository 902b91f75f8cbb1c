import { expect, it } from 'vitest';
import { runInTurn } from '../../src/platform/parallel.js';

const PARTS = ['servers', 'chat', 'log', 'database'];

it.each(PARTS.flatMap((part) => [true, false].map((isAsync) => [part, isAsync] as const)))(
  'closes all parts if that of the %s fails (at once: %s)',
  async (failing, isAsync) => {
    const closed: string[] = [];
    const failure = new Error(`${failing} cannot be closed`);
    const running = runInTurn(
      PARTS.map((part) => () => {
        closed.push(part);
        if (part !== failing) return undefined;
        if (isAsync) return Promise.reject(failure);
        throw failure;
      }),
    );
    await expect(running).rejects.toBe(failure);
    expect(closed).toEqual(PARTS);
  },
);
