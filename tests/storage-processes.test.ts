// Tier full: processes that are killed during a write
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect, startProgram, temporaryFolder, type Connection } from './fakes/program.js';
import { perTier } from './tier.js';

const TIMES = perTier(350, 350, 1000);
const PATH = 'counter.txt';

/** Increments the number in the file `times` times, and returns the number of failed attempts. */
async function count(tool: string, { call }: Connection, times: number): Promise<number> {
  let lost = 0;
  for (let done = 0; done < times;) {
    const { data } = (await call(`${tool}Read`, { path: PATH })) as {
      data: { content: string; sha256: string };
    };
    const content = String(Number(data.content) + 1);
    const answer = await call(`${tool}Write`, {
      path: PATH,
      content,
      mode: 'overwrite',
      expectedSha: data.sha256,
    });
    if (answer.success) done++;
    else {
      expect(answer.error).toContain('Read it again');
      lost++;
    }
  }
  return lost;
}

describe('two processes writing one file', () => {
  it(`lose no update in ${TIMES} conflicts`, { timeout: 300_000 }, async () => {
    const vault = temporaryFolder();
    const processes = await Promise.all([
      connect(vault, temporaryFolder('state'), '--toolsets', 'storage'),
      connect(vault, temporaryFolder('state'), '--toolsets', 'storage'),
    ]);
    await processes[0].call('workspaceStorageWrite', { path: PATH, content: '0' });
    const tooLate = await Promise.all(
      processes.map((process) => count('workspaceStorage', process, TIMES / 2)),
    );
    const folder = join(vault, 'Savepoint/files/workspaces/default');
    expect(readFileSync(join(folder, PATH), 'utf8')).toBe(String(TIMES));
    expect(readdirSync(folder)).toEqual([PATH]);
    // Fewer writes may not conflict.
    expect(tooLate[0]! + tooLate[1]!).toBeGreaterThan(0);
  });

  it('keep every line that either of them appends', { timeout: 120_000 }, async () => {
    const vault = temporaryFolder();
    const processes = await Promise.all([
      connect(vault, temporaryFolder('state'), '--toolsets', 'storage'),
      connect(vault, temporaryFolder('state'), '--toolsets', 'storage'),
    ]);
    const lines = (process: number) => Array.from({ length: 50 }, (_, at) => `${process} ${at}\n`);
    await Promise.all(
      processes.map(async ({ call }, process) => {
        const context = { sessionId: 'shared' };
        const write = (content: string) =>
          call('sessionStorageWrite', { path: 'log/lines.txt', content, mode: 'append', context });
        for (const line of lines(process))
          expect(await write(line)).toEqual({ success: true, data: expect.anything() as unknown });
      }),
    );
    const text = readFileSync(join(vault, 'Savepoint/files/sessions/shared/log/lines.txt'), 'utf8');
    expect(text.match(/.*\n/g)?.sort()).toEqual([...lines(0), ...lines(1)].sort());
  });

  it('lose no acknowledged write if one is killed', { timeout: 180_000 }, async () => {
    const vault = temporaryFolder();
    const acknowledged: string[] = [];
    for (let round = 0; round < 2; round++) {
      const child = startProgram([
        'mcp',
        '--vault',
        vault,
        '--state',
        temporaryFolder('state'),
        '--toolsets',
        'storage',
      ]);
      child.stdin.on('error', () => undefined); // the pipe breaks when the process dies
      let output = '';
      child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
      for (let at = 0; at < 300; at++) {
        const id = `${round} ${at}\n`;
        const params = {
          name: 'workspaceStorageWrite',
          arguments: { path: PATH, content: id, mode: 'append' },
        };
        child.stdin.write(
          `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`,
        );
      }
      while (idsOfSuccesses(output).length < 20) await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'close');
      acknowledged.push(...idsOfSuccesses(output));
    }
    const { call } = await connect(vault, temporaryFolder('state'), '--toolsets', 'storage');
    expect(
      await call('workspaceStorageWrite', { path: PATH, content: 'last\n', mode: 'append' }),
    ).toMatchObject({ success: true });
    const folder = join(vault, 'Savepoint/files/workspaces/default');
    const kept: string[] = readFileSync(join(folder, PATH), 'utf8').match(/.*\n/g) ?? [];
    expect(acknowledged.length).toBeGreaterThanOrEqual(2 * 20);
    expect(acknowledged.filter((line) => !kept.includes(line))).toEqual([]);
    expect(new Set(kept).size).toBe(kept.length);
    expect(kept.at(-1)).toBe('last\n');
    expect(readdirSync(folder)).toEqual([PATH]);
  });
});

/** Returns the ids of the calls that succeeded, from a program's output so far. */
function idsOfSuccesses(output: string): string[] {
  return output
    .split('\n')
    .slice(0, -1)
    .map(
      (line) =>
        JSON.parse(line) as { id: string; result: { structuredContent: { success: boolean } } },
    )
    .filter(({ result }) => result.structuredContent.success)
    .map(({ id }) => id);
}
