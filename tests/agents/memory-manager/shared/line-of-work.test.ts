import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { visibleText } from '../../../../src/model/text/visible-text.js';
import { createTestVault, stateNamed, type TestVault } from '../../../fakes/test-vault.js';
import { perTier, SEED } from '../../../tier.js';
import { MAX_ANSWER_CHARACTERS } from '../../../../src/toolkit/answer-limit.js';

/** A state of a chain, and what of it the newer ones do not say. */
interface Day {
  readonly state: Record<string, unknown> & { readonly name: string };
  readonly facts: readonly string[];
}

/** The chain of a survey, oldest first. */
const SURVEY: readonly Day[] = [
  {
    state: {
      name: 'Harbour survey, day 1',
      conversationContext:
        'Mapped the north quay with the multibeam. The tide gauge was 14 cm off until Ruben zeroed it. Do not anchor at the wreck, because the cable lies there.\nThe lidar failed twice: its mount is loose. The harbour master is Ines Prata. She wants a copy of everything.',
      activeTask: 'Map the north quay',
      activeFiles: ['survey/north.csv'],
      nextSteps: ['Buy a longer mount in Setúbal', 'Map the south quay'],
      decisions: ['Line spacing is 8 metres', 'The datum is chart zero of 1998'],
      questions: ['Who pays for the diver?'],
      tags: ['survey'],
    },
    facts: [
      'zeroed it',
      'the cable lies there',
      'its mount is loose',
      'She wants a copy of everything',
      'a longer mount in Setúbal',
      'Line spacing is 8 metres',
      'chart zero of 1998',
      'Who pays for the diver?',
    ],
  },
  {
    state: {
      name: 'Harbour survey, day 2',
      conversationContext:
        'Mapped the south quay with the multibeam. The harbour master is Ines Prata. Sound velocity casts every hour were useless; one in the morning was enough. The winch slipped under load, so Teresa held it by hand.',
      activeTask: 'Map the south quay',
      activeFiles: ['survey/south.csv'],
      nextSteps: ['Grease the winch', 'Map the basin'],
      decisions: ['Line spacing is 5 metres', 'Casts are taken once a day'],
      questions: ['May we enter the basin on Sunday?'],
    },
    facts: [
      'Ines Prata',
      'every hour were useless',
      'The winch slipped under load',
      'Grease the winch',
      'Line spacing is 5 metres',
      'Casts are taken once a day',
      'May we enter the basin on Sunday?',
    ],
  },
  {
    state: {
      name: 'Harbour survey, day 3',
      conversationContext:
        'Rain all day. Processed both quays: 3 of 41 lines are bad, all from the first hour. A median filter removed the fish, a mean filter smeared the quay wall.',
      activeTask: 'Process the quays',
      activeFiles: ['survey/north.csv', 'survey/south.csv'],
      nextSteps: ['Repeat line 17'],
      decisions: ['The median filter stays'],
    },
    facts: [
      '3 of 41 lines are bad',
      'a mean filter smeared the quay wall',
      'Repeat line 17',
      'The median filter stays',
    ],
  },
  {
    state: {
      name: 'Harbour survey, day 4',
      conversationContext:
        'Mapped the basin with the multibeam. The report goes to the city on 12 December 2026.',
      activeTask: 'Write the report',
      activeFiles: ['survey/report.md'],
      nextSteps: ['Draw the depth map'],
      decisions: ['The report shows depths in metres'],
      questions: ['How many copies?'],
      description: 'All mapped, report open',
      tags: ['survey', 'report'],
    },
    facts: [],
  },
];

const EARLIER = ['earlier', 'perhaps'];

interface Loaded {
  readonly parts: readonly Record<string, unknown>[];
  /** All texts of each field, the parts joined. */
  readonly fields: ReadonlyMap<string, string>;
}

/** Loads all parts of a state. */
async function loadAll(vault: TestVault, name: string): Promise<Loaded> {
  const parts: Record<string, unknown>[] = [];
  const fields = new Map<string, string>();
  for (let count = 1; parts.length < count;) {
    const answer = await vault.call('loadState', { name, part: parts.length + 1 });
    if (!answer.success) throw new Error(answer.error);
    expect(answer.notice ?? '').not.toContain('truncated');
    expect(JSON.stringify(answer).length).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS);
    const data = answer.data as Record<string, unknown>;
    count = (data['parts'] as number | undefined) ?? 1;
    parts.push(data);
    for (const [field, value] of Object.entries(data))
      fields.set(field, `${fields.get(field) ?? ''}${textOf(value)}`);
  }
  const beyond = await vault.error('loadState', { name, part: parts.length + 1 });
  expect(beyond).toContain('has no part');
  return { parts, fields };
}

/** Returns the texts and numbers in a value, a line each. */
function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return `${value}`;
  return Object.values(value ?? {})
    .map(textOf)
    .join('\n');
}

function timesIn(text: string, part: string): number {
  return text.split(part).length - 1;
}

async function saveChain(vault: TestVault, states: readonly Day['state'][]): Promise<void> {
  for (const [at, state] of states.entries()) {
    const continues = states[at - 1]?.name ?? '';
    await vault.data('createState', { ...state, continues }, { session: `session ${at}` });
    vault.clock.advance(24 * 60 * 60_000);
  }
}

describe('the newest state of a chain of four', () => {
  it('brings each fact of the older ones once, and its own texts whole', async () => {
    const vault = createTestVault();
    await saveChain(
      vault,
      SURVEY.map(({ state }) => state),
    );
    const { parts, fields } = await loadAll(vault, 'Harbour survey, day 4');
    const all = [...fields.values()].join('\n');
    for (const fact of SURVEY.flatMap(({ facts }) => facts))
      expect([fact, timesIn(all, fact)]).toEqual([fact, 1]);
    const { name, decisions, ...own } = SURVEY[3]!.state;
    expect(parts[0]).toMatchObject({ name, decisions, ...own });
    for (const part of parts) expect(encode(JSON.stringify(part)).length).toBeLessThanOrEqual(2500);
    expect(fields.has('perhaps')).toBe(false);
  });

  it('lists them newest first, with a replaced decision behind the newer one', async () => {
    const vault = createTestVault();
    await saveChain(
      vault,
      SURVEY.map(({ state }) => state),
    );
    const { earlier } = (await vault.data('loadState')) as {
      earlier: { state: string; savedOn: string; decisions: string[] }[];
    };
    expect(earlier.map(({ state, savedOn }) => [state, savedOn])).toEqual([
      ['Harbour survey, day 3', '2026-11-22'],
      ['Harbour survey, day 2', '2026-11-21'],
      ['Harbour survey, day 1', '2026-11-20'],
    ]);
    expect(earlier[1]!.decisions).toContain(
      'Line spacing is 5 metres [before: "Line spacing is 8 metres" (2026-11-20)]',
    );
    expect(earlier[2]!.decisions).toEqual(['The datum is chart zero of 1998']);
  });

  it('continues in parts of 2,500 tokens if they have much to say', async () => {
    const vault = createTestVault();
    const long = (day: number) =>
      Array.from(
        { length: 60 },
        (_, at) =>
          `Sounding ${day * 100 + at} was repeated because buoy ${day}x${at} drifted away.`,
      ).join(' ');
    await saveChain(
      vault,
      SURVEY.map(({ state }, day) => ({ ...state, conversationContext: long(day + 1) })),
    );
    const { parts, fields } = await loadAll(vault, 'Harbour survey, day 4');
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(encode(JSON.stringify(part)).length).toBeLessThanOrEqual(2500);
    const earlier = fields.get('earlier') ?? '';
    for (let day = 1; day <= 3; day++)
      for (let at = 0; at < 60; at++) expect(timesIn(earlier, `buoy ${day}x${at} `)).toBe(1);
  });

  it('brings a fact between sentences that newer states repeat', async () => {
    const vault = createTestVault();
    const [before, after] = [
      'The kitchen is tiled by Horst until the end of the week, starting at the window.',
      'The old stove goes to the neighbours, who fetch it with a van on the last evening.',
    ];
    const plumber = 'The plumber will be Ivan.';
    await saveChain(vault, [
      stateNamed('Kitchen 1', { conversationContext: `${before} ${plumber} ${after}` }),
      stateNamed('Kitchen 2', { conversationContext: `${before} ${after}` }),
    ] as Day['state'][]);
    expect(await vault.data('loadState')).toMatchObject({
      earlier: [{ state: 'Kitchen 1', context: [plumber] }],
    });
  });

  it('brings a sentence of known words for the name in it', async () => {
    const vault = createTestVault();
    const context = 'The invoice for the windows of the north side is paid by the bank';
    await saveChain(vault, [
      stateNamed('Windows 1', { conversationContext: `${context}, said Aurelia.` }),
      stateNamed('Windows 2', { conversationContext: `${context}.` }),
    ] as Day['state'][]);
    expect(await vault.data('loadState')).toMatchObject({
      earlier: [{ context: [`${context}, said Aurelia.`] }],
    });
  });

  it('cuts no sentence at a date', async () => {
    const vault = createTestVault();
    await saveChain(vault, [
      stateNamed('Umzug 1', { conversationContext: 'Der Umzug ist am 24. Oktober um 9 Uhr.' }),
      stateNamed('Umzug 2', { conversationContext: 'Im Oktober ist der Umzug.' }),
    ] as Day['state'][]);
    expect(await vault.data('loadState')).toMatchObject({
      earlier: [{ context: ['Der Umzug ist am 24. Oktober um 9 Uhr.'] }],
    });
  });

  it('puts a decision behind the nearest of several on similar subjects, if one is nearest', async () => {
    const vault = createTestVault();
    await saveChain(vault, [
      stateNamed('Bathrooms 1', {
        decisions: ['Downstairs bathroom: green tiles', 'Attic bathroom: oak floor'],
      }),
      stateNamed('Bathrooms 2', {
        decisions: ['Upstairs bathroom: white tiles', 'Downstairs bathroom: grey tiles'],
      }),
    ] as Day['state'][]);
    expect(await vault.data('loadState')).toMatchObject({
      decisions: [
        'Upstairs bathroom: white tiles',
        'Downstairs bathroom: grey tiles [before: "Downstairs bathroom: green tiles" (2026-11-20)]',
      ],
      earlier: [{ decisions: ['Attic bathroom: oak floor'] }],
    });
  });
});

const unit = fc.constantFrom('grapheme', 'grapheme-ascii', 'binary') as fc.Arbitrary<
  'grapheme' | 'grapheme-ascii'
>;
const word = fc.oneof(
  fc.constantFrom('tiles', 'Ivan', 'do not', '12', 'Größe', 'до', '進捗', 'a"b', 'c\\d', '.', '!'),
  unit.chain((kind) => fc.string({ unit: kind, maxLength: 8 })),
);
const words = (maxLength: number) =>
  fc.array(word, { minLength: 1, maxLength }).map((all) => `x${all.join(' ')}`);
const longText = fc.oneof(
  { weight: 60, arbitrary: words(40) },
  { weight: 1, arbitrary: words(30).map((text) => `${text}\n`.repeat(150)) },
  { weight: 1, arbitrary: words(3).map((text) => text.replace(/\s/g, '').repeat(3000)) },
);
/** A text that is valid as a title, too. */
const entry = fc
  .tuple(
    fc.constantFrom('Use', 'Why', 'Keep'),
    fc.nat(99),
    fc.constantFrom('tiles', 'Größe', 'до', '進捗', 'a"b'),
  )
  .map((parts) => parts.join(' '));
const savedState = fc.record({
  conversationContext: longText,
  activeTask: words(8),
  activeFiles: fc.constantFrom([], ['a.md'], ['b.md']),
  nextSteps: fc.array(words(10), { maxLength: 4 }),
  decisions: fc.array(entry, { maxLength: 4 }),
  questions: fc.array(entry, { maxLength: 2 }),
  description: words(6),
});
const memory = fc.array(
  fc.record({
    state: savedState,
    continues: fc.nat(3),
    isArchived: fc.nat(5).map((at) => at === 0),
  }),
  { minLength: 2, maxLength: 6 },
);

describe('any state of a random chain', () => {
  it('comes back with every text that was saved, in parts that fit', async () => {
    await fc.assert(
      fc.asyncProperty(memory, async (saves) => {
        const vault = createTestVault();
        for (const [at, { state, continues }] of saves.entries()) {
          const target = continues < at ? `State ${at - 1 - continues}` : '';
          await vault.data('createState', { name: `State ${at}`, ...state, continues: target });
          vault.clock.advance(60_000);
        }
        for (const [at, { isArchived }] of saves.entries())
          if (isArchived) await vault.data('archiveState', { name: `State ${at}` });
        for (const [at, { state, isArchived }] of saves.entries()) {
          if (isArchived) continue;
          const { fields } = await loadAll(vault, `State ${at}`);
          for (const [field, value] of Object.entries(state))
            for (const text of [value].flat())
              expect(fields.get(field) ?? '').toContain(visibleText(text));
          for (const list of EARLIER)
            for (const [other, each] of saves.entries())
              if (each.isArchived)
                expect(fields.get(list) ?? '').not.toMatch(new RegExp(`^State ${other}$`, 'm'));
        }
      }),
      { numRuns: perTier(40, 200, 5000), seed: SEED, endOnFailure: true },
    );
  }, 3_600_000);
});
