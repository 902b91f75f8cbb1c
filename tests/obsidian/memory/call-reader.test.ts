import { describe, expect, it } from 'vitest';
import type { Trace } from '../../../src/model/trace.js';
import { createCallReader } from '../../../src/obsidian/memory/call-reader.js';
import { entriesAt, traceOf } from './memories.js';

function setUp(read: (entries: readonly { h: string }[]) => Promise<Trace[]>) {
  const told: unknown[] = [];
  const failures: unknown[] = [];
  const reader = createCallReader({
    read,
    wasRead: () => told.push('read'),
    failed: (error) => failures.push(error),
  });
  return { reader, told, failures };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

describe('the call reader', () => {
  it('reads a stretch once, and again after it has grown', async () => {
    const asked: number[] = [];
    const { reader, told } = setUp((entries) => {
      asked.push(entries.length);
      return Promise.resolve(entries.map(() => traceOf()));
    });
    const calls = { key: 'k', entries: entriesAt(1, 2) };
    expect(reader.tracesOf(calls)).toBeUndefined();
    reader.want(calls);
    reader.want(calls);
    await settle();
    expect(reader.tracesOf(calls)).toHaveLength(2);
    const grown = { key: 'k', entries: entriesAt(1, 2, 3) };
    expect(reader.tracesOf(grown)).toHaveLength(2);
    reader.want(grown);
    await settle();
    expect(reader.tracesOf(grown)).toHaveLength(3);
    expect(asked).toEqual([2, 3]);
    expect([told.length, reader.version()]).toEqual([2, 2]);
  });

  it('retries after a failed read', async () => {
    let isBroken = true;
    const { reader, failures } = setUp(() =>
      isBroken ? Promise.reject(new Error('gone')) : Promise.resolve([traceOf()]),
    );
    const calls = { key: 'k', entries: entriesAt(1) };
    reader.want(calls);
    await settle();
    expect(failures).toHaveLength(1);
    expect(reader.tracesOf(calls)).toBeUndefined();
    isBroken = false;
    reader.want(calls);
    await settle();
    expect(reader.tracesOf(calls)).toHaveLength(1);
  });

  it('evicts the calls that were read longest ago', async () => {
    const { reader } = setUp((entries) => Promise.resolve(entries.map(() => traceOf())));
    const stretches = Array.from({ length: 501 }, (_, index) => ({
      key: `k${index}`,
      entries: entriesAt(index),
    }));
    for (const calls of stretches) {
      reader.want(calls);
      await Promise.resolve();
    }
    await settle();
    expect(reader.tracesOf(stretches[0]!)).toBeUndefined();
    expect(reader.tracesOf(stretches[500]!)).toHaveLength(1);
  });
});
