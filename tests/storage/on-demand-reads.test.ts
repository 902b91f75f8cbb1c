import { describe, expect, it } from 'vitest';
import type { Draft } from '../../src/model/event.js';
import { conversationData } from '../../src/model/conversation.js';
import { messageData } from '../../src/model/message.js';
import type { Log } from '../../src/storage/vault-log.js';
import { readLogLines } from '../../src/storage/log-lines.js';
import { MAX_RECENT_SEGMENTS } from '../../src/storage/read/recent-events.js';
import { createMemoryIdentities } from '../fakes/deterministic.js';
import { joinLines, lineOf, linesOf, WRITER_A } from '../fakes/events.js';
import { createMemoryCopies, createMemoryForgetStore, createVault, ROOT } from './helpers.js';

const begun: Draft = {
  t: 'conv.new',
  e: 'c1',
  d: conversationData({ workspaceId: 'default', title: 'Talk' }),
};

function said(e: string): Draft {
  const parts = [{ type: 'text' as const, text: e }];
  const content = { conversationId: 'c1', parentId: undefined, role: 'user' as const, parts };
  return { t: 'msg.new', e, d: messageData(content) };
}

function trace(tool: string): Draft {
  const more = { input: '{}', outcome: 'ok', ok: true };
  const d = { ws: 'default', session: 's', toolset: 'a', tool, ...more };
  return { t: 'trace.new', e: `trace-${tool}`, d };
}

async function toolsIn(log: Log, limit: number): Promise<string[]> {
  return (await log.recentTraces('default', limit)).map(({ tool }) => tool);
}

describe('messages', () => {
  it('lack at once what another device forgot', async () => {
    const vault = createVault();
    const device = () =>
      vault.open({
        copies: createMemoryCopies(),
        forgetStore: createMemoryForgetStore(),
        identities: createMemoryIdentities(),
      });
    const [log, other] = [device(), device()];
    for (const draft of [begun, said('m1'), said('m2')]) await log.writeChat(draft);
    const ids = async () => (await other.messages('c1')).map(({ id }) => id);
    expect(await ids()).toEqual(['m2', 'm1']);
    const { lines } = await readLogLines(vault.files, ROOT);
    const forgotten = lines.filter(({ event }) => event.e === 'm1');
    await log.forgetting.forget(forgotten, false);
    await other.memory();
    expect(await ids()).toEqual(['m2']);
  });

  it('are skipped if their file disappears while they are read', async () => {
    const { files, watched, open } = createVault();
    for (const w of ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'])
      files.put(`${ROOT}/chat/${w}.jsonl`, joinLines(linesOf([said(`by-${w}`)], w)));
    const log = open();
    expect(await log.messages('c1')).toHaveLength(2);
    watched.beforeRead = async (path) => {
      if (path.includes('bbbbbbbbbbbb.jsonl')) await files.remove(path);
    };
    expect((await log.messages('c1')).map(({ id }) => id)).toEqual(['by-aaaaaaaaaaaa']);
  });
});

describe('traces of a workspace', () => {
  it('let the host have its turn only if they have changed', async () => {
    let turns = 0;
    const log = createVault().open({ yieldToHost: () => Promise.resolve(void turns++) });
    await log.writeTrace(trace('one'));
    await log.traceEntries('default');
    const before = turns;
    await log.traceEntries('default');
    expect(turns).toBe(before);
    await log.writeTrace(trace('two'));
    expect(await log.traceEntries('default')).toHaveLength(2);
    expect(turns).toBe(before + 1);
  });
});

describe('recent traces', () => {
  /** A vault in which the one trace of this workspace is older than the newest segments. */
  function vaultWithOldTrace() {
    const vault = createVault();
    for (let at = 0; at <= MAX_RECENT_SEGMENTS; at++) {
      const { t, e, d } = trace(`${at}`);
      const event = { t, e, w: WRITER_A, n: at + 1, d: { ...d, ws: at === 0 ? 'default' : 'x' } };
      const [day, number] = [at === 0 ? '20261119' : '20261120', String(at + 1).padStart(4, '0')];
      const path = `${ROOT}/trace/2026-11/${day}-${WRITER_A}-${number}.jsonl`;
      vault.files.put(path, lineOf(event).bytes);
    }
    return vault;
  }

  it('may miss those that are older than the newest segments', async () => {
    const { open } = vaultWithOldTrace();
    expect(await toolsIn(open(), 3)).toEqual([]);
  });

  it('miss none once all traces have been read', async () => {
    const { open } = vaultWithOldTrace();
    const log = open();
    await log.traceEntries('default');
    expect(await toolsIn(log, 3)).toEqual(['0']);
  });

  it.each(['unread', 'read'])('are at most as many as asked for: %s', async (state) => {
    const { open } = createVault();
    const writer = open();
    for (const tool of ['a', 'b', 'c']) await writer.writeTrace(trace(tool));
    const log = open();
    if (state === 'read') await log.traceEntries('default');
    expect(await toolsIn(log, 2)).toEqual(['c', 'b']);
    expect(await toolsIn(log, 9)).toEqual(['c', 'b', 'a']);
  });

  it.each(['unread', 'read'])('are without those that cannot be read: %s', async (state) => {
    const { open } = createVault();
    const writer = open();
    await writer.writeTrace(trace('a'));
    await writer.writeTrace({ t: 'trace.new', e: 'odd', d: { ws: 'default' } });
    const log = open();
    if (state === 'read') await log.traceEntries('default');
    expect(await toolsIn(log, 2)).toEqual(['a']);
  });
});
