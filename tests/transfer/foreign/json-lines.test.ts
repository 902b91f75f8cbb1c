import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import { createReadStats } from '../../../src/transfer/foreign/foreign-memory.js';
import { readJsonLines, type JsonLine } from '../../../src/transfer/foreign/json-lines.js';
import { fileOf } from './nexus-vault.js';
import { createEagerScheduler } from '../../fakes/eager-scheduler.js';

const isRecord = (value: JsonObject) => typeof value['id'] === 'number';

async function linesOf(reading: AsyncIterable<JsonLine>): Promise<JsonLine[]> {
  const lines: JsonLine[] = [];
  for await (const line of reading) lines.push(line);
  return lines;
}

async function read(content: string | Uint8Array) {
  const account = createReadStats();
  const lines = await linesOf(readJsonLines(fileOf('x.jsonl', content), isRecord, account));
  return {
    found: lines.map(({ value, location: place }) => [value['id'], place.line]),
    troubles: account.troubles.map(({ line, kind }) => [line, kind]),
    read: account.read,
  };
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('readJsonLines', () => {
  it.each([
    [
      'blank lines and CRLF',
      '\r\n{"id":1}\r\n\n  \n{"id":2}\r\n',
      [
        [1, 2],
        [2, 5],
      ],
    ],
    [
      'a missing last newline',
      '{"id":1}\n{"id":2}',
      [
        [1, 1],
        [2, 2],
      ],
    ],
    ['a byte order mark', '\ufeff{"id":1}\n', [[1, 1]]],
    ['an empty file', '', []],
  ])('accepts %s', async (_what, content, found) => {
    expect(await read(content)).toEqual({ found, troubles: [], read: found.length });
  });

  it('accepts UTF-16', async () => {
    const text = '{"id":1}\n{"id":2,"é":"ü"}\n';
    const utf16 = Uint8Array.from([
      0xff,
      0xfe,
      ...[...text].flatMap((each) => [each.charCodeAt(0) & 255, each.charCodeAt(0) >> 8]),
    ]);
    expect((await read(utf16)).found).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('salvages complete objects from a damaged line', async () => {
    const torn =
      '{"id":1}\n{"id":2,"text":"to{"id":3,"in":{"id":9}}\n{"id":4}{"id":5}\n{"id":6,"a":"x\n';
    expect(await read(torn)).toEqual({
      found: [
        [1, 1],
        [3, 2],
        [4, 3],
        [5, 3],
      ],
      troubles: [
        [2, 'salvaged'],
        [3, 'salvaged'],
        [4, 'damaged'],
      ],
      read: 5,
    });
  });

  it('reports foreign lines and very deep nesting', async () => {
    const deep = `{"id":1,"a":${'['.repeat(5000)}${']'.repeat(5000)}}`;
    expect(await read(`{"other":1}\n[1]\n"x"\n${deep}\n<<<<<<< HEAD\n`)).toEqual({
      found: [],
      troubles: [
        [1, 'foreign'],
        [2, 'damaged'],
        [3, 'damaged'],
        [4, 'damaged'],
        [5, 'damaged'],
      ],
      read: 5,
    });
  });

  it('reports a line with NULs', async () => {
    expect(await read('{"id":1}\0\0\0\n\0\0\n{"id":2}\n\0\0\0')).toEqual({
      found: [
        [1, 1],
        [2, 3],
      ],
      troubles: [
        [1, 'salvaged'],
        [2, 'damaged'],
        [4, 'damaged'],
      ],
      read: 4,
    });
  });

  it('reports a line with invalid bytes and reads the rest', async () => {
    const bytes = bytesOf('{"id":1,"text":"a?b"}\n');
    bytes[bytes.indexOf(0x3f)] = 0xff;
    expect(await read(bytes)).toEqual({ found: [[1, 1]], troubles: [[1, 'garbled']], read: 1 });
  });

  it('gives up on a line with too many fragments', async () => {
    const after = async (halves: number) =>
      (await read(`${'{"id":'.repeat(halves)}{"id":1}`)).found;
    expect([await after(50), await after(100), await after(5000)]).toEqual([[[1, 1]], [], []]);
  });

  it('yields to the host before each line', async () => {
    const { scheduler, turns } = createEagerScheduler();
    const file = fileOf('x.jsonl', '{"id":1}\n\n{"id":2}');
    await linesOf(readJsonLines(file, isRecord, createReadStats(), scheduler));
    expect(turns()).toBe(3);
  });

  it('strips whitespace around an object, and salvages it from other text', async () => {
    expect(await read(' \t\ufeff{"id":1}\ufeff \t\r\n \ufeff\t\n')).toEqual({
      found: [[1, 1]],
      troubles: [],
      read: 1,
    });
    expect(await read('\0\ufeff{"id":1}\ufeff\0\n')).toEqual({
      found: [[1, 1]],
      troubles: [[1, 'salvaged']],
      read: 1,
    });
    expect(await read('x{"id":1}x')).toEqual({
      found: [[1, 1]],
      troubles: [[1, 'salvaged']],
      read: 1,
    });
  });

  it('salvages an object with brackets and quotes in its texts', async () => {
    for (const text of ['}', '{', '\\"}', '\\\\', '{\\"id\\":9}'])
      expect(await read(`torn {"id":1,"text":"${text}"} and`)).toEqual({
        found: [[1, 1]],
        troubles: [[1, 'salvaged']],
        read: 1,
      });
  });
});
