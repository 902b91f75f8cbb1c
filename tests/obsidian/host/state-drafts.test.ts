import { expect, test } from 'vitest';
import {
  dropStateDrafts,
  storedStateDrafts,
  type UnsavedState,
} from '../../../src/obsidian/host/state-drafts.js';

/** Returns the app's storage of one vault, which holds nothing but JSON. */
function createStorage() {
  const held = new Map<string, string>();
  return {
    held,
    loadLocalStorage: (key: string): unknown => JSON.parse(held.get(key) ?? 'null'),
    saveLocalStorage(key: string, value: unknown) {
      if (value === null) held.delete(key);
      else held.set(key, JSON.stringify(value));
    },
  };
}

function draftOf(name: string): UnsavedState {
  const typed = { name, conversationContext: '', activeTask: '', nextSteps: '', description: '' };
  return { typed, activeFiles: ['a.md'], tags: ['beds'] };
}

test('drafts are kept by place and workspace', () => {
  const app = createStorage();
  storedStateDrafts(app, 'memory').set('w1', draftOf('One'));
  storedStateDrafts(app, 'c1').set('w1', draftOf('Two'));
  storedStateDrafts(app, 'memory').set('w2', draftOf('Three'));
  expect(storedStateDrafts(app, 'memory').get('w1')).toEqual(draftOf('One'));
  expect(storedStateDrafts(app, 'c1').get('w1')).toEqual(draftOf('Two'));
  expect(storedStateDrafts(app, 'c1').has('w2')).toBe(false);
  storedStateDrafts(app, 'memory').delete('w1');
  expect(storedStateDrafts(app, 'memory').has('w1')).toBe(false);
  dropStateDrafts(app, ({ typed }, place) => typed.name === 'Three' || place === 'c1');
  expect(app.held.size).toBe(0);
});

test('what is no draft counts as none', () => {
  const app = createStorage();
  for (const stored of ['text', { memory: { w1: { typed: 5 } } }, [1]]) {
    app.saveLocalStorage('savepoint-state-drafts', stored);
    expect(storedStateDrafts(app, 'memory').get('w1')).toBeUndefined();
  }
  storedStateDrafts(app, 'memory').set('w1', draftOf('One'));
  expect(storedStateDrafts(app, 'memory').get('w1')).toEqual(draftOf('One'));
});
