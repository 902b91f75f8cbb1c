// Tier full: each case starts an agent.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NO_MEMORY, createSession, prompt } from './scripted-agent.js';
import { createFolder } from '../folders.js';

it('streams text, thoughts and a plan, and ends the turn', async () => {
  const session = await createSession(createFolder(), NO_MEMORY);
  await session.open();
  const { steps, text } = await prompt(session, ['think Hm', 'plan Read Write', 'say Done.']);
  expect(text).toBe('Done.');
  expect(steps).toMatchObject([
    {
      end: 'done',
      parts: [
        { type: 'reasoning', text: 'Hm' },
        { type: 'text', text: 'Done.' },
        { type: 'tool', tool: 'plan', params: { plan: '○ Read\n○ Write' }, status: 'done' },
      ],
    },
  ]);
});

it('sends invisible characters as markers', async () => {
  const vault = createFolder();
  const session = await createSession(vault, NO_MEMORY);
  await session.open();
  await prompt(session, ['say a\u{E0041}b\u200bc']);
  const sent = journal(vault).find((entry) => 'prompt' in entry);
  expect(JSON.stringify(sent)).toContain('say a⟨U+E0041⟩b⟨U+200B⟩c');
});

it.each([
  [['sees'], true],
  [[], false],
])('knows whether an agent takes images, and sends them: %j', async (quirks, takesImages) => {
  const vault = createFolder();
  const session = await createSession(vault, [...NO_MEMORY, ...quirks]);
  await session.open();
  expect(session.takesImages).toBe(takesImages);
  const image = { mimeType: 'image/png', data: 'iVBORw==' };
  await prompt(session, ['say Red.'], { images: [image] });
  const sent = journal(vault).find((entry) => 'prompt' in entry);
  expect(sent).toMatchObject({ images: [{ type: 'image', ...image }] });
});

it('selects the mode that asks', async () => {
  const session = await createSession(createFolder(), NO_MEMORY);
  await session.open();
  expect((await prompt(session, ['mode'])).text).toBe('default');
  expect(session.settings).toMatchObject([{ id: 'mode', value: 'default' }]);
});

it('denies the folders of the app and of the memory in the settings of the agent', async () => {
  const vault = createFolder();
  const session = await createSession(vault, NO_MEMORY);
  await session.open();
  const started = journal(vault).find((entry) => 'session' in entry);
  expect(JSON.stringify(started)).toContain('Edit(.obsidian/**)');
  expect(JSON.stringify(started)).toContain('Write(Savepoint/**)');
});

it('ignores what the agent prints before the protocol', async () => {
  const session = await createSession(createFolder(), [...NO_MEMORY, 'noise']);
  await session.open();
  expect((await prompt(session, ['say Hello'])).text).toBe('Hello');
});

it.each([
  ['exits', 'ended', 'config.toml: unknown key "modle"\n\n(exit code 3)'],
  ['version', 'version', '99'],
  ['login', 'login', 'Authentication required claude-agent-acp --login'],
])('reports an agent that fails at its start: %s', async (quirk, kind, details) => {
  const session = await createSession(createFolder(), [...NO_MEMORY, quirk]);
  await expect(session.open()).rejects.toMatchObject({ kind, details });
});

it('reports a login that is needed only at the first prompt', async () => {
  const session = await createSession(createFolder(), [...NO_MEMORY, 'login-late']);
  await session.open();
  const { steps } = await prompt(session, ['say Hello']);
  expect(steps).toMatchObject([
    {
      end: 'failed',
      error: { message: 'login: Authentication required claude-agent-acp --login' },
    },
  ]);
});

it('reports an agent that does not answer', async () => {
  const session = await createSession(createFolder(), [...NO_MEMORY, 'silent'], {
    clock: { now: () => 0, after: (ms, task) => runSoon(ms === 60_000, task) },
  });
  await expect(session.open()).rejects.toMatchObject({ kind: 'silent' });
});

it('reports an agent that dies in mid-turn, with its last words', async () => {
  const session = await createSession(createFolder(), NO_MEMORY);
  await session.open();
  const { steps } = await prompt(session, ['say Half', 'die']);
  expect(steps.at(-1)).toMatchObject({
    parts: [{ text: 'Half' }],
    end: 'failed',
    error: { message: 'ended: panic: out of ideas\n\n(exit code 7)' },
  });
  expect(session.isOpen).toBe(false);
});

it('stops a turn', async () => {
  const session = await createSession(createFolder(), NO_MEMORY);
  await session.open();
  const stop = new AbortController();
  const { steps } = await prompt(session, ['say Begun', 'wait', 'say Never'], {
    signal: stop.signal,
    onEvent: ({ type }) => type === 'text' && stop.abort(),
  });
  expect(steps).toMatchObject([{ end: 'stopped', parts: [{ text: 'Begun' }] }]);
  expect((await prompt(session, ['say Again'])).text).toBe('Again');
});

it('gives up on an agent that does not stop', async () => {
  const session = await createSession(createFolder(), [...NO_MEMORY, 'stubborn'], {
    clock: { now: () => 0, after: (ms, task) => runSoon(ms === 5000, task) },
  });
  await session.open();
  const stop = new AbortController();
  const { steps } = await prompt(session, ['say Begun', 'wait'], {
    signal: stop.signal,
    onEvent: ({ type }) => type === 'text' && stop.abort(),
  });
  expect(steps.at(-1)).toMatchObject({ end: 'stopped' });
  expect(session.isOpen).toBe(false);
});

it('writes a file after it was allowed, and shows the change before', async () => {
  const vault = createFolder();
  writeFileSync(join(vault, 'a.md'), 'Old\n');
  const session = await createSession(vault, NO_MEMORY);
  await session.open();
  const { asked, text, steps } = await prompt(session, ['write a.md New']);
  expect(asked).toMatchObject([
    { tool: 'edit', title: 'Write a.md', changes: [{ path: 'a.md', lines: ['-Old', '+New'] }] },
  ]);
  expect(text).toBe('Written.');
  expect(steps[0]).toMatchObject({ parts: [{ status: 'done', title: 'Write a.md' }] });
  expect(readFileSync(join(vault, 'a.md'), 'utf8')).toBe('New\n');
});

it('writes nothing that the user has denied', async () => {
  const vault = createFolder();
  const session = await createSession(vault, NO_MEMORY);
  await session.open();
  const { text, steps } = await prompt(session, ['write a.md New'], {
    approve: () => Promise.resolve(false),
  });
  expect(text).toBe('Not allowed.');
  expect(steps[0]).toMatchObject({ parts: [{ status: 'denied' }] });
  expect(existsSync(join(vault, 'a.md'))).toBe(false);
});

it('asks before a write that the agent did not ask for', async () => {
  const vault = createFolder();
  const session = await createSession(vault, NO_MEMORY);
  await session.open();
  const { asked, text } = await prompt(session, ['push a.md New'], {
    approve: () => Promise.resolve(false),
  });
  expect(asked).toMatchObject([{ tool: 'edit', title: join(vault, 'a.md') }]);
  expect(text).toContain('did not allow');
  expect(existsSync(join(vault, 'a.md'))).toBe(false);
});

it.each([
  ['.obsidian/app.json', 'protected'],
  ['Savepoint/core/x.jsonl', 'protected'],
  ['../outside.md', 'outside the vault'],
  ['/etc/outside.md', 'outside the vault'],
  ['sub/../../outside.md', 'outside the vault'],
  ['.git/config', 'Hidden'],
])('refuses to write %s without asking the user', async (path, reason) => {
  const vault = createFolder();
  mkdirSync(join(vault, '.obsidian'));
  const session = await createSession(vault, NO_MEMORY);
  await session.open();
  const { asked, text } = await prompt(session, [`push ${path} x`, `ask ${path}`]);
  expect(asked).toEqual([]);
  expect(text).toContain(reason);
  expect(text).toContain('Refused.');
  expect(existsSync(join(vault, path))).toBe(false);
});

it.each([
  ['away/secret.md', 'a linked folder'],
  ['away/new.md', 'a new file in a linked folder'],
  ['away/../secret.md', 'the parent of a linked folder'],
  ['secret.md', 'a linked file'],
  ['nowhere.md', 'a link to nothing'],
])('follows no link out of the vault: %s, %s', async (path) => {
  const [vault, outside] = [createFolder(), createFolder()];
  mkdirSync(join(outside, 'inner'));
  for (const name of ['secret.md', 'inner/secret.md'])
    writeFileSync(join(outside, name), 'Secret\n');
  symlinkSync(join(outside, 'inner'), join(vault, 'away'));
  symlinkSync(join(outside, 'secret.md'), join(vault, 'secret.md'));
  symlinkSync(join(outside, 'nowhere.md'), join(vault, 'nowhere.md'));
  const session = await createSession(vault, NO_MEMORY);
  await session.open();
  const { asked, text, steps } = await prompt(session, [
    `push ${path} x`,
    `ask ${path}`,
    `ask ${path} read`,
  ]);
  expect(asked).toEqual([]);
  const problem =
    'A link in the path leads out of the vault, or to nothing. Use only paths that stay inside the vault.';
  expect(text).toBe(`${problem}Refused.Refused.`);
  expect(steps.flatMap(({ parts }) => parts)).toMatchObject([
    { type: 'text' },
    { status: 'denied', answer: { success: false, error: problem } },
    { type: 'text' },
    { status: 'denied', answer: { success: false, error: problem } },
    { type: 'text' },
  ]);
  expect(readFileSync(join(outside, 'secret.md'), 'utf8')).toBe('Secret\n');
  expect(readFileSync(join(outside, 'inner/secret.md'), 'utf8')).toBe('Secret\n');
  for (const file of ['nowhere.md', 'inner/new.md'])
    expect(existsSync(join(outside, file))).toBe(false);
});

it('refuses a link into a protected folder, and takes one inside of the vault for its target', async () => {
  const vault = createFolder();
  for (const folder of ['.obsidian', 'Notes']) mkdirSync(join(vault, folder));
  symlinkSync('.obsidian', join(vault, 'settings'));
  symlinkSync('Notes', join(vault, 'other'));
  const written: string[] = [];
  const session = await createSession(vault, NO_MEMORY, {
    writeFile: (path) => Promise.resolve(void written.push(path)),
  });
  await session.open();
  const { text } = await prompt(session, ['push settings/app.json x', 'push other/a.md x']);
  expect(text).toContain('The folder ".obsidian" is protected.');
  expect(written).toEqual(['Notes/a.md']);
});

it('writes in a vault that is behind a link, by either of its paths', async () => {
  const vault = createFolder();
  const link = join(createFolder(), 'vault');
  symlinkSync(vault, link);
  const session = await createSession(link, NO_MEMORY);
  await session.open();
  await prompt(session, ['push a.md x', `push ${join(vault, 'b.md')} x`]);
  for (const file of ['a.md', 'b.md']) expect(existsSync(join(vault, file))).toBe(true);
});

it('shows a second write to a path as done, after the first was denied', async () => {
  const vault = createFolder();
  const session = await createSession(vault, NO_MEMORY);
  await session.open();
  const answers = [false, true];
  const { asked, steps } = await prompt(session, ['retry a.md New'], {
    approve: () => Promise.resolve(answers.shift() === true),
  });
  expect(asked).toHaveLength(2);
  const calls = steps.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool'));
  expect(calls).toMatchObject([{ status: 'denied' }, { status: 'done' }]);
  expect(readFileSync(join(vault, 'a.md'), 'utf8')).toBe('New\n');
});

it('asks before a write to a file of which only reading was allowed', async () => {
  const session = await createSession(createFolder(), NO_MEMORY);
  await session.open();
  const { asked } = await prompt(session, ['ask a.md read', 'push a.md x']);
  expect(asked.map(({ tool }) => tool)).toEqual(['read', 'edit']);
});

it('says that a change cannot be undone before the user decides', async () => {
  const session = await createSession(createFolder(), NO_MEMORY, {
    keepFile: (path) => Promise.resolve(path !== 'large.md'),
  });
  await session.open();
  const { asked, steps } = await prompt(session, [
    'ask large.md',
    'ask small.md',
    'edit large.md x',
  ]);
  expect(asked.map(({ notUndoable }) => notUndoable)).toEqual([['large.md'], []]);
  const parts = steps.flatMap((step) => step.parts);
  expect(parts).toContainEqual(
    expect.objectContaining({ status: 'done', notUndoable: ['large.md'] }),
  );
});

it('takes 100,000 updates at once', async () => {
  const session = await createSession(createFolder(), NO_MEMORY);
  await session.open();
  const { text, steps } = await prompt(session, ['burst 100000']);
  const numbers = text.trim().split(' ');
  expect(numbers.length).toBe(100_000);
  expect(numbers.at(-1)).toBe('100000');
  const stored = steps.flatMap(({ parts }) => parts.map((part) => JSON.stringify(part).length));
  expect(Math.max(...stored)).toBeLessThan(900 * 1024);
});

it('does not show the lines of a diff of 10 MB', async () => {
  const session = await createSession(createFolder(), NO_MEMORY);
  await session.open();
  const { steps } = await prompt(session, ['diff 10000000']);
  expect(steps[0]?.parts).toMatchObject([
    { changes: [{ path: 'big.md', lines: [], isCut: true }] },
  ]);
});

it('continues the session of an agent that can resume', async () => {
  const vault = createFolder();
  const session = await createSession(vault, [...NO_MEMORY, 'resumes'], { previousId: 'before' });
  await session.open();
  expect([session.id, session.isResumed]).toEqual(['before', true]);
  expect((await prompt(session, ['say Hello'])).text).toBe('Hello');
});

it('hides the messages that an agent repeats when it loads a session', async () => {
  const session = await createSession(createFolder(), [...NO_MEMORY, 'loads'], {
    previousId: 'before',
  });
  await session.open();
  expect(session.isResumed).toBe(true);
  expect((await prompt(session, ['say Hello'])).text).toBe('Hello');
});

it.each([[['resumes', 'forgets']], [[]]])(
  'starts again without the session: %j',
  async (quirks) => {
    const session = await createSession(createFolder(), [...NO_MEMORY, ...quirks], {
      previousId: 'before',
    });
    await session.open();
    expect(session.isResumed).toBe(false);
    expect(session.id).not.toBe('before');
  },
);

it('lists the commands and the context window of the agent', async () => {
  const session = await createSession(createFolder(), NO_MEMORY);
  await session.open();
  const { steps } = await prompt(session, ['commands compact review', 'usage 500 2000']);
  expect(session.commands.map(({ name }) => name)).toEqual(['compact', 'review']);
  expect(session.contextLimit).toBe(2000);
  expect(steps.at(-1)?.usage).toEqual({ input: 500, output: 0 });
});

function journal(vault: string): Record<string, unknown>[] {
  return readFileSync(join(vault, 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Runs a task soon instead of after its time, or never. */
function runSoon(isWanted: boolean, task: () => void): () => void {
  const timer = isWanted ? setTimeout(task, 20) : undefined;
  return () => clearTimeout(timer);
}

it('reports a change that the agent announces where it must not write', async () => {
  const vault = createFolder();
  const reported: string[] = [];
  const session = await createSession(vault, NO_MEMORY, {
    onForbiddenCall: (path, stage) => void reported.push(`${stage} ${path}`),
  });
  await session.open();
  const outside = join(createFolder(), 'notes.md');
  const { steps } = await prompt(session, [
    'edit note.md x',
    `edit ${outside} x`,
    'edit Savepoint/core/x.jsonl x',
  ]);
  expect(steps.at(-1)).toMatchObject({ end: 'done' });
  expect(reported).toEqual(
    [outside, 'Savepoint/core/x.jsonl'].flatMap((path) =>
      ['named', 'writing', 'written'].map((stage) => `${stage} ${path}`),
    ),
  );
});

it('reports no change that was refused', async () => {
  const vault = createFolder();
  const reported: string[] = [];
  const session = await createSession(vault, NO_MEMORY, {
    onForbiddenCall: (path, stage) => void (stage === 'writing' && reported.push(path)),
  });
  await session.open();
  await prompt(session, ['ask /etc/outside.md', 'push .obsidian/app.json x']);
  expect(reported).toEqual([]);
});
