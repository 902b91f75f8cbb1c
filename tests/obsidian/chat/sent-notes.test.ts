import { expect, it } from 'vitest';
import { formatOpenNoteSource, formatSelectionSource } from '../../../src/chat/data-source.js';
import type { Message, MessagePart } from '../../../src/model/message.js';
import { withOpenNotes } from '../../../src/obsidian/chat/sent-notes.js';
import { createSentTexts } from '../../../src/obsidian/host/sent-texts.js';
import type { Savepoint } from '../../../src/obsidian/savepoint.js';
import { sha256 } from '../../../src/platform/sha256.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';

const NOTE = Array.from({ length: 40 }, (_, at) => `Row ${at + 1} of the beds`).join('\n');

/** A conversation on one device, whose vault has these notes. */
function open(notes: Record<string, string>) {
  const savepoint = {
    app: {
      vault: {
        getFileByPath: (path: string) => (path in notes ? { path } : null),
        cachedRead: ({ path }: { path: string }) => Promise.resolve(notes[path]),
      },
    },
    services: { dataFolder: 'Savepoint' },
    settings: { excludedFolders: [] },
    sentTexts: createSentTexts(createMemoryBlobs(), createTestClock()),
  } as unknown as Savepoint;
  const path: Message[] = [];
  /** Sends a message, and returns the texts of all as they were sent. */
  const send = async (...parts: MessagePart[]) => {
    path.push({
      id: `m${path.length}`,
      conversationId: 'c1',
      parentId: path.at(-1)?.id,
      role: 'user',
      parts,
      createdAt: '2026-11-30T08:00:00.000Z',
    });
    return sent();
  };
  const sent = async (isHeard: (at: number) => boolean = () => true) =>
    (await withOpenNotes(savepoint, path, isHeard)).map(({ parts }) =>
      parts.map((part) =>
        part.type === 'data' ? `${part.source}:\n${part.text}` : partText(part),
      ),
    );
  /** Drops the texts that the log does not keep. */
  const restart = () => {
    for (const [at, message] of path.entries())
      path[at] = { ...message, parts: message.parts.map(stored) };
  };
  return { path, send, sent, restart, savepoint };
}

const partText = (part: MessagePart) => (part.type === 'text' ? part.text : part.type);
const stored = (part: MessagePart) =>
  part.type === 'data' && part.hash !== undefined ? { ...part, text: '' } : part;

async function note(text: string, isRepeated = false): Promise<MessagePart> {
  const source = formatOpenNoteSource('Beds.md', undefined, isRepeated);
  return { type: 'data', source, text, path: 'Beds.md', hash: await sha256(text) };
}

async function selection(text: string): Promise<MessagePart> {
  const source = formatSelectionSource('Beds.md');
  return { type: 'data', source, text, path: 'Beds.md', hash: await sha256(text) };
}

/** Returns the note with the first row changed, then with the first two, and so on. */
const versionsWith = (...rows: number[]) =>
  rows.map((_, at) =>
    rows
      .slice(0, at + 1)
      .reduce((text, row) => text.replace(`Row ${row} of`, `Line ${row} of`), NOTE),
  );

it('sends a note once, then only says that it is unchanged', async () => {
  const { send, sent, restart } = open({ 'Beds.md': NOTE });
  const first = await send(await note(NOTE));
  const second = await send(await note(NOTE, true));
  expect(second).toEqual([
    [`the note "Beds.md", which the user has open:\n${NOTE}`],
    ['Unchanged since it was sent: the note "Beds.md", which the user still has open.'],
  ]);
  expect(second.slice(0, 1)).toEqual(first);
  restart();
  expect(await sent()).toEqual(second);
});

it('sends changes from the last version, and the whole once they exceed half of it', async () => {
  const { send, sent, restart } = open({});
  const versions = [NOTE, ...versionsWith(13, 19, 25, 31, 37)];
  let last: string[][] = [];
  for (const version of versions) {
    const next = await send(await note(version, last.length > 0));
    expect(next.slice(0, -1)).toEqual(last);
    last = next;
  }
  const kinds = last.map(([text]) => text?.split(' ').slice(0, 3).join(' '));
  const [lines, whole] = ['the lines that', 'the changed text'];
  expect(kinds).toEqual(['the note "Beds.md",', lines, lines, whole, lines, lines]);
  const sizes = last.map(([text]) => text!.slice(text!.indexOf('\n') + 1).length);
  expect(sizes[1]! + sizes[2]!).toBeLessThanOrEqual(NOTE.length / 2);
  expect(sizes[1]! + sizes[2]! + sizes[4]!).toBeGreaterThan(NOTE.length / 2);
  expect(last[3]).toEqual([
    `the changed text of the note "Beds.md", which the user still has open:\n${versions[3]}`,
  ]);
  expect(last[1]?.[0]).toContain(
    '@@ -11,5 +11,5 @@\n Row 11 of the beds\n Row 12 of the beds\n-Row 13',
  );
  restart();
  expect(await sent()).toEqual(last);
});

it('sends a selection again only if it is another one', async () => {
  const { send } = open({});
  await send(await selection('Row 1'), await note(NOTE));
  await send(await selection('Row 1'), await note(NOTE, true));
  const last = await send(await selection('Row 2'), await note(NOTE, true));
  expect(last[1]?.[0]).toBe('Unchanged since it was sent: the selection in the note "Beds.md".');
  expect(last[2]?.[0]).toBe('the selection in the note "Beds.md":\nRow 2');
});

it('sends a note of another device as it is now with the newest message', async () => {
  const elsewhere = 'Nobody here has this version';
  const { path, send } = open({ 'Beds.md': NOTE });
  path.push({
    id: 'm0',
    conversationId: 'c1',
    parentId: undefined,
    role: 'user',
    parts: [stored(await selection('Row 1')), stored(await note(elsewhere))],
    createdAt: '2026-11-30T07:00:00.000Z',
  });
  const gone = 'This text is no longer available: only its hash was stored.';
  const sent = await send(stored(await note(NOTE, true)));
  expect(sent).toEqual([
    [
      `the selection in the note "Beds.md":\n${gone}`,
      `the note "Beds.md", which the user has open:\n${gone}`,
    ],
    [`the note "Beds.md", which the user still has open:\n${NOTE}`],
  ]);
  const next = await send(await note(NOTE, true));
  expect(next.slice(0, -1)).toEqual(sent);
});

it('sends a note of another device that is still the same where it was first sent', async () => {
  const { path, send } = open({ 'Beds.md': NOTE });
  path.push({
    id: 'm0',
    conversationId: 'c1',
    parentId: undefined,
    role: 'user',
    parts: [stored(await note(NOTE))],
    createdAt: '2026-11-30T07:00:00.000Z',
  });
  expect(await send({ type: 'text', text: 'Which beds?' })).toEqual([
    [`the note "Beds.md", which the user has open:\n${NOTE}`],
    ['Which beds?'],
  ]);
});

it('omits a note in a folder that was excluded since', async () => {
  const { send, sent, savepoint } = open({});
  await send({ type: 'text', text: 'Hello' }, await note(NOTE));
  (savepoint.settings.excludedFolders as string[]).push('Beds.md');
  expect(await sent()).toEqual([['Hello']]);
});

it('omits what the receiver does not get, and does not count on it', async () => {
  const { send, sent } = open({});
  await send(await note(NOTE));
  await send({ type: 'text', text: 'Hello' }, await note(NOTE, true));
  expect(await sent((at) => at === 1)).toEqual([
    [],
    ['Hello', `the note "Beds.md", which the user still has open:\n${NOTE}`],
  ]);
  expect(await sent(() => false)).toEqual([[], ['Hello']]);
});
