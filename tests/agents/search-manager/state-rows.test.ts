import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marksIn, piecesOfWork, savePieces } from '../../fakes/pieces-of-work.js';
import { createTestVault, stateNamed, type TestVault } from '../../fakes/test-vault.js';
import { perTier, SEED } from '../../tier.js';

interface Row {
  readonly type?: string;
  readonly name?: string;
  readonly newest?: string;
  readonly state?: string;
  readonly next?: string;
  readonly content: string;
  readonly createdAt: string;
}

const QUERIES = [
  'where were we with the upstairs bathroom',
  'grey tiles',
  'rollout for Miller, payment',
  'weekly report 11',
  'who signs by when',
  'cheap paint failed',
];

async function rowsOf(vault: TestVault, query: string, more: object = {}): Promise<Row[]> {
  return (await vault.data('searchMemory', { query, ...more })) as Row[];
}

it('each row has the name and the texts of one state', async () => {
  await fc.assert(
    fc.asyncProperty(piecesOfWork, async (pieces) => {
      const vault = createTestVault();
      await savePieces(vault, pieces);
      const dateRange = { start: '2026-11-20' };
      for (const [query, more] of [
        ...QUERIES.map((each) => [each, {}] as const),
        [QUERIES[0]!, { dateRange }] as const,
        ['', { dateRange }] as const,
      ])
        for (const { name, state, next, content } of await rowsOf(vault, query, more))
          for (const mark of marksIn([next, content])) {
            if (name === undefined && state === undefined) continue;
            expect(pieces.stateOf.get(mark)?.name).toBe(name ?? state);
          }
    }),
    { numRuns: perTier(10, 100, 2000), seed: SEED, endOnFailure: true },
  );
}, 600_000);

/** Saves of pieces of work that nobody linked, in the order in which they were made. */
const SAVES: readonly (readonly [name: string, more: Record<string, unknown>])[] = [
  ['Upstairs bathroom: offers', { conversationContext: 'Horst asks 4,200 euros for tiling.' }],
  ['Downstairs bathroom: offers', { conversationContext: 'Horst asks 1,900 euros for tiling.' }],
  ['Weekly report 7', { conversationContext: 'Sales grew, and the report went to Ben.' }],
  ['Upstairs bathroom: tiler booked', { conversationContext: 'Horst comes on 7 December.' }],
  ['Weekly report 8', { conversationContext: 'Sales fell, and the report went to Ben.' }],
  ['Upstairs bathroom: drain moved', { conversationContext: 'The drain is left of the window.' }],
];

describe('states without a link', () => {
  const save = async () => {
    const vault = createTestVault();
    for (const [at, [name, more]] of SAVES.entries()) {
      await vault.data('createState', stateNamed(name, more), { session: `session ${at}` });
      vault.clock.advance(24 * 60 * 60_000);
    }
    return vault;
  };
  const names = async (query: string, more: object = {}) =>
    (await rowsOf(await save(), query, more)).map(({ name }) => name);

  it('of the work that was asked for come newest first', async () => {
    const rows = await rowsOf(await save(), 'Where were we with the upstairs bathroom?');
    const upstairs = rows.filter(({ name }) => name?.startsWith('Upstairs'));
    expect(rows[0]?.name).toBe('Upstairs bathroom: drain moved');
    expect(upstairs.map(({ name, createdAt }) => [name, createdAt])).toEqual([
      ['Upstairs bathroom: drain moved', '2026-11-25T09:00Z'],
      ['Upstairs bathroom: tiler booked', '2026-11-23T09:00Z'],
      ['Upstairs bathroom: offers', '2026-11-20T09:00Z'],
    ]);
    expect(upstairs[1]?.newest).toBe('Upstairs bathroom: drain moved');
    expect(rows[0]).not.toHaveProperty('newest');
  });

  it('come first if they alone have the number that was asked for', async () => {
    const [first] = await rowsOf(await save(), 'upstairs bathroom 4,200');
    expect(first).toMatchObject({ name: 'Upstairs bathroom: offers' });
    expect(first?.content).toContain('4,200 euros');
    expect((await names('weekly report 7'))[0]).toBe('Weekly report 7');
  });

  it('of other pieces keep their own names and texts', async () => {
    const [first] = await rowsOf(await save(), 'offers for the downstairs bathroom');
    expect(first).toMatchObject({ name: 'Downstairs bathroom: offers' });
    expect(first?.content).toContain('1,900');
  });

  it('are listed in a period without newer ones of other days', async () => {
    const dateRange = { start: '2026-11-20', end: '2026-11-23' };
    expect(await names('', { dateRange, memoryTypes: ['states'] })).toEqual([
      'Upstairs bathroom: tiler booked',
      'Weekly report 7',
      'Downstairs bathroom: offers',
      'Upstairs bathroom: offers',
    ]);
  });
});

it('of states that were saved in one session, the matching one precedes a newer, other one', async () => {
  const vault = createTestVault();
  await vault.data('createState', stateNamed('Facade offers', { decisions: ['Larch cladding'] }));
  vault.clock.advance(60_000);
  await vault.data('createState', stateNamed('Solar offer', { decisions: ['Panels face east'] }));
  expect((await rowsOf(vault, 'larch cladding'))[0]).toMatchObject({ name: 'Facade offers' });
});

it('a state that the query names in quotation marks precedes a newer one', async () => {
  const vault = createTestVault();
  await vault.data('createState', stateNamed('Barn roof'));
  await vault.data('createState', stateNamed('Barn roof, laid'));
  expect((await rowsOf(vault, '"Barn roof"')).map(({ name, newest }) => [name, newest])).toEqual([
    ['Barn roof', 'Barn roof, laid'],
    ['Barn roof, laid', undefined],
  ]);
});

it('an older state with a superseded decision is marked', async () => {
  const vault = createTestVault();
  const old = {
    decisions: ['Retry for 24 hours'],
    conversationContext: 'The webhook retries a day.',
  };
  await vault.data('createState', stateNamed('Webhooks: retries', old));
  vault.clock.advance(60_000);
  const now = { decisions: ['Retry for 72 hours'], conversationContext: 'Merchants were down.' };
  await vault.data('createState', stateNamed('Webhooks: merchants', now));
  await vault.data('updateRecord', {
    title: 'Retry for 24 hours',
    supersededBy: 'Retry for 72 hours',
  });
  const rows = await rowsOf(vault, 'webhook retries', { memoryTypes: ['states'] });
  expect(rows.map(({ name }) => name)).toEqual(['Webhooks: merchants', 'Webhooks: retries']);
  expect(rows[0]?.content).not.toContain('superseded');
  expect(rows[1]).toMatchObject({ outcome: 'partly superseded' });
  expect(rows[1]?.content).toMatch(/^The webhook retries a day\./);
});
