import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleText } from '../../../../src/model/text/visible-text.js';
import { MAX_ANSWER_CHARACTERS } from '../../../../src/toolkit/answer-limit.js';
import { createTestVault, stateNamed, type TestVault } from '../../../fakes/test-vault.js';
import { perTier, inFull } from '../../../tier.js';

const itInFull = it.runIf(inFull('random states'));

function lengthOf(answer: unknown): number {
  return JSON.stringify(answer).length;
}

describe('a long state', () => {
  const long = stateNamed('Long', {
    conversationContext: Array.from({ length: 6000 }, (_, index) => `word ${index}\n`).join(''),
    activeTask: 'Implement token refresh',
    nextSteps: ['Add an endpoint', 'Test expiration'],
    activeFiles: ['src/auth/jwt.ts'],
    tags: ['auth'],
  });

  it('begins with the task and all next steps', async () => {
    const vault = createTestVault();
    expect(lengthOf(long)).toBeGreaterThan(60_000);
    const saved = await vault.call('createState', long);
    expect(saved).toMatchObject({
      success: true,
      notice: expect.stringMatching(
        /The state is saved, but it has \d+ characters\. Clients show only the start of a long answer: stay below 16000, and put details into notes listed in activeFiles\.$/,
      ) as string,
    });
    const answer = await vault.call('loadState', { name: 'Long' });
    const start = JSON.stringify(answer).slice(0, 2000);
    for (const text of ['Implement token refresh', 'Add an endpoint', 'Test expiration'])
      expect(start).toContain(text);
    expect(start).toContain(
      'This is part 1 of 3. Call loadState with name \\"Long\\" and part 2 for more.',
    );
    const fields = Object.keys((answer as { data: object }).data).join(' ');
    expect(fields).toBe(
      'name part parts activeTask nextSteps activeFiles otherFiles tags savedBy createdAt conversationContext',
    );
  });

  itInFull('comes back exactly from its parts', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 400 });
    const longText = fc
      .tuple(text, fc.constantFrom(1, 300, 8000))
      .map(([piece, times]) => `x${piece.repeat(times)}`);
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          conversationContext: longText,
          activeTask: longText,
          description: longText,
          nextSteps: fc.array(
            text.map((step) => `s${step}`),
            { maxLength: 60 },
          ),
          tags: fc.array(
            text.map((tag) => `t${tag}`),
            { maxLength: 3 },
          ),
        }),
        async (content) => {
          const vault = createTestVault();
          await vault.data('createState', stateNamed('Any', content));
          expect(await readParts(vault, 'Any')).toEqual({
            activeFiles: [],
            ...visible(content),
            ...(content.tags.length === 0 && { tags: undefined }),
          });
        },
      ),
      { numRuns: perTier(20, 60, 600) },
    );
  });

  it('of 60 KB comes back exactly, and so do 4,000 next steps', async () => {
    const vault = createTestVault();
    const nextSteps = Array.from({ length: 4000 }, (_, index) => `Step number ${index}`);
    await vault.data('createState', long);
    await vault.data('createState', stateNamed('Steps', { nextSteps }));
    const { name: _, ...content } = long;
    expect(await readParts(vault, 'Long')).toMatchObject(content);
    expect(await readParts(vault, 'Steps')).toMatchObject({ nextSteps });
  });

  it('has an entry that is longer than a part in several of them', async () => {
    const vault = createTestVault();
    const step = Array.from({ length: 20_000 }, (_, index) => `${index}`).join(' ');
    await vault.data('createState', stateNamed('Step', { nextSteps: ['First', step, 'Last'] }));
    const { nextSteps } = await readParts(vault, 'Step');
    expect((nextSteps as string[]).join('')).toBe(`First${step}Last`);
  });

  it('has no more parts than it says', async () => {
    const vault = createTestVault();
    await vault.data('createState', long);
    expect(await vault.error('loadState', { name: 'Long', part: 4 })).toBe(
      'State "Long" has no part 4. Pass a part from 1 to 3.',
    );
  });
});

/** Returns the fields with all characters visible. */
function visible(content: Record<string, string | string[]>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(content).map(([field, value]) => [
      field,
      typeof value === 'string' ? visibleText(value) : value.map(visibleText),
    ]),
  );
}

/** Loads every part of a state, and joins their texts and lists. */
async function readParts(vault: TestVault, name: string): Promise<Record<string, unknown>> {
  const joined: Record<string, unknown> = { tags: undefined };
  for (let part = 1, parts = 1; part <= parts; part++) {
    const answer = await vault.call('loadState', { name, part });
    expect(lengthOf(answer)).toBeLessThanOrEqual(MAX_ANSWER_CHARACTERS);
    if (!answer.success) throw new Error(answer.error);
    expect(answer.notice ?? '').not.toContain('truncated');
    const data = answer.data as Record<string, string | string[] | number>;
    parts = typeof data['parts'] === 'number' ? data['parts'] : 1;
    for (const [key, value] of Object.entries(data)) {
      if (['name', 'part', 'parts', 'createdAt', 'savedBy', 'otherFiles'].includes(key)) continue;
      const before = joined[key];
      if (typeof value === 'string')
        joined[key] = typeof before === 'string' ? before + value : value;
      else if (Array.isArray(value))
        joined[key] = Array.isArray(before) ? [...(before as string[]), ...value] : value;
    }
  }
  return joined;
}
