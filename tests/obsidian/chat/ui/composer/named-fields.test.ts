import { expect, it } from 'vitest';
import { emptyMemory, fold } from '../../../../../src/model/memory.js';
import { namesFor } from '../../../../../src/obsidian/chat/ui/composer/named-fields.js';
import { NOOP_SCHEDULER } from '../../../../../src/platform/scheduler.js';
import { clockText, eventOf, stateDraft, workspaceDraft } from '../../../../fakes/events.js';

async function names(tool: string, field: string) {
  const drafts = [
    workspaceDraft('House', 'house'),
    workspaceDraft('Garden', 'garden'),
    await stateDraft('Beds', 'beds', 'garden'),
    await stateDraft('Seeds', 'seeds', 'garden'),
    await stateDraft('Roof', 'roof', 'house'),
    { t: 'set', e: 'beds', d: { '/isArchived': true } },
  ];
  const memory = fold(
    emptyMemory,
    drafts.map((draft, minute) => eventOf({ ...draft, n: minute + 1, h: clockText(minute) })),
  );
  return namesFor({ memory, tool, field, workspaceId: 'garden', scheduler: NOOP_SCHEDULER });
}

it('a field for a state offers the active states of the workspace', async () => {
  expect(await names('archiveState', 'name')).toEqual(['Seeds']);
});

it('a field for a workspace offers the workspaces, last used first', async () => {
  expect(await names('loadWorkspace', 'name')).toEqual(['House', 'Garden', 'Default']);
  expect(await names('searchContent', 'workspaceId')).toEqual(['House', 'Garden', 'Default']);
});

it('a field for a new name offers nothing', async () => {
  expect(await names('createState', 'name')).toBeUndefined();
});
