import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/model/refusal.js';
import { createWatching, type Change } from '../../src/storage/change-feed.js';
import { createTestClock } from '../fakes/deterministic.js';
import { createVault, putWorkspace, ROOT, segmentsIn } from './helpers.js';

const TRACE = { t: 'trace.new', e: 'x', d: { ws: 'default', tool: 't' } };

/** A vault with a log that is told of changes by hand. */
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
  const changes: Change[] = [];
  /** The host tells of a file; what follows from that has happened when this resolves. */
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
  it('hears of own writes at once, and of no marks and headers', async () => {
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

  it('hears of what others write once the host tells, and once for all that came together', async () => {
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

  it('hears of what a call finds', async () => {
    const { open, log, changes, listen } = setUp();
    await log.memory();
    listen();
    await putWorkspace(open(), 'One');
    await log.memory();
    expect(changes).toEqual([MEMORY]);
  });

  it('hears of traces of others where traces have been read, and else not: nothing is read for it', async () => {
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

  it('hears of a sealed segment that another has taken the place of, where the host names it', async () => {
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

  it('does not stop the others where it throws', async () => {
    const { warnings, log, changes, listen } = setUp();
    log.onChange(() => {
      throw new Error('broken view');
    });
    listen();
    await putWorkspace(log, 'Plan');
    expect(changes).toEqual([MEMORY]);
    expect(warnings).toEqual([expect.stringContaining('broken view')]);
  });

  it('survives that the folder cannot be read for a while', async () => {
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

describe('what is announced', () => {
  function setUpAlone() {
    const watching = createWatching({
      watch: undefined,
      clock: createTestClock(),
      suspect: () => undefined,
      look: () => Promise.resolve(),
      warn: () => undefined,
    });
    const changes: Change[] = [];
    const listen = () => watching.listen((change) => void changes.push(change));
    return { watching, changes, listen };
  }

  it('in one go is told once, all of it', async () => {
    const { watching, changes, listen } = setUpAlone();
    listen();
    for (const change of [{ memory: true }, { traces: true }, { chat: true }, { memory: false }])
      watching.announce(change);
    await Promise.resolve();
    expect(changes).toEqual([{ memory: true, traces: true, chat: true }]);
    for (const change of [{ chat: true }, {}]) watching.announce(change);
    await Promise.resolve();
    expect(changes.slice(1)).toEqual([{ memory: false, traces: false, chat: true }]);
    for (const change of [{ memory: true }, {}]) watching.announce(change);
    await Promise.resolve();
    expect(changes.slice(2)).toEqual([{ memory: true, traces: false, chat: false }]);
  });

  it('before anybody listens is told to nobody, and nobody need watch the files', async () => {
    const { watching, changes, listen } = setUpAlone();
    watching.announce({ memory: true });
    listen();
    await Promise.resolve();
    expect(changes).toEqual([]);
    watching.stop();
  });
});

describe('the files', () => {
  it('are suspected where the host names them, and only there', async () => {
    const suspects: unknown[] = [];
    let looks = 0;
    let tell: (path?: string) => void = () => undefined;
    const clock = createTestClock();
    const watching = createWatching({
      clock,
      warn: () => undefined,
      suspect: (path) => void suspects.push(path),
      look: () => Promise.resolve(void looks++),
      watch: { start: (changed) => ((tell = changed), () => undefined) },
    });
    watching.listen(() => undefined);
    tell();
    tell('core/x.jsonl');
    clock.advance(200);
    await Promise.resolve();
    expect([suspects, looks]).toEqual([['core/x.jsonl'], 1]);
  });

  it('are watched only while somebody listens', async () => {
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

  it('are not looked at any more once the log is closed', async () => {
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
