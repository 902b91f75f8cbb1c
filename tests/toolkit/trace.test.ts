import { describe, expect, it } from 'vitest';
import {
  isSelfTraced,
  traceOfCall,
  traceOfLogEntry,
  redactFolders,
} from '../../src/toolkit/trace.js';

const call = {
  toolset: 'a',
  tool: 't',
  workspaceId: 'w',
  sessionId: 's',
  client: 'Claude',
  context: {},
  answer: { success: true as const },
};

describe('redactFolders', () => {
  const params = {
    activeFiles: ['Private/Diary.md', 'Garden/Private.md', 'private', 'A (b)/x.md'],
  };
  const trace = traceOfCall({
    ...call,
    params,
    context: { goal: 'Tidy Private/Diary.md up\nthen Privateer' },
  });

  it('redacts paths in the folders, ignoring case', () => {
    const { input, goal } = redactFolders(trace, ['Private', 'A (b)']);
    expect(JSON.parse(input)).toEqual({
      activeFiles: ['[excluded]', 'Garden/Private.md', '[excluded]', '[excluded]'],
    });
    expect(goal).toBe('Tidy [excluded]\nthen Privateer');
  });

  it('changes nothing if no folder is excluded', () => {
    expect(redactFolders(trace, [])).toBe(trace);
  });
});

describe('traceOfCall', () => {
  it('truncates parameters to 1 KB and outcomes to 300 bytes', () => {
    const trace = traceOfCall({
      ...call,
      params: { text: '🌱'.repeat(1000) },
      answer: { success: false, error: 'é'.repeat(1000) },
    });
    const bytes = (text: string) => new TextEncoder().encode(text).length;
    expect(bytes(trace.input)).toBeLessThanOrEqual(1024);
    expect(bytes(trace.outcome)).toBeLessThanOrEqual(300);
    expect(trace.input + trace.outcome).not.toContain('\uFFFD');
  });

  it('stores the client name, truncated if it is long', () => {
    expect(traceOfCall({ ...call, params: {} }).client).toBe('Claude');
    expect(traceOfCall({ ...call, client: 'x'.repeat(500), params: {} }).client).toHaveLength(98);
  });

  it('redacts secrets before truncating', () => {
    const params = { text: `${'x'.repeat(990)} password: hunter2hunter2hunter2hunter2` };
    expect(traceOfCall({ ...call, params }).input).not.toContain('hunter2');
  });
});

describe('traceOfLogEntry', () => {
  const entry = {
    ...call,
    kind: 'execution' as const,
    content: 'Ran token=0123456789',
    outcome: 'ok',
    files: ['a/sk-abcdefghijklmnopqrstuv.md'],
    key: 'k',
  };

  it('keeps everything except secrets, even in paths', () => {
    const trace = traceOfLogEntry({ ...entry, context: { goal: `Bearer abcdefghijk1` } });
    expect(trace).toMatchObject({
      kind: 'execution',
      input: 'Ran token=[secret]',
      outcome: 'ok',
      files: ['a/[secret].md'],
      goal: 'Bearer [secret]',
      key: 'k',
      isSuccess: true,
    });
    expect(traceOfLogEntry({ ...entry, content: 'x'.repeat(2000) }).input).toHaveLength(2000);
  });

  it('redacts paths in excluded folders', () => {
    const trace = traceOfLogEntry({ ...entry, files: ['Private/Diary.md', 'A.md'] });
    expect(redactFolders(trace, ['private']).files).toEqual(['[excluded]', 'A.md']);
  });
});

describe('isSelfTraced', () => {
  it('returns the flag of the tool', () => {
    expect([{ isSelfTraced: true }, { isSelfTraced: false }, {}].map(isSelfTraced)).toEqual([
      true,
      false,
      false,
    ]);
  });
});
