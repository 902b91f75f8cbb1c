import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/model/refusal.js';
import { createChangeFeed, type LogChange } from '../../src/storage/change-feed.js';
import { createTestClock } from '../fakes/deterministic.js';
import { createVault, putWorkspace, ROOT, segmentsIn } from './helpers.js';

const TRACE = { t: 'trace.new', e: 'x', d: { ws: 'default', tool: 't' } };

/** Creates a vault with a log whose file watcher is triggered manually. */
function setUp() {
  const vault = createVault();
  const watchers = new Set<(path?: string) => void>();
  const watch = {
    start(changed: (path?: string) => void) {
      watchers.add(changed);
      return () => void watchers.delete(changed);
    },
  };
  const log = vault.open({ watch });
  const changes: LogChange[] = [];
  /** Reports a file as the watcher would. Resolves when the log has reacted. */
  const tell = async (path?: string) => {
    for (const changed of watchers) changed(path);
    vault.clock.advance(200);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...vault,
    log,
    changes,
    watchers,
    tell,
    listen: () => log.onChange((change) => void changes.push(change)),
  };
}

const MEMORY = { memory: true, traces: false, chat: false };
const TRACES = { memory: false, traces: true, chat: false };

describe('a listener', () => {
  it('is notified once of each write by its own log', async () => {
    const { log, changes, listen } = setUp();
    await log.memory();
    listen();
    await putWorkspace(log, 'Plan');
    expect(changes).toEqual([MEMORY]);
    await log.writeTrace(TRACE);
    expect(changes).toEqual([MEMORY, TRACES]);
    await log.memory();
    expect(changes).toHaveLength(2);
  });

  it("is notified once of other logs' writes that the watcher reports", async () => {
    const { open, log, changes, listen, tell } = setUp();
    await log.memory();
    listen();
    const other = open();
    await putWorkspace(other, 'One');
    await putWorkspace(other, 'Two');
    expect(changes).toEqual([]);
    await tell();
    expect(changes).toEqual([MEMORY]);
    await tell();
    expect(changes).toEqual([MEMORY]);
  });

  it('is notified of changes that a call to memory() finds', async () => {
    const { open, log, changes, listen } = setUp();
    await log.memory();
    listen();
    await putWorkspace(open(), 'One');
    await log.memory();
    expect(changes).toEqual([MEMORY]);
  });

  it("is notified of other logs' traces only once traces have been read", async () => {
    const { open, watched, log, changes, listen, tell } = setUp();
    listen();
    const other = open();
    await other.writeTrace(TRACE);
    await tell();
    expect([changes, watched.reads]).toEqual([[], []]);
    await log.traceEntries('default');
    expect(changes).toEqual([TRACES]);
    await other.writeTrace(TRACE);
    await tell();
    expect(changes).toEqual([TRACES, TRACES]);
  });

  it('is notified if the watcher reports a replaced sealed segment', async () => {
    const { files, open, log, changes, listen, tell } = setUp();
    const other = open();
    await putWorkspace(other, 'Long', 70_000);
    await putWorkspace(other, 'Next');
    await log.memory();
    listen();
    const [sealed] = await segmentsIn(files);
    const more = createVault();
    await putWorkspace(more.open(), 'Another');
    const [line] = await segmentsIn(more.files);
    files.put(sealed!.path, Buffer.concat([sealed!.bytes, line!.bytes]));
    await tell(sealed!.path);
    expect(changes).toEqual([MEMORY]);
  });

  it('does not keep other listeners from being called if it throws', async () => {
    const { warnings, log, changes, listen } = setUp();
    log.onChange(() => {
      throw new Error('broken view');
    });
    listen();
    await putWorkspace(log, 'Plan');
    expect(changes).toEqual([MEMORY]);
    expect(warnings).toEqual([expect.stringContaining('broken view')]);
  });

  it('is notified once an unreadable folder is readable again', async () => {
    const { open, watched, log, changes, listen, tell } = setUp();
    await log.memory();
    listen();
    await putWorkspace(open(), 'One');
    watched.beforeRead = () => {
      throw new Refusal('The disk is gone.');
    };
    await tell();
    watched.beforeRead = () => undefined;
    await tell();
    expect(changes).toEqual([MEMORY]);
  });
});

describe('a published change', () => {
  function setUpAlone() {
    const feed = createChangeFeed({
      watch: undefined,
      clock: createTestClock(),
      invalidate: () => undefined,
      refresh: () => Promise.resolve(),
      warn: () => undefined,
    });
    const changes: LogChange[] = [];
    const listen = () => feed.subscribe((change) => void changes.push(change));
    return { feed, changes, listen };
  }

  it('is merged with other changes of the same task', async () => {
    const { feed, changes, listen } = setUpAlone();
    listen();
    for (const change of [{ memory: true }, { traces: true }, { chat: true }, { memory: false }])
      feed.publish(change);
    await Promise.resolve();
    expect(changes).toEqual([{ memory: true, traces: true, chat: true }]);
    for (const change of [{ chat: true }, {}]) feed.publish(change);
    await Promise.resolve();
    expect(changes.slice(1)).toEqual([{ memory: false, traces: false, chat: true }]);
    for (const change of [{ memory: true }, {}]) feed.publish(change);
    await Promise.resolve();
    expect(changes.slice(2)).toEqual([{ memory: true, traces: false, chat: false }]);
  });

  it('is dropped without listeners', async () => {
    const { feed, changes, listen } = setUpAlone();
    feed.publish({ memory: true });
    listen();
    await Promise.resolve();
    expect(changes).toEqual([]);
    feed.stop();
  });
});

describe('files', () => {
  it('are invalidated only if the watcher names them', async () => {
    const invalidated: unknown[] = [];
    let refreshes = 0;
    let tell: (path?: string) => void = () => undefined;
    const clock = createTestClock();
    const feed = createChangeFeed({
      clock,
      warn: () => undefined,
      invalidate: (path) => void invalidated.push(path),
      refresh: () => Promise.resolve(void refreshes++),
      watch: { start: (changed) => ((tell = changed), () => undefined) },
    });
    feed.subscribe(() => undefined);
    tell();
    tell('core/x.jsonl');
    clock.advance(200);
    await Promise.resolve();
    expect([invalidated, refreshes]).toEqual([['core/x.jsonl'], 1]);
  });

  it('are watched only while there are listeners', async () => {
    const { log, watchers, listen } = setUp();
    expect(watchers.size).toBe(0);
    const [first, second] = [listen(), listen()];
    expect(watchers.size).toBe(1);
    first();
    expect(watchers.size).toBe(1);
    second();
    expect(watchers.size).toBe(0);
    listen();
    await log.close();
    expect(watchers.size).toBe(0);
  });

  it('are not read after the log is closed', async () => {
    const { watched, clock, log, changes, watchers, listen } = setUp();
    await log.memory();
    listen();
    for (const changed of watchers) changed(`${ROOT}/core/x.jsonl`);
    await log.close();
    let looks = 0;
    watched.beforeRead = () => void looks++;
    clock.advance(1000);
    await new Promise((resolve) => setImmediate(resolve));
    expect([looks, changes]).toEqual([0, []]);
  });
});
