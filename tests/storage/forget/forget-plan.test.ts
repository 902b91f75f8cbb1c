import { describe, expect, it } from 'vitest';
import { createConversations } from '../../../src/chat/log-conversations.js';
import { memoryOf, readLogLines } from '../../../src/storage/log-lines.js';
import { planForget, type ForgetRequest } from '../../../src/storage/forget/forget-plan.js';
import { createTestClock, createTestRandom } from '../../fakes/deterministic.js';
import { createTestVault, garden, stateNamed, type TestVault } from '../../fakes/test-vault.js';

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

const listed = ({ related }: Awaited<ReturnType<typeof planOf>>) =>
  related.map(({ type, title }) => `${type} ${title}`).sort();

/** A conversation that says the given texts. */
async function talk(vault: TestVault, title: string, ...texts: string[]): Promise<string> {
  const conversations = createConversations(
    vault.log,
    createTestRandom(`${title}${texts.join('')}`.length),
  );
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

  it('lists what else contains its text, and keeps it', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Door', { activeTask: SECRET }));
    await vault.data('createState', stateNamed('Door again', { activeTask: SECRET }));
    await vault.data('createState', stateNamed('Beds'));
    await vault.data('logTrace', { kind: 'observation', content: `Note: ${SECRET}`, pin: true });
    await talk(vault, 'About doors', 'Hello there, assistant', `Remember: ${SECRET}`);
    await talk(vault, `${SECRET.slice(0, 20)}…`, 'A message of it', 'And a further message');
    const plan = await planOf(vault, { name: 'Door' });
    expect(told(plan)).toEqual(['state.new Door', 'trace.new createState']);
    expect(listed(plan)).toEqual([
      `conv.new ${SECRET.slice(0, 20)}…`,
      'msg.new ',
      'pin.new logTrace',
      'state.new Door again',
    ]);
    const message = plan.related.find(({ type }) => type === 'msg.new');
    expect(message?.excerpt).toBe(`Remember: ${SECRET}`);
    const typesOf = (type: string) =>
      plan
        .linesOf(new Set(plan.related.filter((each) => each.type === type).map(({ id }) => id)))
        .map(({ event: { t } }) => t)
        .sort();
    expect(typesOf('msg.new')).toEqual(['msg.new']);
    expect(typesOf('pin.new')).toEqual(['pin.new', 'trace.new']);
    expect(typesOf('conv.new')).toEqual(['conv.new', 'msg.new', 'msg.new']);
    expect(typesOf('state.new')).toEqual(['state.new', 'trace.new']);
  });

  it('takes along the calls that named it, and only those', async () => {
    const vault = createTestVault();
    await vault.data('createState', stateNamed('Access'));
    await vault.data('createState', stateNamed('Access to the shed'));
    await vault.data('loadState', { name: 'access' });
    await vault.data('loadState', { name: 'Access to the shed' });
    await vault.data('archiveState', { name: 'Access' });
    await vault.data('createWorkspace', garden);
    const inGarden = { context: { workspaceId: 'Garden' } };
    await vault.data('createState', stateNamed('Access', inGarden));
    await vault.data('loadState', { name: 'Access', ...inGarden });
    const plan = await planOf(vault, { name: 'Access' });
    expect(told(plan)).toEqual([
      'state.new Access',
      'trace.new createState',
      'trace.new loadState',
      'trace.new archiveState',
    ]);
    expect(listed(plan)).toEqual(['state.new Access']);
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

  it('is found by its title of now', async () => {
    const vault = createTestVault();
    const id = await talk(vault, 'Doors', 'Hello');
    const conversations = createConversations(vault.log, createTestRandom(9));
    await conversations.change(id, { title: 'Gates' });
    await talk(vault, 'Doors', 'Another one of that title');
    const plan = await planOf(vault, { kind: 'conversation', name: 'Gates' });
    expect(plan.lines.map(({ event: { t } }) => t).sort()).toEqual(['conv.new', 'msg.new', 'set']);
    expect(told(plan)).toEqual(['conv.new Gates', 'msg.new ']);
    expect(told(await planOf(vault, { kind: 'conversation', name: 'Doors' }))).toHaveLength(2);
  });
});

describe('a plan to forget a record', () => {
  it('takes along its calls, however short its text is', async () => {
    const vault = createTestVault();
    const record = (title: string, body: string) => ({ resource: 'decision', title, body });
    await vault.data('createRecord', record('Anna: cancer', 'chemo in May'));
    await vault.data('createRecord', record('Anna: tall', 'chemo in May'));
    await vault.data('createRecord', { resource: 'issue', body: SECRET.repeat(40), title: 'Long' });
    await vault.data('archiveRecord', { title: 'Anna: cancer' });
    const plan = await planOf(vault, { kind: 'record', name: 'Anna: cancer' });
    expect(told(plan)).toEqual([
      'record.new Anna: cancer',
      'trace.new createRecord',
      'trace.new archiveRecord',
    ]);
    expect(listed(plan)).toEqual(['record.new Anna: tall']);
    const long = await planOf(vault, { kind: 'record', name: 'Long' });
    expect(told(long)).toEqual(['record.new Long', 'trace.new createRecord']);
  });

  it('leaves the calls of an earlier record with its title', async () => {
    const clock = createTestClock();
    const vault = createTestVault({ clock });
    for (const title of ['Water', 'Water']) {
      clock.advance(1000);
      await vault.data('createRecord', { resource: 'issue', title });
      await vault.data('updateRecord', { title, status: 'done' });
      await vault.idle(); // writes the calls
    }
    const { lines } = await readLogLines(vault.files, 'Savepoint');
    const [first] = lines.filter(({ event: { t } }) => t === 'record.new');
    const plan = await planOf(vault, { kind: 'record', name: first!.event.e });
    expect(told(plan).filter((each) => each.startsWith('trace'))).toEqual([
      'trace.new createRecord',
      'trace.new updateRecord',
    ]);
  });
});

describe('a plan to forget a session or trace', () => {
  const capture = (vault: TestVault, session: string, request: string) =>
    vault.log.writeTrace({
      t: 'session.new',
      e: `checkpoint-of-${session}`,
      d: {
        ws: 'default',
        session,
        checkpoint: {
          turns: [{ message: request, isTask: true }],
          changedAt: '2026-11-27T10:00:00.000Z',
          fromState: 'abcdefghijkmnpqr',
          written: ['Notes/Garden/Beds of the south.md'],
          todos: [{ text: 'Dig until the evening', isDone: false }],
        },
      },
    });

  it('takes no session along that began with the same state', async () => {
    const vault = createTestVault();
    for (const [at, session] of ['one', 'two', 'three'].entries())
      await capture(vault, session, `Request number ${at} of the day`);
    const plan = await planOf(vault, { kind: 'session', name: 'one' });
    expect(told(plan)).toEqual(['session Request number 0 of the day']);
    // the others have the same item in their lists
    expect(listed(plan)).toEqual([
      'session Request number 1 of the day',
      'session Request number 2 of the day',
    ]);
    expect(plan.related.map(({ excerpt }) => excerpt)).toEqual([
      'Dig until the evening',
      'Dig until the evening',
    ]);
  });

  it('tells sessions of several apps with one id apart', async () => {
    const vault = createTestVault();
    for (const client of ['claude-code', 'codex', undefined])
      await vault.log.writeTrace({
        t: 'session.new',
        e: `version-of-${client}`,
        d: {
          ...(client && { client }),
          ws: 'default',
          session: 'one',
          checkpoint: { turns: [{ message: `Ask ${client}`, isTask: true }] },
        },
      });
    const session = { kind: 'session', name: 'one' } as const;
    await expect(planOf(vault, session)).rejects.toThrow(
      'There is a session "one" of claude-code, codex and the chat. Pass --client with the name of one.',
    );
    for (const client of ['codex', ''])
      expect(told(await planOf(vault, { ...session, client }))).toEqual([
        `session Ask ${client || undefined}`,
      ]);
    await expect(planOf(vault, { ...session, client: 'gemini' })).rejects.toThrow(
      'There is no session "one"',
    );
  });

  it('knows sessions that only the device has', async () => {
    const vault = createTestVault();
    await capture(vault, 'one', 'Plan the beds');
    const session = { kind: 'session', name: 'one' } as const;
    await expect(planOf(vault, { ...session, unwritten: ['codex'] })).rejects.toThrow(
      'of codex and the chat',
    );
    expect(
      told(await planOf(vault, { ...session, client: 'codex', unwritten: ['codex'] })),
    ).toEqual([]);
    expect(told(await planOf(vault, { ...session, name: 'two', unwritten: ['codex'] }))).toEqual(
      [],
    );
  });

  it('takes along the pinned copy of a trace, and no other with its outcome', async () => {
    const vault = createTestVault();
    const outcome = 'All tests are green now';
    const trace = (content: string) => ({ kind: 'observation', content, outcome, pin: true });
    await vault.data('logTrace', trace('The first of them'));
    await vault.data('logTrace', trace('Another thing'));
    await vault.idle();
    const { lines } = await readLogLines(vault.files, 'Savepoint');
    const first = lines.find(
      ({ event: { t, d } }) => t === 'trace.new' && d['input'] === 'The first of them',
    );
    const name = `t${first!.event.c}`;
    const plan = await planOf(vault, { kind: 'trace', name });
    expect(told(plan).sort()).toEqual(['pin.new logTrace', 'trace.new logTrace']);
    expect(plan.related).toHaveLength(1);
  });
});
