import { describe, expect, it } from 'vitest';
import { traceData, traceOf } from '../../src/model/trace.js';
import { clockText, eventOf } from '../fakes/events.js';

const call = {
  workspaceId: 'w1',
  sessionId: 's',
  toolset: 'memoryManager',
  tool: 'createState',
  input: '{}',
  outcome: 'ok',
  isSuccess: true,
  memory: 'm',
  goal: 'g',
  constraints: 'c',
};
/** The id of an event of `eventOf` with the default stamp. */
const anyRef = expect.stringMatching(/^t[0-9a-f]/) as string;

describe('a trace', () => {
  it('round-trips as a tool call', () => {
    expect(traceOf(eventOf({ t: 'trace.new', d: traceData(call) }))).toEqual({
      ...call,
      createdAt: clockText(0).slice(0, 24),
      ref: anyRef,
    });
  });

  it('round-trips as a logged entry with its key', () => {
    const told = {
      ...call,
      kind: 'quality_gate' as const,
      files: ['A.md', 'B.md'],
      key: 'k',
      outcome: '',
    };
    expect(traceOf(eventOf({ t: 'trace.new', d: traceData(told) }))).toEqual({
      ...told,
      createdAt: clockText(0).slice(0, 24),
      ref: anyRef,
    });
    expect(Object.keys(traceData(told))[0]).toBe('/call');
  });

  it('ignores an unknown kind and invalid files', () => {
    const trace = traceOf(
      eventOf({ t: 'trace.new', d: { ...traceData(call), kind: 'dream', files: [5, {}] } }),
    );
    expect(trace).toEqual({ ...call, createdAt: clockText(0).slice(0, 24), ref: anyRef });
  });

  it('omits empty fields from the log', () => {
    expect(
      Object.keys(traceData({ ...call, memory: '', goal: undefined, constraints: undefined })),
    ).not.toContain('memory');
  });

  it('needs a workspace, a tool and the right type', () => {
    expect(traceOf(eventOf({ t: 'trace.new', d: { ws: 'w1' } }))).toBeUndefined();
    expect(traceOf(eventOf({ t: 'trace.new', d: { tool: 'x', ws: 5 } }))).toBeUndefined();
    expect(traceOf(eventOf({ t: 'state.new', d: traceData(call) }))).toBeUndefined();
  });

  it('has empty values for fields of the wrong type', () => {
    const trace = traceOf(
      eventOf({ t: 'trace.new', d: { ws: 'w1', tool: 't', input: {}, outcome: 5, ok: 'yes' } }),
    );
    expect(trace).toMatchObject({ input: '', outcome: '', isSuccess: false });
  });
});
