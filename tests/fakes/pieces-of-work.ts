import fc from 'fast-check';
import type { TestVault } from './test-vault.js';

/** A state of a piece of work. Each of its texts contains marks like `q17`, which no other has. */
export interface PieceState {
  readonly name: string;
  readonly piece: number;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface PiecesOfWork {
  /** In the order in which they are saved. */
  readonly states: readonly PieceState[];
  /** By piece, true if its states name the one that they continue. */
  readonly isStated: readonly boolean[];
  /** State by mark. */
  readonly stateOf: ReadonlyMap<string, PieceState>;
}

const BATHROOMS = ['Upstairs', 'Downstairs', 'Attic'].map((room) => `${room} bathroom`);
const CLIENTS = ['Huber', 'Miller'].map((client) => `Rollout for ${client}`);
const REPORTS = Array.from({ length: 12 }, (_, week) => `Weekly report ${week + 1}`);
const TITLES = [...BATHROOMS, ...CLIENTS, ...REPORTS];

const STAGES = ['offers', 'plan', 'work', 'review', 'bill'];

/** Texts of a template. `#` becomes a mark, `@` the title of the piece. */
const CONTEXTS = [
  'Talked about the @: the price is # euros. Ana calls back on Monday, see #.',
  'The @ takes # days. Tried the cheap paint, which failed.\nThe supplier of the @ is number #.',
  'Sent the @ to Ben, who wants # changes. The first draft had # pages.',
];
const DECISIONS = [
  '@: grey tiles from shop #',
  '@: white tiles from shop #',
  'Ben signs the @ by day #',
  'Payment of the @ in # rates',
];
const QUESTIONS = ['Who pays for the @, see #?', 'When does the @ end, see #?'];
const STEPS = ['Call Ana about the @ and #', 'Order tiles for the @ at #', 'Send # to Ben'];

const someOf = (texts: readonly string[]) => fc.subarray([...texts], { maxLength: 2 });

const draft = fc.record({
  piece: fc.nat(TITLES.length - 1),
  stage: fc.constantFrom(...STAGES),
  context: fc.constantFrom(...CONTEXTS),
  decisions: someOf(DECISIONS),
  questions: someOf(QUESTIONS),
  steps: someOf(STEPS),
  hasFile: fc.boolean(),
});

/** Random states of three bathrooms, two clients and twelve weekly reports, mixed up. */
export const piecesOfWork: fc.Arbitrary<PiecesOfWork> = fc
  .record({
    drafts: fc.array(draft, { minLength: 6, maxLength: 24 }),
    /** Few pieces, so that they have several states. */
    titles: fc.shuffledSubarray(TITLES, { minLength: 3, maxLength: 7 }),
    isStated: fc.array(fc.boolean(), { minLength: TITLES.length, maxLength: TITLES.length }),
  })
  .map(({ drafts, titles, isStated }) => {
    const stateOf = new Map<string, PieceState>();
    const last = new Map<number, string>();
    let marks = 0;
    const states = drafts.map((each, at) => {
      const piece = each.piece % titles.length;
      const title = titles[piece]!;
      const own: string[] = [];
      const fill = (text: string) =>
        text.replaceAll('@', title).replaceAll('#', () => {
          const mark = `q${marks++}`;
          own.push(mark);
          return mark;
        });
      const name = `${title}, ${each.stage} ${at}`;
      const params = {
        name,
        conversationContext: fill(each.context),
        activeTask: fill('Work on the @ in #'),
        activeFiles: each.hasFile ? [`${title}.md`] : [],
        nextSteps: each.steps.map(fill),
        decisions: each.decisions.map(fill),
        questions: each.questions.map(fill),
        continues: isStated[piece] ? (last.get(piece) ?? '') : '',
      };
      last.set(piece, name);
      const state = { name, piece, params };
      for (const mark of own) stateOf.set(mark, state);
      return state;
    });
    return { states, isStated, stateOf };
  });

/** Saves each state in a session of its own, an hour after the one before. */
export async function savePieces(vault: TestVault, { states }: PiecesOfWork): Promise<void> {
  for (const [at, { params }] of states.entries()) {
    await vault.data('createState', params, { session: `session ${at}` });
    vault.clock.advance(60 * 60_000);
  }
}

/** Returns the marks in a value. */
export function marksIn(value: unknown): string[] {
  return JSON.stringify(value ?? '').match(/\bq\d+\b/g) ?? [];
}
