import { expect, it } from 'vitest';
import { DEFAULT_WORKSPACE, emptyMemory, fold, type Memory } from '../../src/model/memory.js';
import { CurrentWorkspace } from '../../src/obsidian/current-workspace.js';
import { createStore } from '../../src/obsidian/store.js';
import { clockText, eventOf, workspaceDraft } from '../fakes/events.js';

const events = [
  workspaceDraft('Garden', 'garden'),
  workspaceDraft('House', 'house'),
  { t: 'set', e: 'garden', d: { '/isArchived': true } },
].map((draft, minute) => eventOf({ ...draft, n: minute + 1, h: clockText(minute) }));

function open(memory: Memory = fold(emptyMemory, events.slice(0, 2))) {
  const memoryStore = createStore(memory);
  const stored: string[] = [];
  const device = {
    loadLocalStorage: () => null,
    saveLocalStorage: (_: string, id: unknown) => stored.push(String(id)),
  };
  const current = new CurrentWorkspace(device, memoryStore, DEFAULT_WORKSPACE);
  return { current, memoryStore, stored };
}

it('the current workspace is that of the view in focus', () => {
  const { current, stored } = open();
  current.focus('garden');
  expect([current.id.get(), current.deviceId.get()]).toEqual(['garden', DEFAULT_WORKSPACE]);
  current.focus(undefined);
  expect([current.id.get(), stored]).toEqual([DEFAULT_WORKSPACE, []]);
});

it('a workspace that the user enters counts until the focus moves', () => {
  const { current, stored } = open();
  current.focus('garden');
  current.enter('house');
  expect([current.id.get(), current.deviceId.get(), stored]).toEqual(['house', 'house', ['house']]);
  current.focus('garden');
  expect(current.id.get()).toBe('garden');
});

it('a view of an archived or unknown workspace does not count', () => {
  const { current, memoryStore } = open();
  current.focus('garden');
  memoryStore.set(fold(emptyMemory, events));
  expect(current.id.get()).toBe(DEFAULT_WORKSPACE);
  current.focus('not here');
  expect(current.id.get()).toBe(DEFAULT_WORKSPACE);
});
