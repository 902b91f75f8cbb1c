import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  marksIn,
  piecesOfWork,
  savePieces,
  type PiecesOfWork,
} from '../../fakes/pieces-of-work.js';
import { createTestVault, type TestVault } from '../../fakes/test-vault.js';
import { perTier, SEED } from '../../tier.js';

interface Loaded {
  readonly own: string;
  readonly before: string;
  readonly earlier: unknown[];
}

/** Loads all parts of a state, with what it says itself and of others apart. */
async function loadAll(vault: TestVault, name: string): Promise<Loaded> {
  const earlier: unknown[] = [];
  let all = '';
  for (let part = 1, parts = 1; part <= parts; part++) {
    const data = (await vault.data('loadState', { name, part })) as Record<string, unknown>;
    parts = (data['parts'] as number | undefined) ?? 1;
    const { earlier: more, perhaps: _, ...rest } = data;
    if (Array.isArray(more)) earlier.push(...(more as unknown[]));
    all += JSON.stringify(rest);
  }
  const before = (all.match(/\[before: .*?\)\]/g) ?? []).join('');
  return { own: all.replace(/\[before: .*?\)\]/g, ''), before, earlier };
}

async function checkPieces(pieces: PiecesOfWork): Promise<void> {
  const vault = createTestVault();
  await savePieces(vault, pieces);
  const marksOf = (isIn: (state: PiecesOfWork['states'][number]) => boolean) =>
    [...pieces.stateOf].filter(([, state]) => isIn(state)).map(([mark]) => mark);
  for (const [at, state] of pieces.states.entries()) {
    const { own, before, earlier } = await loadAll(vault, state.name);
    expect(new Set(marksIn(own))).toEqual(new Set(marksOf((other) => other === state)));
    const older = pieces.isStated[state.piece]
      ? pieces.states.slice(0, at).filter(({ piece }) => piece === state.piece)
      : [];
    const shown = [...marksIn(before), ...marksIn(earlier)];
    expect(shown.sort()).toEqual(marksOf((other) => older.includes(other)).sort());
  }
}

it('no piece of work takes in what another one says, or leaves out what it says itself', async () => {
  await fc.assert(fc.asyncProperty(piecesOfWork, checkPieces), {
    numRuns: perTier(20, 200, 2000),
    seed: SEED,
    endOnFailure: true,
  });
}, 600_000);
