import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { captureProject, messagesIn, recordedSession } from '../../fakes/captured-project.js';
import { lineOf, WRITER_B } from '../../fakes/events.js';
import { commandInProcess } from '../../fakes/in-process.js';
import { connect, runProgram, temporaryFolder } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { inFull } from '../../tier.js';
import { callInProcess, createFolders, type TestFolders } from '../program-folders.js';
import { filesWithSecret, SECRET } from './forgotten-text.js';

const itInFull = it.runIf(inFull('further ways to forget'));

const testInFull = it.runIf(inFull('a second device that agrees'));

function secretFiles({ vault, state }: TestFolders): string[] {
  return filesWithSecret(vault, state);
}

function linesIn(vault: string): LogEvent[] {
  const folder = join(vault, 'Savepoint/core');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as LogEvent);
}

async function vaultWithSecret(): Promise<TestFolders> {
  const at = createFolders();
  await callInProcess(at, 'createState', stateNamed('Plan'));
  const secret = { ...stateNamed('Access'), conversationContext: `Say that ${SECRET}` };
  await callInProcess(at, 'createState', { ...secret, decisions: [`Use it, ${SECRET}`] });
  await callInProcess(at, 'createState', stateNamed('After'));
  await search(at);
  return at;
}

function search({ vault, state }: TestFolders) {
  const args = ['search', 'umbrella violin', '--memory', '--vault', vault, '--state', state];
  return commandInProcess([...args, '--json']);
}

function forget({ vault, state }: TestFolders, ...args: string[]) {
  return runProgram(['forget', ...args, '--vault', vault, '--state', state]);
}

function verify({ vault, state }: TestFolders) {
  return commandInProcess(['verify', '--vault', vault, '--state', state]);
}

describe('savepoint forget', () => {
  it('leaves no byte of the text on the device, and everything else', async () => {
    const at = await vaultWithSecret();
    expect(secretFiles(at).length).toBeGreaterThan(2);

    const forgotten = await forget(at, 'Access', '--yes');

    expect(forgotten.stderr).toBe('');
    expect(forgotten.stdout).toContain('state  Access');
    expect(forgotten.stdout).toContain('Forgotten.');
    expect(secretFiles(at)).toEqual([]);
    const { stdout } = await callInProcess(at, 'listStates', {});
    expect(stdout).toContain('Plan');
    expect(stdout).toContain('After');
    expect(stdout).not.toContain('Access');
    expect((await search(at)).stdout).not.toContain('violin');
    const report = await verify(at);
    expect(report.stdout).toContain('forgotten');
    expect(report.code).toBe(0);
    const again = await callInProcess(at, 'createState', stateNamed('Access'));
    expect(again.code).toBe(0);
    expect(secretFiles(at)).toEqual([]);
  });

  testInFull('removes it from a second device once its user agrees', async () => {
    const one = await vaultWithSecret();
    const two = { vault: temporaryFolder(), state: temporaryFolder('other-state') };
    cpSync(one.vault, two.vault, { recursive: true });
    await callInProcess(two, 'createState', stateNamed('Elsewhere'));
    await forget(one, 'Access', '--yes');
    cpSync(one.vault, two.vault, { recursive: true });

    const listed = await callInProcess(two, 'listStates', {});
    expect(listed.stdout).toContain('Elsewhere');
    expect(listed.stdout).not.toContain('Access');
    // the first process has looked up whether this device has the lines
    const told = await callInProcess(two, 'listStates', {});
    expect(told.stdout).toContain('has asked to remove');
    const report = await verify(two);
    expect(report.code).toBe(1);
    expect(report.stdout).toContain('events that a device has asked to remove');
    const id = /^ +([0-9a-f]{32})/m.exec(report.stdout)?.[1] ?? '';
    for (const choice of ['--agree', '--refuse']) {
      const shown = await forget(two, choice, id, '--dry-run', '--yes');
      expect(shown.stdout).toMatch(/ forgot this on \d{4}-\d\d-\d\d \(\d+ lines of the log\):\n/);
      expect(shown.stdout).toMatch(/^ {2}state {2}Access {2}/m);
      expect(shown.stdout).toContain('Nothing was decided');
    }
    const unasked = await forget(two, '--agree', id);
    expect(unasked.stderr).toContain('run this in a terminal, or add --yes');
    const both = await forget(two, 'Access', '--agree', id);
    expect(both.stderr).toContain('Pass NAME, --agree or --refuse, and only one of them.');
    expect(secretFiles(two).length).toBeGreaterThan(0);
    const agreed = await forget(two, '--agree', id, '--yes');

    expect(agreed.stderr).toBe('');
    expect(secretFiles(two)).toEqual([]);
    expect((await verify(two)).code).toBe(0);
  });

  it('leaves no byte in the open files of a server that is still running', async () => {
    const at = createFolders();
    const { call } = await connect(at.vault, at.state);
    const secret = { ...stateNamed('Access'), conversationContext: `Say that ${SECRET}` };
    await call('createState', secret);
    await call('loadState', { name: 'Access' });
    expect(secretFiles(at).length).toBeGreaterThan(0);

    const forgotten = await forget(at, 'Access', '--yes');
    expect(forgotten.stdout).toContain('may still be written to');
    const listed = await call('listStates');
    expect(JSON.stringify(listed)).not.toContain('Access');
    await expect.poll(() => secretFiles(at), { timeout: 20_000 }).toEqual([]);
    expect((await call('createState', stateNamed('After'))).success).toBe(true);
    expect(secretFiles(at)).toEqual([]);
  });

  testInFull('only hides it without a terminal and --yes', async () => {
    const at = await vaultWithSecret();
    const hidden = await forget(at, 'Access');
    expect(hidden.stdout).toContain('removed for good after you have been told on 7 days');
    expect(secretFiles(at).length).toBeGreaterThan(0);
    expect((await callInProcess(at, 'listStates', {})).stdout).not.toContain('Access');
    expect((await verify(at)).code).toBe(1);
  });

  itInFull(
    'leaves no byte of what a workspace contained before, and the workspace as it is',
    async () => {
      const at = createFolders();
      const texts = { description: 'Beds', rootFolder: '/', purpose: `Know that ${SECRET}` };
      const preferences = { note: SECRET, tone: 'dry' };
      await callInProcess(at, 'createWorkspace', { name: 'Garden', ...texts, preferences });
      await callInProcess(at, 'createState', stateNamed('Plan', { workspaceId: 'Garden' }));
      await callInProcess(at, 'updateWorkspace', { name: 'Garden', keyFiles: [`${SECRET}.md`] });
      const changes = { purpose: 'Vegetables', keyFiles: [], preferences: { tone: 'dry' } };
      await callInProcess(at, 'updateWorkspace', { name: 'Garden', ...changes });
      await search(at);
      const shown = await callInProcess(at, 'loadWorkspace', { name: 'Garden' });
      expect(secretFiles(at).length).toBeGreaterThan(2);

      const forgotten = await forget(at, 'Garden', '--kind', 'workspace', '--yes');
      expect(forgotten.stdout).toContain('earlier texts of the workspace  Garden');
      expect(secretFiles(at)).toEqual([]);
      const after = await callInProcess(at, 'loadWorkspace', { name: 'Garden' });
      expect(after.stdout).toContain('Vegetables');
      expect(after.stdout).toContain('Plan');
      expect(shown.stdout).toContain('Vegetables');
      const report = await verify(at);
      expect(report.stdout).toContain('forgotten');
      expect(report.code).toBe(0);
      const again = await forget(at, 'Garden', '--kind', 'workspace', '--yes');
      expect(again.stderr).toContain('has no earlier texts');
    },
  );

  itInFull('refuses a forged event by the id that verify shows', async () => {
    const at = await vaultWithSecret();
    const [, state] = linesIn(at.vault).filter(({ t }) => t === 'state.new');
    const { w, n, c } = state!;
    const range = { w, from: n, to: n, crcs: c, hash: '0'.repeat(32) };
    const d = { device: 'laptop', ranges: [range] };
    const { bytes } = lineOf({ t: 'log.forget', w: WRITER_B, d });
    writeFileSync(join(at.vault, 'Savepoint/core/forged.jsonl'), bytes);
    expect((await callInProcess(at, 'listStates', {})).stdout).not.toContain('Access');

    const { stdout, code } = await verify(at);
    expect(code).toBe(1);
    const [, section] = stdout.split('\nforgery');
    const id = /^ +([0-9a-f]{32}) \(Savepoint\/core\/forged\.jsonl\)/m.exec(section ?? '')?.[1];
    await forget(at, '--refuse', id ?? 'nothing');

    expect((await callInProcess(at, 'listStates', {})).stdout).toContain('Access');
    expect((await verify(at)).stdout).not.toContain('\nforgery');
  });

  itInFull('finds a state in any workspace, unless several have it', async () => {
    const at = createFolders();
    const inOther = { description: 'x', rootFolder: '/', purpose: 'x' };
    for (const name of ['Thesis', 'Shop']) {
      await callInProcess(at, 'createWorkspace', { name, ...inOther });
      await callInProcess(at, 'createState', stateNamed('Outline', { workspaceId: name }));
    }
    await callInProcess(at, 'createState', stateNamed('Till', { workspaceId: 'Shop' }));
    expect((await forget(at, 'Till', '--dry-run')).stdout).toContain('state  Till');
    const several = await forget(at, 'Outline', '--dry-run');
    expect(several.stderr).toContain('There is a state "Outline" in "Shop" and "Thesis".');
  });

  itInFull('shows what else contains the text, and forgets it if asked', async () => {
    const at = await vaultWithSecret();
    await callInProcess(at, 'createState', {
      ...stateNamed('Door'),
      activeTask: `Say that ${SECRET}`,
    });
    const shown = await forget(at, 'Access', '--dry-run', '--yes');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('They stay, unless you add --also');
    expect(shown.stdout).toMatch(/^ {2}state {2}Door {2}\S+ {2}"Say that /m);
    expect(shown.stdout).toContain('Nothing was forgotten');
    expect((await callInProcess(at, 'listStates', {})).stdout).toContain('Access');

    const forgotten = await forget(at, 'Access', '--also', '--yes');
    expect(forgotten.stdout).toContain('They are forgotten, too');
    expect(secretFiles(at)).toEqual([]);
    const { stdout } = await callInProcess(at, 'listStates', {});
    expect(stdout).toContain('Plan');
    expect(stdout).not.toContain('Door');
  });

  itInFull('leaves no call of a record with a short text', async () => {
    const at = createFolders();
    const record = { resource: 'decision', title: 'Anna: cancer', body: 'chemo in May' };
    await callInProcess(at, 'createRecord', record);
    expect((await callInProcess(at, 'timeline', {})).stdout).toContain('Anna');
    const forgotten = await forget(at, 'anna: cancer', '--kind', 'record', '--yes');
    expect(forgotten.stdout).toContain('call  createRecord');
    const { stdout } = await callInProcess(at, 'timeline', {});
    expect(stdout).not.toContain('Anna');
    expect((await callInProcess(at, 'listRecords', {})).stdout).not.toContain('Anna');
  });

  it('says what it does not find', async () => {
    const at = createFolders();
    await callInProcess(at, 'createState', stateNamed('Plan'));
    const missing = await forget(at, 'Plaque', '--yes');
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('There is no state "Plaque" to forget.');
  });

  itInFull('leaves nothing in what is kept of sessions that commands have named', async () => {
    const at = await vaultWithSecret();
    const session = ['--session', 'chapter'];
    await callInProcess(at, 'loadState', { name: 'Access' }, ...session);
    await forget(at, 'Access', '--yes');
    expect(secretFiles(at)).toEqual([]);
  });

  itInFull(
    'shows nothing of a captured session any more, and captures what it does from then on',
    async () => {
      const at = await captureProject();
      const { input, record } = recordedSession(at, 'claude-code', 'one');
      await at.hook('session-start', { ...input, source: 'startup' }, '--background');
      record({ kind: 'task', text: `Say that ${SECRET}` }, { kind: 'answer', text: 'Done.' });
      await at.hook('pre-compact', input, '--background');
      expect(await at.brief()).toContain('umbrella-violin');
      const transcript = readFileSync(input.transcript_path);

      const where = ['--workspace', 'App', '--kind', 'session', '--vault', at.vault];
      expect((await at.run('forget', 'one', ...where, '--yes')).stdout).toContain('Forgotten.');

      expect(filesWithSecret(at.vault, at.state)).toEqual([]);
      expect(await at.brief()).not.toContain('umbrella-violin');
      record({ kind: 'task', text: 'Fix the login' }, { kind: 'answer', text: 'Fixed.' });
      await at.hook('session-end', input, '--background');
      expect([...new Set(at.checkpoints().flatMap(messagesIn))]).toEqual(['Fix the login']);
      expect(await at.brief()).toContain('Fix the login');
      expect(filesWithSecret(at.vault, at.state)).toEqual([]);
      expect(readFileSync(input.transcript_path).subarray(0, transcript.length)).toEqual(
        transcript,
      );
    },
  );

  describe('of a session that only this device has', () => {
    /** A session that says the secret, of which no version is in the vault yet. */
    async function unwritten(...clients: ('claude-code' | 'codex')[]) {
      const at = await captureProject();
      const sessions = clients.map((client) =>
        recordedSession({ transcripts: temporaryFolder(client) }, client, 'one'),
      );
      for (const { client, input, record } of sessions) {
        record({ kind: 'task', text: `Say that ${SECRET}` }, { kind: 'answer', text: 'Done.' });
        for (const event of ['session-start', 'turn'])
          await at.hook(event, input, '--background', '--client', client);
      }
      const where = ['--kind', 'session', '--vault', at.vault];
      const forgetOne = (...args: string[]) => at.run('forget', 'one', ...where, ...args);
      const inApp = ['brief', '--workspace', 'App', '--vault', at.vault];
      const brief = async () => (await at.run(...inApp)).stdout;
      return { at, ...sessions[0]!, forgetOne, brief };
    }

    it('removes it, and it does not come back', async () => {
      const { at, input, record, forgetOne, brief } = await unwritten('claude-code');
      expect(at.checkpoints()).toEqual([]);
      expect(filesWithSecret(at.vault, at.state)).not.toEqual([]);
      expect(await brief()).toContain('umbrella-violin');

      const hidden = await forgetOne();
      expect(hidden).toMatchObject({
        code: 1,
        stderr:
          'Nothing was forgotten: so far, this session is only on this device, where nothing can be hidden. Run this in a terminal, or add --yes.\n',
      });
      const { stdout } = await forgetOne('--yes');

      expect(stdout).toMatch(
        /^This will be forgotten on this device:\n {2}session {2}what hooks of Claude Code have noted {2}\d{4}-\d\d-\d\d\n/,
      );
      expect(stdout).toContain('Forgotten.');
      expect(filesWithSecret(at.vault, at.state)).toEqual([]);
      expect(await brief()).not.toContain('umbrella-violin');
      record({ kind: 'task', text: 'Fix the login' }, { kind: 'answer', text: 'Fixed.' });
      await at.hook('session-end', input, '--background');
      expect([...new Set(at.checkpoints().flatMap(messagesIn))]).toEqual(['Fix the login']);
      expect(filesWithSecret(at.vault, at.state)).toEqual([]);
    });

    itInFull('names the apps if several have a session with this id', async () => {
      const { forgetOne, brief } = await unwritten('codex', 'claude-code');
      expect((await forgetOne('--yes')).stderr).toContain(
        'of claude-code and codex. Pass --client',
      );
      expect((await forgetOne('--yes', '--client', 'codex')).stdout).toContain('hooks of Codex');
      expect(await brief()).toContain('umbrella-violin');
      expect((await forgetOne('--yes')).stdout).toContain('hooks of Claude Code');
      expect((await forgetOne('--yes')).stderr).toContain('There is no session "one"');
    });
  });
});
