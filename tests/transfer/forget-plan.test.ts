import { describe, expect, it } from 'vitest';
import { createConversations } from '../../src/chat/log-conversations.js';
import { memoryOf, readLogLines } from '../../src/storage/read/log-lines.js';
import { planForget, type ForgetRequest } from '../../src/transfer/forget-plan.js';
import { createTestRandom } from '../fakes/deterministic.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../fakes/test-vault.js';

const SECRET = 'The door opens with 4711-violet-umbrella';

async function planOf(vault: TestVault, request: Partial<ForgetRequest> & { name: string }) {
  await vault.idle();
  const { lines } = await readLogLines(vault.files, 'Savepoint');
  return planForget(lines, memoryOf(lines), {
    kind: 'state',
    workspaceId: 'default',
    ...request,
  });
}

const told = ({ items }: Awaited<ReturnType<typeof planOf>>) =>
  items.map(({ type, title }) => `${type} ${title}`);

/** A conversation that says the given texts. */
async function talk(vault: TestVault, title: string, ...texts: string[]): Promise<string> {
  const conversations = createConversations(vault.log, createTestRandom(title.length));
  const { id } = await conversations.create({ workspaceId: 'default', title });
  let parentId: string | undefined;
  for (const text of texts) {
    const parts = [{ type: 'text' as const, text }];
    const content = { conversationId: id, parentId, role: 'user' as const, parts };
    parentId = (await conversations.add({ ...content, model: 'provider/a-model-with-a-name' })).id;
  }
  return id;
}

describe('a plan to forget a state', () => {
  it('leaves out what only shares its workspace, session, device and files', async () => {
    const vault = createTestVault();
    const activeFiles = ['Notes/Garden/Beds of the south.md'];
    const session = { session: 'the-session-of-them-all' };
    await vault.data('createWorkspace', garden, session);
    await vault.data('createState', stateNamed('Beds', { activeFiles }), session);
    await vault.data(
      'createState',
      stateNamed('Door', { activeFiles, activeTask: SECRET }),
      session,
    );
    await vault.idle();
    const { lines } = await readLogLines(vault.files, 'Savepoint');
    const memory = memoryOf(lines);
    const door = lines.find(({ event }) => event.d['name'] === 'Door')?.event;
    expect(door?.d['ws']).toHaveLength(16);
    const plan = planForget(lines, memory, { kind: 'state', name: door!.e, workspaceId: '' });
    expect(plan.items.map(({ type, title }) => `${type} ${title}`)).toEqual([
      'state.new Door',
      'trace.new createState',
    ]);
    expect(plan.related).toEqual([]);
  });

  it('finds the calls and messages that repeat its text, and names the states that do', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Door', { activeTask: SECRET }));
    await vault.data('createState', stateNamed('Door again', { activeTask: SECRET }));
    await vault.data('createState', stateNamed('Beds'));
    await talk(vault, 'About doors', 'Hello there, assistant', `Remember: ${SECRET}`);
    const plan = await planOf(vault, { name: 'Door' });
    expect(told(plan)).toEqual([
      'state.new Door',
      'trace.new createState',
      'msg.new ',
      'trace.new createState',
    ]);
    expect(plan.related.map(({ title }) => title)).toEqual(['Door again']);
    expect(plan.items.map(({ isPart }) => isPart)).toEqual([true, false, false, false]);
  });

  it('takes along a conversation that is named after its text', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Door', { activeTask: SECRET }));
    await talk(vault, `${SECRET.slice(0, 20)}…`, SECRET, 'And a further message');
    const plan = await planOf(vault, { name: 'Door' });
    expect(told(plan).filter((title) => !title.startsWith('trace'))).toEqual([
      'state.new Door',
      `conv.new ${SECRET.slice(0, 20)}…`,
      'msg.new ',
      'msg.new ',
    ]);
  });

  it('gives each item its changes', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Door'));
    await vault.data('archiveState', { name: 'Door' });
    const { items } = await planOf(vault, { name: 'Door' });
    expect(items[0]?.lines.map(({ event }) => event.t)).toEqual(['state.new', 'set']);
  });
});

describe('a plan to forget a conversation', () => {
  it('has its messages and calls, and names the states that it saved', async () => {
    const vault = createTestVault();
    const id = await talk(vault, 'Doors', SECRET, 'A second message of it');
    await talk(vault, 'Others', SECRET);
    await vault.data('createState', stateNamed('Saved', { activeTask: SECRET }), { session: id });
    await vault.data('createState', stateNamed('Beds', { activeTask: SECRET }));
    const plan = await planOf(vault, { kind: 'conversation', name: id });
    expect(told(plan)).toEqual(['conv.new Doors', 'msg.new ', 'msg.new ', 'trace.new createState']);
    expect(plan.items.map(({ isPart }) => isPart)).toEqual([true, true, true, false]);
    expect(plan.related.map(({ title }) => title)).toEqual(['Saved']);
  });
});
