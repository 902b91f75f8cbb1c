import { describe, expect, it } from 'vitest';
import { createIndex } from '../../../src/search/index.js';
import { momentDocument } from '../../../src/search/documents/memory-documents.js';

/** The scores that memories are found with, by key. */
function scoresOf(
  memories: Readonly<Record<string, { own: string; beside: string }>>,
): Readonly<Record<string, number>> {
  const index = createIndex();
  for (const [key, { own, beside }] of Object.entries(memories)) {
    index.put(
      momentDocument(
        key,
        '2026-11-20T10:00:00.000Z',
        [{ name: 'text', text: own, weight: 1 }],
        [beside],
        [],
      ),
    );
  }
  return Object.fromEntries(index.search('roses wall').map(({ key, score }) => [key, score]));
}

describe('nearness', () => {
  it('raises a text with the words side by side', () => {
    const { near, far } = scoresOf({
      near: { own: 'roses wall door garden', beside: 'oak' },
      far: { own: 'roses door garden wall', beside: 'oak' },
    });
    expect(near).toBeGreaterThan(far!);
  });

  it('counts for nothing in what was only before or after', () => {
    const { near, far } = scoresOf({
      near: { own: 'oak', beside: 'roses wall door garden' },
      far: { own: 'oak', beside: 'roses door garden wall' },
    });
    expect(near).toBe(far);
  });
});
