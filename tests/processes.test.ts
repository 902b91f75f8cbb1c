// Tier full: many processes on one folder
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { allPages } from './fakes/all-pages.js';
import { connect, runProgram, startProgram, temporaryFolder } from './fakes/program.js';
import { stateNamed } from './fakes/test-vault.js';
import { inNightly, isNightly } from './tier.js';

/** `npm run test:long` runs these tests at the size of the nightly tier. */
const STATES_EACH = isNightly ? 5000 : 400;
const KILLS = isNightly ? 200 : 6;
const MANY = 10_000;

interface Shown {
  readonly name: string;
}

async function listNames(vault: string, state: string): Promise<string[]> {
  const states = await allPages<Shown>(async (page) => {
    const params = JSON.stringify({ includeArchived: true, ...page });
    const at = ['--vault', vault, '--state', state];
    const { stdout } = await runProgram(['call', 'listStates', ...at, '--json', params]);
    return JSON.parse(stdout) as unknown;
  });
  return states.map(({ name }) => name);
}

async function verify(vault: string) {
  const { stdout } = await runProgram(['verify', '--vault', vault, '--json']);
  return JSON.parse(stdout) as {
    isWhole: boolean;
    problems: { kind: string; path: string }[];
    writers: { writer: string; lane: string; missing: unknown[]; forks: number }[];
    digest: string;
  };
}

describe.runIf(inNightly('ten thousand states in one process'))(
  'ten thousand states in one workspace',
  () => {
    it(
      'are all listed, and the oldest can be found, archived and restored',
      { timeout: 240_000 },
      async () => {
        const [vault, state] = [temporaryFolder(), temporaryFolder('state')];
        const { call } = await connect(vault, state);
        const names = Array.from({ length: MANY }, (_, index) => `State ${index}`);
        const create = async (part: string[]) => {
          const calls = part.map((name) => ({
            agent: 'memoryManager',
            tool: 'createState',
            params: stateNamed(name, {
              conversationContext: name === 'State 0' ? 'the oldest ptarmigan' : 'c',
            }),
          }));
          expect(await call('useTools', { calls })).toMatchObject({ success: true });
        };
        for (let at = 0; at < MANY; at += 50) await create(names.slice(at, at + 50));
        const list = () => allPages<Shown>((page) => call('listStates', { ...page }));
        expect((await list()).map(({ name }) => name)).toEqual([...names].reverse());
        expect(await call('loadState', { name: 'state 0' })).toMatchObject({
          success: true,
          data: { conversationContext: 'the oldest ptarmigan' },
        });
        const found = await call('searchMemory', {
          query: 'ptarmigan',
          workspaceId: 'default',
          memoryTypes: ['states'],
        });
        // all states of a session are of one piece of work
        expect(found).toMatchObject({
          data: [
            { name: names.at(-1) },
            { name: 'State 0', newest: names.at(-1), content: 'the oldest ptarmigan' },
          ],
        });
        expect(await call('createState', stateNamed('State 0'))).toMatchObject({
          success: false,
          error: expect.stringContaining('State "State 0" already exists.') as string,
        });
        expect(await call('archiveState', { name: 'State 0' })).toMatchObject({
          success: true,
          workspace: 'Default',
        });
        expect(await list()).toHaveLength(MANY - 1);
        expect(await call('createState', stateNamed('State 0'))).toMatchObject({ success: false });
        expect(
          await runProgram(['restore', 'State 0', '--vault', vault, '--state', state]),
        ).toMatchObject({ code: 0 });
        expect((await list()).at(-1)).toMatchObject({ name: 'State 0' });
        const loaded = (await call('loadWorkspace', { name: 'Default' })) as {
          data: { totalStates: number };
        };
        expect(loaded.data.totalStates).toBe(MANY);
      },
    );
  },
);

describe('four processes on one folder', () => {
  it(
    'create states concurrently without loss, duplicates or bad lines',
    { timeout: 600_000 },
    async () => {
      const vault = temporaryFolder();
      const state = temporaryFolder('state');
      const connections = await Promise.all(Array.from({ length: 4 }, () => connect(vault, state)));
      await Promise.all(
        connections.map(async ({ call }, process) => {
          for (let index = 0; index < STATES_EACH; index++) {
            expect(await call('createState', stateNamed(`P${process} S${index}`))).toMatchObject({
              success: true,
              workspace: 'Default',
            });
          }
        }),
      );
      const shown = await Promise.all(
        connections.map(async ({ call }) =>
          (await allPages<Shown>((page) => call('listStates', { ...page }))).map(
            ({ name }) => name,
          ),
        ),
      );
      for (const names of shown) expect(new Set(names).size).toBe(4 * STATES_EACH);
      for (const names of shown) expect(names).toEqual(shown[0]);
      const report = await verify(vault);
      expect(report).toMatchObject({ isWhole: true, problems: [] });
      expect(report.writers.filter(({ lane }) => lane === 'core')).toHaveLength(4);
    },
  );

  it("see each other's writes at once, and refuse taken names", async () => {
    const vault = temporaryFolder();
    const [one, two] = await Promise.all([
      connect(vault, temporaryFolder('state')),
      connect(vault, temporaryFolder('state')),
    ]);
    for (let index = 0; index < 20; index++) {
      await one.call('createState', stateNamed(`S${index}`));
      expect(await two.call('createState', stateNamed(`s${index}`))).toMatchObject({
        success: false,
        error: expect.stringContaining('already exists') as string,
      });
      expect(await two.call('loadState', { name: `S${index}` })).toMatchObject({ success: true });
    }
  });

  it('read a file that a sync tool delivers in pieces', async () => {
    const [vault, other] = [temporaryFolder(), temporaryFolder()];
    const far = await connect(other, temporaryFolder('state'));
    await far.call('createState', stateNamed('From afar'));
    const near = await connect(vault, temporaryFolder('state'));
    await near.call('createState', stateNamed('Near'));
    const report = await verify(other);
    const writer = report.writers.find(({ lane }) => lane === 'core')!.writer;
    const month = new Date().toISOString().slice(0, 7);
    const name = `${new Date().toISOString().slice(0, 10).replaceAll('-', '')}-${writer}-0001.jsonl`;
    const bytes = readFileSync(join(other, 'Savepoint', 'core', month, name));
    const target = join(
      vault,
      'Savepoint',
      'core',
      month,
      `${name.replace('.jsonl', '')} (conflicted copy).jsonl`,
    );
    for (let at = 0; at < bytes.length; at += 200) {
      appendFileSync(target, bytes.subarray(at, at + 200));
      expect(await near.call('listStates')).toMatchObject({ success: true });
    }
    expect(await near.call('listStates')).toMatchObject({
      success: true,
      workspace: 'Default',
      data: [{ name: 'Near' }, { name: 'From afar' }],
    });
  });
});

describe('kill -9 under load', () => {
  it('loses no acknowledged state', { timeout: 600_000 }, async () => {
    const vault = temporaryFolder();
    const state = temporaryFolder('state');
    const acknowledged: string[] = [];
    for (let round = 0; round < KILLS; round++) {
      const before = acknowledged.length;
      const child = startProgram(['mcp', '--vault', vault, '--state', state]);
      let rest = '';
      child.stdout.on('data', (piece: Buffer) => {
        rest += piece.toString();
        const lines = rest.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          const { id, result } = JSON.parse(line) as {
            id: string;
            result?: { structuredContent?: { success?: boolean } };
          };
          if (result?.structuredContent?.success) acknowledged.push(id);
        }
      });
      for (let index = 0; index < 400; index++) {
        const name = `R${round} S${index}`;
        const params = {
          name: 'createState',
          arguments: stateNamed(name, { conversationContext: 'x'.repeat(index * 10) }),
        };
        child.stdin.write(
          `${JSON.stringify({ jsonrpc: '2.0', id: name, method: 'tools/call', params })}\n`,
        );
      }
      child.stdin.on('error', () => undefined); // the pipe breaks when the process dies
      const closed = once(child, 'close');
      await expect
        .poll(() => acknowledged.length - before, { interval: 1 })
        .toBeGreaterThanOrEqual((round * 37) % 50);
      await sleep((round * 7) % 20);
      child.kill('SIGKILL');
      await closed;
    }
    const names = await listNames(vault, state);
    const held = new Set(names);
    expect(acknowledged.length).toBeGreaterThan(KILLS);
    expect(acknowledged.filter((name) => !held.has(name))).toEqual([]);
    expect(held.size).toBe(names.length);
    const report = await verify(vault);
    expect(report.writers.filter(({ missing, forks }) => missing.length + forks > 0)).toEqual([]);
    // A kill during a write may leave only the beginning of a line, or an empty file.
    const left = ['pending', 'waiting'];
    expect(report.problems.filter(({ kind }) => !left.includes(kind))).toEqual([]);
  });
});
