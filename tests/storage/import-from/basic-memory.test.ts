import { describe, expect, it } from 'vitest';
import { createVault, ROOT } from '../helpers.js';
import { verify } from '../../../src/storage/verify.js';
import { bringIn, rememberedIn } from './importing.js';
import { fileOf } from './nexus-vault.js';

const TEXT = `---
title: Signing in
type: decision
permalink: notes/signing-in
tags: [auth, api]
status: active
created: 2025-07-08
---
# Signing in

Some words of its own.

- [decision] Tokens are short #security (since May)
- [ ] not this, a task
- [x] nor this
- [a link](x.md) nor this
- depends_on [[User table]] (for now)
- [[Bare]]
\`\`\`
- [code] nor this
\`\`\`
`;

const OBSERVED =
  'Observed:\n- [decision] Tokens are short #security (since May)\n\nRelated:\n- depends_on [[User table]] (for now)\n- relates_to [[Bare]]';

async function bringNotes(...notes: ReturnType<typeof fileOf>[]) {
  const vault = createVault();
  const report = await bringIn(vault.files, 'basic-memory', notes);
  return { vault, report, ...(await rememberedIn(vault)) };
}

describe('a note of Basic Memory', () => {
  it('in the vault becomes a state that points to it, with what was observed and what is related', async () => {
    const { vault, report, states } = await bringNotes(fileOf('signing.md', TEXT, { vaultPath: 'Memory/signing.md' }));
    expect(report).toMatchObject({ read: 1, troubles: [], leftOut: [] });
    expect(states.get('Basic Memory/Signing in')).toMatchObject({
      ...{ conversationContext: OBSERVED, activeFiles: ['Memory/signing.md'], nextSteps: [], description: 'decision' },
      ...{ tags: ['auth', 'api', 'security'], createdAt: '2025-07-08T00:00:00.000Z' },
    });
    expect(await verify(vault.files, ROOT)).toMatchObject({ isWhole: true });
  });

  it('elsewhere becomes a state that holds its whole text and its properties', async () => {
    const { states } = await bringNotes(fileOf('signing.md', TEXT));
    const { conversationContext, activeFiles } = states.get('Basic Memory/Signing in')!;
    expect(activeFiles).toEqual([]);
    expect(conversationContext).toContain('Some words of its own.');
    expect(conversationContext).toMatch(
      /- \[code\] nor this\n```\n\nProperties:\n- permalink: notes\/signing-in\n- status: active\n- created: 2025-07-08$/,
    );
  });

  it('in the vault comes once, though it goes on changing; elsewhere what has changed stands beside', async () => {
    const inside = { vaultPath: 'Memory/signing.md' };
    for (const [more, added] of [
      [inside, 0],
      [{}, 1],
    ] as const) {
      const { vault } = await bringNotes(fileOf('signing.md', TEXT, more));
      const again = await bringIn(vault.files, 'basic-memory', [fileOf('signing.md', TEXT, more)]);
      expect(again.files).toEqual([]);
      const grown = await bringIn(vault.files, 'basic-memory', [fileOf('signing.md', `${TEXT}\n- [fact] More\n`, more)]);
      expect(grown.kinds.states.added).toBe(added);
    }
  });

  it('is known by its permalink or by what was observed in it; other notes are counted as left out', async () => {
    const { report, states } = await bringNotes(
      fileOf('a/plain.md', '# Plain\n\n- a [[Link]] in a list\n'),
      fileOf('a/Linked.md', '---\npermalink: x\n---\n', { modified: Date.UTC(2024, 0, 1) }),
      fileOf('b/Observed.md', '* [fact] It rains\n'),
      fileOf('c/Observed.md', '---\npermalink: x\n---\n* [fact] It pours\n'),
    );
    expect(report).toMatchObject({ read: 4, leftOut: [{ why: 'otherNotes', count: 1 }] });
    expect([...states.keys()].sort()).toEqual(['Basic Memory/Linked', 'Basic Memory/Observed', 'Basic Memory/Observed (Basic Memory)']);
    expect(states.get('Basic Memory/Linked')?.createdAt).toBe('2024-01-01T00:00:00.000Z');
  });
});
