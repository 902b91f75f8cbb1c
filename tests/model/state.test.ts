import { describe, expect, it } from 'vitest';
import { apply, emptyMemory, entityOf } from '../../src/model/memory.js';
import { stateData, stateOf, canonicalStateText } from '../../src/model/state.js';
import { clockText, contentOf, eventOf, stateDraft } from '../fakes/events.js';

describe('a state', () => {
  it('has its content and creation time', async () => {
    const content = contentOf('Save', { description: 'd', tags: ['x'] });
    const draft = await stateDraft('Save', 's1', 'w1', { description: 'd', tags: ['x'] });
    const state = stateOf(entityOf(apply(emptyMemory, eventOf(draft)), 's1'));
    expect(state).toEqual({
      ...content,
      id: 's1',
      workspaceId: 'w1',
      sha: draft.d['sha'],
      isArchived: false,
      createdAt: clockText(0).slice(0, 24),
    });
  });

  it('is undefined for a workspace or an unknown id', () => {
    expect(stateOf(entityOf(emptyMemory, 'default'))).toBeUndefined();
    expect(stateOf(entityOf(emptyMemory, 'nothing'))).toBeUndefined();
  });

  it('has the same text if empty fields are given or omitted', () => {
    expect(
      canonicalStateText(contentOf('Save', { tags: [], decisions: [], description: undefined })),
    ).toBe(canonicalStateText(contentOf('Save')));
    expect(canonicalStateText(contentOf('Save'))).toBe(
      '["Save","We spoke","Test",["a.md"],["Go on"],null,[],[],[]]',
    );
  });

  it('has a different text for different content', () => {
    const contents = [
      contentOf('Save'),
      contentOf('save'),
      contentOf('Save', { description: '' }),
      contentOf('Save', { tags: ['x'] }),
      contentOf('Save', { decisions: ['x'] }),
      contentOf('Save', { questions: ['x'] }),
      contentOf('Save', { activeFiles: ['a.md', 'Go on'], nextSteps: [] }),
    ];
    expect(new Set(contents.map(canonicalStateText)).size).toBe(contents.length);
  });

  it('omits empty fields from the log', () => {
    expect(
      Object.keys(stateData('w1', contentOf('Save', { tags: [], questions: [] }), 'sha')),
    ).toEqual([
      'ws',
      'name',
      'conversationContext',
      'activeTask',
      'activeFiles',
      'nextSteps',
      'sha',
    ]);
  });
});
