import { describe, expect, it } from 'vitest';
import { isWriterRecord, type WriterRecord } from '../../../src/storage/write/writer-identity.js';

const RECORD: WriterRecord = {
  writer: 'aaaaaaaaaaaa',
  n: 3,
  hash: 'c85285bc0aedd8c9480ff44eaffd2d13',
  h: '2026-11-20T09:00:00.000Z.0000',
  path: 'Savepoint/core/a.jsonl',
  number: 1,
  day: '2026-11-20',
  size: 500,
  lines: 3,
  isSealed: false,
};

describe('isWriterRecord', () => {
  it('accepts a record with or without a file id', () => {
    expect([RECORD, { ...RECORD, fileId: '42' }].map(isWriterRecord)).toEqual([true, true]);
  });

  it.each(Object.keys(RECORD))('rejects a record without a valid %s', (field) => {
    const { [field]: _, ...rest } = RECORD as unknown as Record<string, unknown>;
    expect(isWriterRecord(rest)).toBe(false);
    expect(isWriterRecord({ ...RECORD, [field]: null })).toBe(false);
  });

  it.each([undefined, null, 5, 'aaaaaaaaaaaa', []])('rejects %j', (value) => {
    expect(isWriterRecord(value)).toBe(false);
  });
});
