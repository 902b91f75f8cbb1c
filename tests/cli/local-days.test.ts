import { expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../fakes/program.js';

/** A time zone in which it is another day now than in UTC. */
const TZ = new Date().getUTCHours() < 11 ? 'Etc/GMT+12' : 'Pacific/Kiritimati';

it('days in answers are those of the device', async () => {
  const vault = temporaryFolder();
  const env = { ...process.env, TZ, SAVEPOINT_STATE: temporaryFolder('state') };
  const call = async (tool: string, params: object) => {
    const args = ['call', tool, '--vault', vault, '--json', JSON.stringify(params)];
    return JSON.parse((await runProgram(args, { env })).stdout) as { data: { lastSave: string }[] };
  };
  const content = { conversationContext: 'c', activeTask: 't', activeFiles: [], nextSteps: ['n'] };
  await call('createState', { name: 'Plan', ...content });
  const [workspace] = (await call('listWorkspaces', {})).data;
  const today = new Intl.DateTimeFormat('sv', { timeZone: TZ }).format(new Date());
  expect(today).not.toBe(new Date().toISOString().slice(0, 10));
  expect(workspace?.lastSave).toBe(today);
});
