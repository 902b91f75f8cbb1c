import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { answerToResult, routeCall } from '../../../src/bridge/mcp-tools.js';
import { visibleText } from '../../../src/model/text/visible-text.js';
import type { Answer } from '../../../src/toolkit/answer.js';
import { callTool } from '../../../src/toolkit/call-tool.js';
import { SURFACES, type Surface } from '../../../src/toolkit/surfaces.js';
import { callOn } from '../../fakes/surface-calls.js';
import { createTestVault, type TestVault } from '../../fakes/test-vault.js';
import { perTier, inFull } from '../../tier.js';

const itInFull = it.runIf(inFull('the cost of a state'));

/** Bounds on the start of an answer, in characters. */
const SHORT_WORK = 1500;
const START = 2000;
/** Bounds on the tokens of an answer, relative to those of the texts that were saved. */
const FACTOR = 1.1;
const EXTRA_TOKENS = 60;
/** Tokens of the smallest state that someone would save, since names of fields cost some, too. */
const MIN_TOKENS = 500;

const WORDS = [
  'auth',
  'Beds',
  'half even',
  'до',
  '進捗',
  '👩‍💻',
  'a"b',
  'c\\d',
  'zero\u200bwidth',
  '\u202egnp',
  'promised to Ana by 2026-12-03',
  'do not touch legacy.ts',
  'tried Redis, failed',
  'naïve',
];
const word = fc.constantFrom(...WORDS);
const text = fc
  .array(word, { minLength: 1, maxLength: 12 })
  .map((words) => words.join(' '))
  .chain((start) => fc.constantFrom(start, `${start}\n- ${start}`));
/** A text that is valid as a name, too. */
const title = fc
  .tuple(
    fc.constantFrom('Use', 'Why', 'Keep', 'Ask'),
    fc.nat(9999),
    fc.constantFrom('JWT', 'до', 'a"b'),
  )
  .map((parts) => parts.join(' '));
const file = fc
  .tuple(fc.constantFrom('src', 'Garden', 'Pläne'), fc.nat(99), fc.constantFrom('ts', 'md'))
  .map(([folder, at, extension]) => `${folder}/file ${at}.${extension}`);

const state = fc.record({
  name: title,
  conversationContext: fc.oneof(
    { weight: 9, arbitrary: text },
    { weight: 1, arbitrary: text.map((one) => `${one}\n`.repeat(1500)) },
  ),
  activeTask: text,
  activeFiles: fc.array(file, { maxLength: 6 }),
  nextSteps: fc.array(text, { maxLength: 6 }),
  description: text,
  tags: fc.array(text, { maxLength: 3 }),
  decisions: fc.array(title, { maxLength: 6 }),
  questions: fc.array(title, { maxLength: 4 }),
});

type SavedState = typeof state extends fc.Arbitrary<infer T> ? T : never;

const world = fc.record({
  state,
  others: fc.array(state, { maxLength: 2 }),
  records: fc.array(title, { maxLength: 5 }),
  /** How many of the decisions are superseded or dropped later. */
  changes: fc.nat(3),
  surface: fc.constantFrom(...SURFACES),
});

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** Makes a call as a client of this surface makes it. */
async function ask(
  { toolkit }: TestVault,
  surface: Surface,
  tool: string,
  params: Record<string, unknown>,
  sessionId = 'other',
): Promise<Answer> {
  const spoken = callOn(surface, tool, params);
  const routed = routeCall(toolkit, surface, spoken.name, spoken.arguments);
  const request = { tool: routed.tool.name, params: routed.params, defaults: { sessionId } };
  return callTool(toolkit, request);
}

/**
 * Loads all parts of a state. Returns the text of each answer, and what its fields say with their
 * parts joined.
 */
async function loadAll(vault: TestVault, surface: Surface, name: string) {
  const texts: string[] = [];
  const fields = new Map<string, string>();
  for (let part = 1, parts = 1; part <= parts; part++) {
    const answer = await ask(vault, surface, 'loadState', { name, part });
    if (!answer.success) throw new Error(answer.error);
    expect(answer.notice ?? '').not.toContain('truncated');
    const [content] = answerToResult(answer).content;
    texts.push(content?.type === 'text' ? content.text : '');
    const data = answer.data as Record<string, unknown>;
    parts = typeof data['parts'] === 'number' ? data['parts'] : 1;
    for (const [field, value] of Object.entries(data)) {
      const text = Array.isArray(value) ? `${value.map(String).join('\n')}\n` : String(value);
      fields.set(field, (fields.get(field) ?? '') + text);
    }
  }
  return { texts, shown: [...fields.values()].join('\n') };
}

async function save(
  vault: TestVault,
  { name, ...content }: SavedState,
  at: string,
): Promise<string> {
  const unique = `${name} ${at}`;
  const answer = await ask(
    vault,
    'full',
    'createState',
    { name: unique, ...content },
    `saver ${at}`,
  );
  if (!answer.success) throw new Error(answer.error);
  return unique;
}

/** Changes a vault after the state was saved, and fills it with what other sessions do. */
async function liveOn(vault: TestVault, world: World): Promise<void> {
  const { state: saved, others, records, changes } = world;
  for (const [at, other] of others.entries()) await save(vault, other, `other ${at}`);
  for (const [at, record] of records.entries())
    await ask(vault, 'full', 'createRecord', {
      resource: 'issue',
      title: `${record} ${at}`,
      ...(at === 0 && { remindAt: '2020-01-01' }),
    });
  await ask(vault, 'full', 'createRecord', { resource: 'decision', title: 'The newest one' });
  for (const decision of saved.decisions.slice(0, changes))
    await ask(vault, 'full', 'updateRecord', { title: decision, supersededBy: 'The newest one' });
}

/** Returns the number of tokens of texts as a model reads them. */
function tokensOf(texts: readonly string[]): number {
  return encode(JSON.stringify(texts.map(visibleText))).length;
}

/** Returns every text that was passed to createState, as an answer may show it. */
function textsOf({
  name,
  tags,
  nextSteps,
  activeFiles,
  decisions,
  questions,
  ...rest
}: SavedState) {
  const texts = [...Object.values(rest), ...tags, ...nextSteps, ...activeFiles];
  return [name, ...texts, ...decisions, ...questions].map(visibleText);
}

describe('a state', () => {
  it('comes back whole, on every surface, whatever else there is', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (made) => {
        const vault = createTestVault();
        const name = await save(vault, made.state, 'itself');
        await liveOn(vault, made);
        const { shown } = await loadAll(vault, made.surface, name);
        const missing = textsOf(made.state).filter((each) => !shown.includes(each));
        expect(missing).toEqual([]);
      }),
      { numRuns: perTier(12, 100, 2000), endOnFailure: true },
    );
  });

  it('begins with the work, its decisions and its questions', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (made) => {
        const vault = createTestVault();
        const name = await save(vault, made.state, 'itself');
        await liveOn(vault, { ...made, changes: 0 });
        const { texts } = await loadAll(vault, made.surface, name);
        const { activeTask, nextSteps, decisions, questions } = made.state;
        const work = [activeTask, ...nextSteps, ...decisions, ...questions].map((each) =>
          JSON.stringify(visibleText(each)).slice(1, -1),
        );
        const [first = ''] = texts;
        if (work.join('","').length <= SHORT_WORK) {
          for (const each of work) expect(first.slice(0, START)).toContain(each);
          return;
        }
        const all = texts.join('\n'); // the other fields may be in later parts
        const ends = work.map((each) => all.indexOf(each));
        // empty ones are absent
        const later = ['activeFiles', 'tags', 'description', 'createdAt', 'conversationContext'];
        for (const field of later) {
          const at = all.indexOf(`"${field}"`);
          if (at >= 0 || field === 'conversationContext')
            expect(Math.max(...ends)).toBeLessThan(at);
        }
      }),
      { numRuns: perTier(12, 100, 2000), endOnFailure: true },
    );
  });

  itInFull('costs little more than its texts', async () => {
    let checked = 0;
    await fc.assert(
      fc.asyncProperty(world, async (made) => {
        const vault = createTestVault();
        const name = await save(vault, made.state, 'itself');
        await liveOn(vault, { ...made, changes: 0 });
        const { texts } = await loadAll(vault, made.surface, name);
        const { name: _, ...content } = made.state;
        const saved = tokensOf([name, ...Object.values(content).flat()]);
        if (texts.length > 1 || saved < MIN_TOKENS) return;
        expect(encode(texts[0] ?? '').length).toBeLessThanOrEqual(FACTOR * saved + EXTRA_TOKENS);
        checked++;
      }),
      { numRuns: perTier(12, 100, 2000), endOnFailure: true },
    );
    expect(checked).toBeGreaterThan(0);
  });
});
