import { beforeAll, describe, expect, it } from 'vitest';
import { createTestVault, stateNamed, type TestVault } from '../../fakes/test-vault.js';

/** Decisions by the state that they are saved with; several are about similar things on purpose. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  'Checkout rounding': [
    'Amounts are rounded half even, because half up favoured the shop in long carts',
    'Prices stay in cents, because floats lost a cent per thousand orders',
  ],
  'Facade offers': [
    'Larch cladding for the north side, because it weathers without paint',
    'Render on the street side, because the city demands it',
  ],
  'Queue choice': [
    'RabbitMQ carries the jobs, because Kafka needs a team of its own',
    'Jobs expire after two days, because stale ones confuse the support',
  ],
  'Boat hull': ['The hull is painted with epoxy, because antifouling flaked off in brackish water'],
  'Wedding seating': ['Aunt Vera sits by the door, because she leaves early'],
  'Thesis sampling': [
    'Samples come from three depths, because the thermocline moves in May',
    'The pilot site is left out, because its logger failed',
  ],
  'Router setup': ['IPv6 is off on the guest network, because the printer floods it'],
  'Novel outline': [
    'The lighthouse warden narrates, because only he sees both shores',
    'The storm moves to chapter nine, because chapter four was crowded',
  ],
  'Bread trials': ['Dough rests 18 hours, because shorter rests tasted flat'],
  'Choir season': ['The concert starts at five, because families come with children'],
  'Solar offer': ['Panels face east and west, because the evening price is higher'],
  'Search ranking': ['BM25 stays the base, because tuning embeddings took weeks'],
  'Garden wall': ['Dry stone without mortar, because lizards live in the gaps'],
  'Payroll import': ['CSV instead of the API, because the vendor throttles it'],
  'Bike tour': ['The pass is skipped, because snow lies there until June'],
};

/** Questions with a text that only the decision has that answers. */
const QUESTIONS: readonly (readonly [question: string, answer: string])[] = [
  ['why was half even rounding chosen', 'half up favoured the shop'],
  ['larch cladding decision', 'weathers without paint'],
  ['why are prices kept in cents', 'floats lost a cent'],
  ['why RabbitMQ and not something else', 'needs a team of its own'],
  ['reason that jobs expire', 'stale ones confuse'],
  ['why epoxy on the hull', 'flaked off in brackish water'],
  ['where does aunt Vera sit and why', 'leaves early'],
  ['why three sampling depths', 'thermocline moves'],
  ['why was the pilot site dropped', 'logger failed'],
  ['why is IPv6 disabled for guests', 'printer floods'],
  ['who narrates the novel and why', 'sees both shores'],
  ['why did the storm move', 'chapter four was crowded'],
  ['how long does the dough rest', 'tasted flat'],
  ['why does the concert start at five', 'families come'],
  ['why do the panels face east', 'evening price'],
  ['why did we keep BM25', 'tuning embeddings'],
  ['why is there no mortar in the wall', 'lizards live'],
  ['why CSV for payroll', 'vendor throttles'],
  ['why do we skip the pass', 'snow lies'],
  ['why render on the street side', 'city demands'],
];

const UNANSWERED = [
  'why was MongoDB chosen',
  'which colour has the submarine',
  'what does the orchestra cost',
  'why did we cancel the zoo visit',
  'password of the espresso machine',
];

interface Row {
  readonly type: string;
  readonly tool?: string;
  readonly content: string;
}

describe('questions about decisions', () => {
  let vault: TestVault;

  beforeAll(async () => {
    vault = createTestVault();
    for (const [name, decisions] of Object.entries(STATES))
      await vault.data('createState', stateNamed(name, { decisions: [...decisions] }));
    await vault.data('searchMemory', { query: 'warm', workspaceId: 'default' });
  });

  it.each(QUESTIONS)('"%s" finds its decision in the first row', async (query, answer) => {
    const [first] = (await vault.data('searchMemory', { query })) as Row[];
    expect(first?.content).toContain(answer);
  });

  it.each(UNANSWERED)('"%s" has no answer, and says so', async (query) => {
    const { data, notice = '' } = await vault.call('searchMemory', { query });
    if ((data as Row[]).length > 0) expect(notice).toMatch(/Nothing matches well|No hit contains/);
  });

  it('never shows the calls of the session', async () => {
    await vault.idle();
    for (const [query] of QUESTIONS) {
      const rows = (await vault.data('searchMemory', { query })) as Row[];
      expect(rows.filter(({ tool }) => tool !== undefined)).toEqual([]);
    }
  });
});
