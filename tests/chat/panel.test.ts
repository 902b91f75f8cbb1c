import { describe, expect, it } from 'vitest';
import { idlePanel, reducePanel, type PanelEvent, type PanelState } from '../../src/chat/panel.js';
import type { Message, ToolPart } from '../../src/model/message.js';

const after = (...events: PanelEvent[]): PanelState => events.reduce(reducePanel, idlePanel);
const sent: PanelEvent = { type: 'sent', leafId: 'm1' };
const text = (piece: string): PanelEvent => ({ type: 'text', text: piece });
const requested: PanelEvent = {
  type: 'callRequested',
  call: { id: '1', tool: 'createState', params: {} },
};
const part: ToolPart = {
  type: 'tool',
  id: '1',
  tool: 'createState',
  params: {},
  status: 'done',
  answer: { success: true },
};
const stored: Message = {
  id: 'm2',
  conversationId: 'c',
  parentId: 'm1',
  role: 'assistant',
  parts: [],
  createdAt: '2026-11-20T09:00:00.000Z',
};

describe('the panel', () => {
  it('waits for the first word, streams, and becomes idle again', () => {
    expect(after(sent).phase).toBe('waiting');
    expect(
      after(sent, text('a'), text('b'), { type: 'reasoning', text: 'c' }, text('d')),
    ).toMatchObject({
      phase: 'streaming',
      live: {
        parts: [
          { type: 'text', text: 'ab' },
          { type: 'reasoning', text: 'c' },
          { type: 'text', text: 'd' },
        ],
      },
    });
    expect(
      after(
        sent,
        text('a'),
        { type: 'stored', message: stored },
        { type: 'ended', step: undefined },
      ),
    ).toEqual({
      ...idlePanel,
      leafId: 'm2',
    });
  });

  it('shows a tool call from request to result', () => {
    const states = (['approvalRequested', 'approvalDecided', 'callStarted'] as const).map(
      (type) => ({
        type,
        id: '1',
      }),
    );
    const seen = states.map(
      (_, at) => after(sent, requested, ...states.slice(0, at + 1)).live?.calls[0]?.status,
    );
    expect(seen).toEqual(['asking', 'waiting', 'running']);
    expect(after(sent, requested, { type: 'callFinished', part }).live?.calls).toEqual([
      { id: '1', tool: 'createState', params: {}, status: 'done', part },
    ]);
  });

  it('shows a complete step until it is stored', () => {
    const step = { parts: [], end: 'done', usage: undefined } as const;
    expect(after(sent, text('a'), { type: 'step', step }).live?.parts).toEqual([
      { type: 'text', text: 'a' },
    ]);
  });

  it('stays in phase stopping until the turn ends', () => {
    expect(after(sent, text('a'), { type: 'stop' }, text('b'), requested).phase).toBe('stopping');
    expect(after({ type: 'stop' })).toBe(idlePanel);
  });

  it('shows a failure until the next message or branch', () => {
    const error = { message: 'No network.', kind: 'network', retryAfterMs: 5000 } as const;
    const failed: PanelEvent = {
      type: 'ended',
      step: { parts: [], end: 'failed', usage: undefined, error },
    };
    expect(after(sent, failed).failure).toEqual(error);
    for (const next of [sent, { type: 'showBranch', leafId: undefined }] as const)
      expect(after(sent, failed, next).failure).toBeUndefined();
  });
});
