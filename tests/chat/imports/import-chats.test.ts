import { describe, expect, it } from 'vitest';
import { importChats, type ChatImportReport } from '../../../src/chat/imports/import-chats.js';
import { createConversations } from '../../../src/chat/log-conversations.js';
import { createThread, pathTo } from '../../../src/chat/thread.js';
import type { LogEvent } from '../../../src/model/event.js';
import { textOfMessage } from '../../../src/model/message.js';
import { readLogLines } from '../../../src/storage/log-lines.js';
import { createMemoryForgetStore, ROOT } from '../../storage/helpers.js';
import { createTestRandom } from '../../fakes/deterministic.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { createTestVault } from '../../fakes/test-vault.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';
import { readReport } from '../../fakes/reports/read-report.js';

function open(seed = 1, files = createMemoryFiles()) {
  const forgetStore = createMemoryForgetStore();
  const { log } = createTestVault({ seed, files, forgetStore });
  const conversations = createConversations(log, createTestRandom(seed + 100));
  const bring = (file: unknown, signal = new AbortController().signal): Promise<ChatImportReport> =>
    importChats(pieces(typeof file === 'string' ? file : JSON.stringify(file)), {
      log,
      workspaceId: 'default',
      scheduler: NOOP_SCHEDULER,
      signal,
      progress: () => undefined,
    });
  return { files, log, conversations, bring };
}

async function* pieces(text: string, size = 1000): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.slice(at, at + size);
  }
}

const claude = (uuid: string, ...texts: string[]) => ({
  uuid,
  name: `Chat ${uuid}`,
  created_at: '2025-01-02T03:04:05Z',
  chat_messages: texts.map((text, at) => ({
    uuid: `${uuid}-${at}`,
    sender: at % 2 === 0 ? 'human' : 'assistant',
    text,
    created_at: `2025-01-02T03:04:${10 + at}Z`,
  })),
});

const words = async ({ conversations }: ReturnType<typeof open>, title: string) => {
  const found = (await conversations.list()).find((each) => each.title === title);
  return pathTo(createThread(await conversations.messages(found?.id ?? ''))).map(textOfMessage);
};

describe('importChats', () => {
  it('names conversations with what looks like a secret, and keeps it as it was written', async () => {
    const vault = open();
    const chats = [claude('a', 'The password is Kx7!fPq92z', 'Noted.'), claude('b', 'Hello')];
    expect(await vault.bring(chats)).toMatchObject({ added: 2, secrets: ['Chat a'] });
    expect(await words(vault, 'Chat a')).toEqual(['The password is Kx7!fPq92z', 'Noted.']);
    expect(await vault.bring(chats)).toMatchObject({ known: 2, secrets: [] });
  });

  it('keeps the date, source and order of messages', async () => {
    const vault = open();
    const report = await vault.bring([claude('a', 'One?', 'One.', 'Two?'), claude('b', 'Hello')]);
    expect(report).toMatchObject({
      added: 2,
      grown: 0,
      known: 0,
      messages: 4,
      problems: [],
      secrets: [],
      isStopped: false,
    });
    expect([...report.sources]).toEqual([['Claude', 2]]);
    expect(await vault.conversations.list()).toMatchObject([
      { title: 'Chat b', importedFrom: 'Claude' },
      {
        title: 'Chat a',
        importedFrom: 'Claude',
        createdAt: '2025-01-02T03:04:05.000Z',
        workspaceId: 'default',
      },
    ]);
    expect(await words(vault, 'Chat a')).toEqual(['One?', 'One.', 'Two?']);
  });

  it('adds only what is new when run again', async () => {
    const vault = open();
    await vault.bring([claude('a', 'One?')]);
    const before = vault.files.paths().map((path) => vault.files.text(path));
    expect(await vault.bring([claude('a', 'One?')])).toMatchObject({
      added: 0,
      known: 1,
      messages: 0,
    });
    expect(vault.files.paths().map((path) => vault.files.text(path))).toEqual(before);
    expect(await vault.bring([claude('a', 'One?', 'One.')])).toMatchObject({
      added: 0,
      grown: 1,
      messages: 1,
    });
    expect(await words(vault, 'Chat a')).toEqual(['One?', 'One.']);
  });

  it('leaves out a conversation and a message that were forgotten, even with new messages', async () => {
    const vault = open();
    const chats = [claude('a', 'One?', 'One.'), claude('b', 'Two?', 'Two.')];
    await vault.bring(chats);
    const { lines } = await readLogLines(vault.files, ROOT);
    const [deleted] = (await vault.conversations.list()).filter(({ title }) => title === 'Chat a');
    const isGone = ({ e, d }: LogEvent) => e === deleted?.id || d['conv'] === deleted?.id;
    const isSaid = ({ t, d }: LogEvent) => t === 'msg.new' && JSON.stringify(d).includes('Two.');
    const gone = lines.filter(({ event }) => isGone(event) || isSaid(event));
    expect(gone).toHaveLength(4);
    await vault.log.forgetting.forget(gone, true);

    const again = await vault.bring([claude('a', 'One?', 'One.', 'More?'), chats[1]]);
    expect(again).toMatchObject({ added: 0, grown: 0, known: 1, forgotten: 1, messages: 0 });
    expect((await vault.conversations.list()).map(({ title }) => title)).toEqual(['Chat b']);
    expect(await words(vault, 'Chat b')).toEqual(['Two?']);
  });

  it('collects conversations in few files, which do not grow after it', async () => {
    const vault = open();
    const sizes = () =>
      vault.files.paths().flatMap((path) => {
        const size = new TextEncoder().encode(vault.files.text(path)).length;
        return path.includes('/chat/') ? [size / 1024 / 1024] : [];
      });
    const chats = Array.from({ length: 60 }, (_, at) => claude(`c${at}`, 'ä'.repeat(50_000)));
    await vault.bring(chats);
    expect(sizes()).toHaveLength(3);
    expect(Math.max(...sizes())).toBeLessThan(2.1);
    for (const title of ['Mine', 'Mine too'])
      await vault.conversations.create({ workspaceId: 'default', title });
    expect(sizes()).toHaveLength(4);
    expect(sizes().filter((size) => size < 0.01)).toHaveLength(1);
    expect(await words(vault, 'Chat c59')).toEqual(['ä'.repeat(50_000)]);
  });

  it('gives the same result on two devices', async () => {
    const [one, other] = [open(1), open(2)];
    await Promise.all([one, other].map(({ bring }) => bring([claude('a', 'One?', 'One.')])));
    const idsOf = async ({ conversations }: typeof one) => {
      const list = await conversations.list();
      return [
        list.map(({ id }) => id),
        (await conversations.messages(list[0]?.id ?? '')).map(({ id }) => id).sort(),
      ];
    };
    expect(await idsOf(one)).toEqual(await idsOf(other));
  });

  it('shows each message once after two devices imported it', async () => {
    const one = open(1);
    const other = open(2, one.files);
    await Promise.all([one, other].map(({ bring }) => bring([claude('a', 'One?', 'One.')])));
    expect(await one.conversations.list()).toHaveLength(1);
    expect(await words(one, 'Chat a')).toEqual(['One?', 'One.']);
  });

  it('shows the latest branch', async () => {
    const nodes = [
      ['ask', null, 'user', 100],
      ['late', 'ask', 'assistant', 300],
      ['early', 'ask', 'assistant', 200],
    ] as const;
    const mapping = Object.fromEntries(
      nodes.map(([id, parent, role, create_time]) => [
        id,
        {
          id,
          parent,
          message: {
            id,
            author: { role },
            create_time,
            content: { content_type: 'text', parts: [id] },
            recipient: 'all',
          },
        },
      ]),
    );
    const vault = open();
    await vault.bring([{ id: 'x', title: 'Tree', create_time: 100, mapping }]);
    expect(await words(vault, 'Tree')).toEqual(['ask', 'late']);
  });

  it('shows the branch that the product showed, although another is newer', async () => {
    const vault = open();
    await vault.bring(readReport('chats/claude-branches.json'));
    expect(await words(vault, 'T')).toEqual(['First wording', 'Answer one']);
  });

  it('reports bad entries and imports the rest', async () => {
    const whole = [
      claude('a', 'One?'),
      { title: 'Odd', id: 7 },
      claude('b'),
      claude('c', 'Three?'),
    ].map((each) => JSON.stringify(each));
    const text = `[${[whole[0], '{"name": "Broken", "chat_messages": [}', ...whole.slice(1)].join(',')}, {"name": "Cut", "chat_mess`;
    const vault = open();
    const report = await vault.bring(text.replace('[}', '[,]}'));
    expect(report).toMatchObject({ added: 2 });
    expect(report.problems).toEqual([
      { entry: 2, title: 'Broken', kind: 'damaged' },
      { entry: 3, title: 'Odd', kind: 'unknown' },
      { entry: 4, title: 'Chat b', kind: 'empty' },
      { entry: 6, title: 'Cut', kind: 'cut' },
    ]);
  });

  it('splits a message that is too long for a line', async () => {
    const long = 'Grüße 😀 '.repeat(150_000);
    const vault = open();
    await vault.bring([claude('a', long, 'Hm.')]);
    const path = await words(vault, 'Chat a');
    expect(path.length).toBeGreaterThan(4);
    expect(path.slice(0, -1).join('')).toBe(long);
  });

  it('treats hostile names and contents as text', async () => {
    const vault = open();
    const hostile =
      '{"uuid":"__proto__","name":"<img src=x>\\u0000\\n\\ud83d","chat_messages":[{"uuid":"__proto__","sender":"human","text":"\\ud83d hi"}]}';
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
    const tool = `{"uuid":"t","name":"Deep","chat_messages":[{"uuid":"1","sender":"assistant","content":[{"type":"tool_use","name":"x","input":{"a":${deep}}}]}]}`;
    expect(await vault.bring(`[${hostile},${tool}]`)).toMatchObject({ added: 2, problems: [] });
    expect((await vault.conversations.list()).map(({ title }) => title).sort()).toEqual([
      '<img src=x> \ud83d',
      'Deep',
    ]);
  });

  it('stops when aborted, and continues the next time', async () => {
    const vault = open();
    const stop = new AbortController();
    const file = [claude('a', 'One?'), claude('b', 'Two?')];
    const { log } = vault;
    const report = await importChats(pieces(JSON.stringify(file)), {
      log,
      workspaceId: 'default',
      scheduler: NOOP_SCHEDULER,
      signal: stop.signal,
      progress: () => stop.abort(),
    });
    expect(report).toMatchObject({ added: 1, isStopped: true });
    expect(await vault.bring(file)).toMatchObject({ added: 1, known: 1 });
  });

  it('imports nothing from an unrelated file', async () => {
    const vault = open();
    for (const text of ['', '[]', 'PK\u0003\u0004 a zip {"x"}', '{"a": 1}'])
      expect(await vault.bring(text)).toMatchObject({ added: 0, messages: 0 });
    expect(vault.files.paths()).toEqual([]);
  });
});
