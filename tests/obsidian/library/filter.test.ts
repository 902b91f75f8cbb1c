import { describe, expect, it } from 'vitest';
import { allWorkspaces } from '../../../src/model/lookup.js';
import {
  hasAll,
  queryParts,
  stateText,
  workspaceText,
} from '../../../src/obsidian/library/filter.js';
import { readLibrary } from '../../../src/obsidian/library/library.js';
import { stateDraft, workspaceDraft } from '../../fakes/events.js';
import { memoryOf } from '../memory/memories.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';

async function textOf(more: Parameters<typeof stateDraft>[3]): Promise<string> {
  const [section] = await readLibrary(
    memoryOf(await stateDraft('Token Refresh', 'a', 'default', more)),
    NOOP_SCHEDULER,
  );
  return stateText(section!.states[0]!);
}

describe('the filter', () => {
  it.each([
    ['the name', 'refresh'],
    ['a tag', 'urgent'],
    ['the task', 'chase'],
    ['the description', 'halfway'],
    ['the context', 'nightly'],
  ])('searches %s', async (_, query) => {
    const text = await textOf({
      tags: ['urgent'],
      activeTask: 'Chase it',
      description: 'Halfway',
      conversationContext: 'The nightly run',
    });
    expect(hasAll(text, queryParts(query))).toBe(true);
    expect(hasAll(text, queryParts(`${query}x`))).toBe(false);
  });

  it('requires every query word, in any order, as a substring', async () => {
    const text = await textOf({});
    expect(hasAll(text, queryParts('  resh TOK '))).toBe(true);
    expect(hasAll(text, queryParts('token absent'))).toBe(false);
    expect(queryParts('   ')).toEqual([]);
  });

  it('ignores letter case and Unicode compatibility forms', async () => {
    const text = await textOf({ activeTask: 'Ｗｉｄｅ ＬＥＴＴＥＲＳ und ÄRGER' });
    expect(hasAll(text, queryParts('wide letters ärger'))).toBe(true);
  });

  it('searches names, descriptions, purposes and folders of workspaces', () => {
    const [, garden] = allWorkspaces(
      memoryOf(workspaceDraft('Garden', 'w1', { rootFolder: 'Outside' })),
    );
    for (const query of ['gard', 'about', 'to test', 'outside'])
      expect(hasAll(workspaceText(garden!), queryParts(query))).toBe(true);
    expect(hasAll(workspaceText(garden!), queryParts('inside'))).toBe(false);
  });
});
