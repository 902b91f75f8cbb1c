import { describe, expect, it } from 'vitest';
import { conversationData, conversationOf } from '../../src/model/conversation.js';
import { allWorkspaces, isNameTaken } from '../../src/model/lookup.js';
import { emptyMemory, entityOf, fold, VAULT_SCOPE } from '../../src/model/memory.js';
import { stateOf } from '../../src/model/state.js';
import { workspaceOf } from '../../src/model/workspace.js';
import { lineOf } from '../fakes/events.js';

const created = lineOf({
  t: 'conv.new',
  e: 'chat',
  n: 1,
  d: conversationData({ workspaceId: 'default', title: 'Roses' }),
}).event;
const changed = lineOf({
  t: 'set',
  e: 'chat',
  n: 2,
  d: { '/title': 'Tulips', '/isPinned': true },
}).event;

describe('a conversation', () => {
  it('has the data of its creation and changes, in any order', () => {
    for (const events of [
      [created, changed],
      [changed, created],
    ]) {
      expect(conversationOf(entityOf(fold(emptyMemory, events), 'chat'))).toMatchObject({
        id: 'chat',
        workspaceId: 'default',
        title: 'Tulips',
        isPinned: true,
        isArchived: false,
      });
    }
  });

  it('is neither a workspace nor a state, and reserves no name', () => {
    const memory = fold(emptyMemory, [created]);
    expect([workspaceOf(entityOf(memory, 'chat')), stateOf(entityOf(memory, 'chat'))]).toEqual([
      undefined,
      undefined,
    ]);
    expect([isNameTaken(memory, VAULT_SCOPE, 'Roses'), allWorkspaces(memory).length]).toEqual([
      false,
      1,
    ]);
  });

  it('needs a workspace and a title', () => {
    const { event } = lineOf({ t: 'conv.new', e: 'chat', d: { ws: 'default' } });
    expect(conversationOf(entityOf(fold(emptyMemory, [event]), 'chat'))).toBeUndefined();
  });
});
