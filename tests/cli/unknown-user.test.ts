import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { PROGRAM, runProgram, servedBy, startProgram, temporaryFolder } from '../fakes/program.js';

/** A user id without an entry in passwd, as a container may be given one. */
const UNKNOWN = { uid: 424_242, gid: 424_242 };

/** Returns true if a program can be started as that user; otherwise logs the reason. */
function canBeUnknown(): boolean {
  try {
    execFileSync(process.execPath, ['--version'], { ...UNKNOWN, cwd: '/' });
    return true;
  } catch (error) {
    console.warn(`Skipped: no program runs here as a user without an entry (${String(error)})`);
    return false;
  }
}

it.runIf(canBeUnknown())('a user without an entry in passwd is served over HTTP', async () => {
  const [vault, state, folder] = [temporaryFolder(), temporaryFolder('state'), temporaryFolder()];
  for (const each of [vault, state]) chownSync(each, UNKNOWN.uid, UNKNOWN.gid);
  const program = join(folder, 'main.js'); // such a user may not reach the folder of this project
  copyFileSync(PROGRAM, program);
  chmodSync(folder, 0o755);
  const child = startProgram(['mcp', '--vault', vault, '--state', state, '--http'], {
    ...UNKNOWN,
    program,
    cwd: '/',
    env: { HOME: '/' },
  });
  const { url, token } = await servedBy(child);
  const client = new Client({ name: 'savepoint-tests', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
  );
  onTestFinished(() => client.close());
  const { structuredContent } = await client.callTool({ name: 'listWorkspaces', arguments: {} });
  expect(structuredContent).toMatchObject({ success: true });
});

it.runIf(canBeUnknown())('says in one sentence that its data cannot be stored', async () => {
  const [vault, closed, folder] = [temporaryFolder(), temporaryFolder('state'), temporaryFolder()];
  chownSync(vault, UNKNOWN.uid, UNKNOWN.gid);
  const program = join(folder, 'main.js');
  copyFileSync(PROGRAM, program);
  chmodSync(folder, 0o755);
  chmodSync(closed, 0o755);
  const state = join(closed, 'inner');
  const { code, stdout, stderr } = await runProgram(
    ['mcp', '--vault', vault, '--state', state, '--http'],
    { ...UNKNOWN, program, cwd: '/', env: { HOME: '/' } },
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    `"${state}" cannot be written (EACCES). Check its permissions and the space on the disk, or choose another folder for this device's data with --state.\n`,
  );
});
