import { describe, expect, it } from 'vitest';
import { createForeignReaders } from '../../../src/transfer/foreign/readers.js';

describe('what an import from another program is handed', () => {
  it('shortens calls, and takes secrets and excluded folders out of them', () => {
    const { traceOf } = createForeignReaders(['Private']);
    const call = {
      agent: 'a',
      tool: 't',
      sessionId: 's',
      context: { goal: 'See Private/x.md' },
      answer: { success: false, error: 'No' },
    };
    const trace = traceOf({
      ...call,
      params: { path: 'Private/x.md', token: 'sk-abcdefghijklmnopqrstuv', text: 'x'.repeat(5000) },
    });
    expect(trace).toMatchObject({
      agent: 'a',
      tool: 't',
      sessionId: 's',
      isSuccess: false,
      outcome: 'No',
      goal: 'See [excluded]',
    });
    expect(trace.input.length).toBeLessThanOrEqual(1024);
    expect(trace.input).not.toMatch(/Private|sk-/);
  });

  it("reads a note's head as the search does", () => {
    const { noteHead } = createForeignReaders([]);
    const head = noteHead('a/Note.md', '---\ntags: [x]\npermalink: y\n---\nBody #z\n');
    expect(head).toMatchObject({ title: 'Note', tags: ['x', 'z'] });
    expect(head.properties.get('permalink')).toEqual(['y']);
  });
});
