import { expect, it } from 'vitest';
import { chatFilesIn } from '../../../src/chat/imports/chat-files.js';
import { zipFile } from '../../fakes/zip-file.js';

async function found(name: string, bytes: Buffer): Promise<Record<string, string>> {
  const file = {
    size: bytes.length,
    read: (from: number, to: number) => Promise.resolve(new Uint8Array(bytes.subarray(from, to))),
  };
  const texts: Record<string, string> = {};
  for (const { name: shown, chunks: pieces } of await chatFilesIn(name, file)) {
    const held: Uint8Array[] = [];
    for await (const piece of pieces) held.push(piece);
    texts[shown] = Buffer.concat(held).toString('utf8');
  }
  return texts;
}

it('chatFilesIn recognizes a .zip file by its contents', async () => {
  expect(await found('export.zip', Buffer.from('[]'))).toEqual({ 'export.zip': '[]' });
  expect(await found('a.json', Buffer.alloc(600_000, 'x'))).toEqual({
    'a.json': 'x'.repeat(600_000),
  });
  expect(await found('empty.json', Buffer.alloc(0))).toEqual({ 'empty.json': '' });
});

it('chatFilesIn finds only the conversation files of a .zip file, in order', async () => {
  const names = ['conversations-10.json', 'conversations-2.json', 'export/conversations.json'];
  const others = [
    'chat.html',
    'shared_conversations.json',
    '__MACOSX/._conversations.json',
    'users.json',
    'conversations.json/deep.txt',
  ];
  const packed = zipFile([...names, ...others].map((name) => ({ name, text: `[${name.length}]` })));
  expect(await found('data.dms', packed)).toEqual({
    'data.dms › conversations-2.json': '[20]',
    'data.dms › conversations-10.json': '[21]',
    'data.dms › export/conversations.json': '[25]',
  });
});

it('chatFilesIn finds nothing in a .zip file without conversations', async () => {
  expect(await found('photos.zip', zipFile([{ name: 'a.jpg', text: 'x' }]))).toEqual({});
  expect(await found('empty.zip', zipFile([]))).toEqual({});
});
