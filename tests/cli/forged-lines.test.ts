// Tier full: thousands of forged lines
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/model/event.js';
import { crc32, crcText } from '../../src/platform/crc32.js';
import { joinLines, linesOf, WRITER_B } from '../fakes/events.js';
import { runProgram } from '../fakes/program.js';
import { stateNamed } from '../fakes/test-vault.js';
import { callProgram, createFolders, type TestFolders } from './program-folders.js';

async function vaultWithState(): Promise<TestFolders> {
  const at = createFolders();
  await callProgram(at, 'createState', stateNamed('Plan'));
  return at;
}

function addFile({ vault }: TestFolders, bytes: Uint8Array | string): void {
  writeFileSync(join(vault, 'Savepoint/core/forged.jsonl'), bytes);
}

function verify({ vault, state }: TestFolders, ...more: string[]) {
  return runProgram(['verify', '--vault', vault, '--state', state, ...more]);
}

/** Returns the line of the only state, with a second name and a CRC that matches. */
function withSecondName({ vault }: TestFolders, name: string): string {
  const folder = join(vault, 'Savepoint/core');
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((each) =>
    each.endsWith('.jsonl'),
  );
  const lines = readFileSync(join(folder, file!), 'utf8').split('\n');
  const line = lines.find((each) => each.includes('"t":"state.new"'))!;
  const body = line
    .slice(0, line.lastIndexOf(',"c":'))
    .replace(/"w":"[^"]*"/, `"w":"${WRITER_B}"`)
    .replace(/"e":"[^"]*"/, '"e":"forged"')
    .replace('"name":"Plan"', '"name":"Shown"')
    .replace(/\}$/, `,"name":"${name}"}`);
  return `${body},"c":"${crcText(crc32(new TextEncoder().encode(body)))}"}\n`;
}

describe('a forged line', () => {
  it('cannot show one name in lists and another when it is loaded', async () => {
    const at = await vaultWithState();
    addFile(at, withSecondName(at, 'Other'));
    const answers = await Promise.all([
      callProgram(at, 'listStates', {}),
      callProgram(at, 'loadState', { name: 'Shown' }),
      callProgram(at, 'loadState', { name: 'Plan' }),
    ]);
    for (const { stdout } of answers) expect(stdout).not.toContain('Other');
    expect(answers[2].stdout).toContain('"success":true');
    const { stdout, code } = await verify(at);
    expect(code).toBe(1);
    expect(stdout).toContain('forged.jsonl');
  });

  it('cannot claim thousands of writers and events that nobody has written', async () => {
    const at = await vaultWithState();
    const letters = 'abcdefghjkmnpqrstuvwxyz';
    const core: Record<string, Json> = { [WRITER_B]: [2 ** 53 - 1] };
    for (let n = 0; n < 2000; n++)
      core[`aaaaaaaaa${letters[n % 23]}${letters[Math.floor(n / 23) % 23]}${letters[n % 7]}`] = [7];
    const [line] = linesOf([{ t: 'log.mark', e: '', d: { seen: { core } } }], WRITER_B);
    addFile(at, line!.bytes);
    const { stdout, code } = await verify(at);
    expect(code).toBe(1);
    expect(stdout).not.toContain(`${2 ** 53}`.slice(0, 10));
    expect(stdout.split('\n').length).toBeLessThan(30);
    expect(stdout).toContain(`writers that only ${WRITER_B} mentions`);
    expect(stdout).toMatch(/^impossible \(1\)/m);
    const dismissed = await verify(at, '--dismiss', WRITER_B);
    expect(dismissed.stdout).not.toMatch(/^missing/m);
  });

  it('that is one of more than 100 for one value is reported', async () => {
    const at = await vaultWithState();
    const sets = Array.from({ length: 101 }, (_, n) => ({
      t: 'set',
      e: 'default',
      d: { '/purpose': `No. ${n}` },
    }));
    addFile(at, joinLines(linesOf(sets, WRITER_B)));
    const { stdout, code } = await verify(at);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^impossible \(1\)/m);
  });
});
