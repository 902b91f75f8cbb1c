import { describe, expect, it } from 'vitest';
import { idlePanel, panelAfter, type PanelEvent, type PanelState } from '../../src/chat/panel.js';
import type { Message, ToolPart } from '../../src/model/message.js';

const after = (...events: PanelEvent[]): PanelState => events.reduce(panelAfter, idlePanel);
const sent: PanelEvent = { type: 'sent', leafId: 'm1' };
const text = (piece: string): PanelEvent => ({ type: 'text', text: piece });
const asked: PanelEvent = { type: 'asked', call: { id: '1', tool: 'createState', params: {} } };
const part: ToolPart = {
  type: 'tool',
  id: '1',
  tool: 'createState',
  params: {},
  status: 'done',
  answer: { success: true },
};
const kept: Message = {
  id: 'm2',
  conversationId: 'c',
  parentId: 'm1',
  role: 'assistant',
  parts: [],
  createdAt: '2026-11-20T09:00:00.000Z',
};

describe('the panel', () => {
  it('waits for the first word, streams, and is idle again', () => {
    expect(after(sent).phase).toBe('waiting');
    expect(
      after(sent, text('a'), text('b'), { type: 'reasoning', text: 'c' }, text('d')),
    ).toMatchObject({
      phase: 'streaming',
      live: {
        said: [
          { type: 'text', text: 'ab' },
          { type: 'reasoning', text: 'c' },
          { type: 'text', text: 'd' },
        ],
      },
    });
    expect(
      after(sent, text('a'), { type: 'kept', message: kept }, { type: 'ended', step: undefined }),
    ).toEqual({
      ...idlePanel,
      leafId: 'm2',
    });
  });

  it('shows a call from being asked for to its answer', () => {
    const states = (['askPerson', 'personAnswered', 'running'] as const).map((type) => ({
      type,
      id: '1',
    }));
    const seen = states.map(
      (_, at) => after(sent, asked, ...states.slice(0, at + 1)).live?.calls[0]?.status,
    );
    expect(seen).toEqual(['asking', 'waiting', 'running']);
    expect(after(sent, asked, { type: 'answered', part }).live?.calls).toEqual([
      { id: '1', tool: 'createState', params: {}, status: 'done', part },
    ]);
  });

  it('shows a whole step until it is kept, so that nothing flickers', () => {
    const step = { parts: [], end: 'done', usage: undefined } as const;
    expect(after(sent, text('a'), { type: 'step', step }).live?.said).toEqual([
      { type: 'text', text: 'a' },
    ]);
  });

  it('is stopping until the turn has ended, whatever still comes', () => {
    expect(after(sent, text('a'), { type: 'stop' }, text('b'), asked).phase).toBe('stopping');
    expect(after({ type: 'stop' })).toBe(idlePanel);
  });

  it('says what failed until it is sent again, dismissed or another branch is shown', () => {
    const failed: PanelEvent = {
      type: 'ended',
      step: { parts: [], end: 'failed', usage: undefined, error: 'No network.', retryAfter: 5000 },
    };
    expect(after(sent, failed).failure).toEqual({ error: 'No network.', retryAfter: 5000 });
    for (const next of [
      sent,
      { type: 'dismissFailure' },
      { type: 'show', leafId: undefined },
    ] as const)
      expect(after(sent, failed, next).failure).toBeUndefined();
  });
});
