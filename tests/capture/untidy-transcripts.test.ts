import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { workIn, type SessionWork } from '../fakes/transcripts.js';

const FOLDER = fileURLToPath(new URL('transcripts', import.meta.url));

/** Returns the lines of a transcript in the folder, and of those of its subagents. */
function linesOf(name: string): string[] {
  const subagents = `${FOLDER}/${name.replace(/\.jsonl$/, '')}/subagents`;
  const others = existsSync(subagents) ? readdirSync(subagents) : [];
  return [`${FOLDER}/${name}`, ...others.map((other) => `${subagents}/${other}`)].flatMap((file) =>
    readFileSync(file, 'utf8').split('\n'),
  );
}

const claude = (...lines: object[]) =>
  workIn(
    'claude-code',
    lines.map((line) => JSON.stringify(line)),
  );
const codex = (...lines: object[]) =>
  workIn(
    'codex',
    lines.map((line) => JSON.stringify(line)),
  );
const gemini = (...lines: object[]) =>
  workIn(
    'gemini',
    lines.map((line) => JSON.stringify(line)),
  );
const user = (content: unknown, more: object = {}) => ({
  type: 'user',
  isSidechain: false,
  message: { role: 'user', content },
  ...more,
});
const assistant = (...content: object[]) => ({ type: 'assistant', message: { content } });
const said = (text: string) => ({ type: 'text', text });
const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
const RENAME = 'Rename the invoice module';
const ASKED = user(RENAME);
const messagesOf = ({ turns }: SessionWork) => turns.map(({ message }) => message);

describe('the files made after public reports', () => {
  it.each([
    [
      'claude-queued-command.jsonl',
      { task: 'Add the export button', then: ['No, put it in the toolbar instead'] },
    ],
    ['claude-origin-hook.jsonl', { task: RENAME, then: [], answer: 'Fixed.' }],
    [
      'claude-subagents.jsonl',
      {
        task: 'Migrate the store to SQLite, use subagents',
        answer: 'The agents finished.',
        isFinished: true,
        files: [{ path: '/home/user/hk/proj/store.ts', isWritten: true }],
        commands: [{ command: 'npm test', isSuccess: false }],
      },
    ],
    [
      'codex-0.130.jsonl',
      {
        task: 'Split the parser',
        answer: 'Split it.',
        files: [{ path: '/home/user/proj/lexer.ts', isWritten: true }],
        commands: [{ command: 'npm test', isSuccess: false }],
      },
    ],
    [
      'gemini-single-json.json',
      {
        task: 'Sort the photos by place',
        answer: 'Sorted.',
        files: [{ path: '/home/user/proj/photos.md', isWritten: true }],
      },
    ],
    [
      'claude-api-error.jsonl',
      {
        task: 'Add a print stylesheet to the invoice page',
        then: ['Fix the margins then'],
        answer: 'The stylesheet is in print.css, margins are still wrong.',
        isFinished: false,
        turns: [{}, { answer: '' }],
      },
    ],
    [
      'claude-joined-lines.jsonl',
      {
        task: 'Draw the deployment as a diagram',
        answer: 'Drawn.',
        files: [{ path: '/home/user/proj/deploy.mmd', isWritten: true }],
      },
    ],
    [
      'claude-plan-rejected.jsonl',
      {
        task: 'Split the settings page',
        then: ['use tabs instead of a second page'],
        answer: 'Now with tabs.',
        files: [{ path: '/home/user/proj/tabs.ts', isWritten: true }],
      },
    ],
    [
      'claude-powershell.jsonl',
      {
        task: 'Make the installer work on Windows',
        answer: 'Signing fails; the certificate is missing.',
        commands: [
          {
            command: 'npm run package:win',
            isSuccess: false,
            error: 'Exit code 1 signing failed',
          },
        ],
      },
    ],
    [
      'codex-ide-context.jsonl',
      {
        task: 'Show the tax on its own line',
        answer: 'The tax is on its own line.',
        files: [{ path: '/home/user/proj/src/cart.ts', isWritten: true }],
      },
    ],
    [
      'gemini-at-file.jsonl',
      {
        task: 'Shorten @notes.md to one page',
        answer: 'It is one page now.',
        files: [{ path: '/home/user/proj/notes.md', isWritten: true }],
      },
    ],
  ])('%s', (name, expected) => {
    const app = name.split('-', 1)[0]!.replace('claude', 'claude-code');
    expect(workIn(app, linesOf(name))).toMatchObject(expected);
  });

  it('claude-last-prompt-cut.jsonl', () => {
    const { task, then } = workIn('claude-code', linesOf('claude-last-prompt-cut.jsonl'));
    expect(task.length).toBeGreaterThan(500);
    expect(then).toEqual([]);
  });

  it('gemini-at-file.jsonl leaves nothing of the file', () => {
    const work = workIn('gemini', linesOf('gemini-at-file.jsonl'));
    expect(JSON.stringify(work)).not.toContain('budget');
  });
});

describe('a message that was sent during a turn', () => {
  const queued = (prompt: unknown, more: object = {}) => ({
    type: 'attachment',
    attachment: { type: 'queued_command', prompt, ...more },
  });

  it('belongs to the task, with an image or before any answer, too', () => {
    const longer = 'Keep the old name too, in a file that imports the new one';
    expect(
      claude(ASKED, queued(longer), assistant(use('e', 'Edit', { file_path: 'a' }))),
    ).toMatchObject({ task: RENAME, then: [longer] });
    const parts = [{ type: 'image', source: {} }, said('As in this screenshot')];
    expect(claude(ASKED, queued(parts)).then).toEqual(['As in this screenshot']);
  });

  it('is none if an agent, a task or a command of the app sent it', () => {
    for (const more of [
      { origin: { kind: 'teammate' } },
      { commandMode: 'task-notification' },
      { commandMode: 'bash' },
      { isMeta: true },
    ])
      expect(messagesOf(claude(ASKED, queued('Something else', more)))).toEqual([RENAME]);
    const notice = '<task-notification>\n<task-id>b1</task-id> is done</task-notification>';
    expect(messagesOf(claude(ASKED, queued(notice)))).toEqual([RENAME]);
  });

  it('is not asked twice if it is sent again as a message of its own', () => {
    const { task, then, answer } = claude(
      ASKED,
      queued('Now add a test for the totals'),
      user('Now add a test for the totals'),
      assistant(said('Added.')),
    );
    expect([task, then, answer]).toEqual([RENAME, ['Now add a test for the totals'], 'Added.']);
  });
});

describe('a message that was sent during a turn of Codex', () => {
  const event = (payload: object) => ({ type: 'event_msg', payload });
  const typed = (message: string) => event({ type: 'user_message', message });
  const begun = event({ type: 'task_started', turn_id: 't' });
  const ended = event({ type: 'task_complete', turn_id: 't', last_agent_message: 'Done.' });
  const edit = (path: string) =>
    event({ type: 'patch_apply_end', call_id: path, changes: { [path]: {} }, success: true });
  const footer = 'And fix the footer, please';

  it('belongs to that turn, even if more is written later', () => {
    const during = codex(begun, typed(RENAME), edit('a'), typed(footer), edit('b'), ended);
    expect(during).toMatchObject({ task: RENAME, then: [footer], isFinished: true });
    const after = codex(begun, typed(RENAME), edit('a'), ended, begun, typed(footer), edit('b'));
    expect(after).toMatchObject({ task: footer, then: [], before: RENAME });
  });

  it("is none if it is the turn's own, recorded twice", () => {
    const item = { type: 'UserMessage', id: 'm', content: [{ type: 'text', text: footer }] };
    const again = event({ type: 'item_completed', item });
    const work = codex(
      begun,
      typed(RENAME),
      edit('a'),
      ended,
      begun,
      typed(footer),
      again,
      edit('b'),
    );
    expect(work).toMatchObject({ task: footer, before: RENAME });
  });
});

describe('the thread of a subagent of Codex', () => {
  const event = (payload: object) => ({ type: 'event_msg', payload });
  const turn = (id: string, message: string, path: string) => [
    event({ type: 'task_started', turn_id: id }),
    event({ type: 'user_message', message }),
    event({ type: 'patch_apply_end', call_id: path, changes: { [path]: {} }, success: true }),
  ];
  const thread = (source: unknown) => [
    { type: 'session_meta', payload: { id: '02', forked_from_id: '01', source } },
    { type: 'session_meta', payload: { id: '01', source: 'cli' } },
    ...turn('01a', RENAME, 'a'),
    ...turn('02a', 'Review the last commit', 'b'),
  ];

  it('has nothing of the one from which it was copied', () => {
    const work = codex(...thread({ subagent: { thread_spawn: { parent_thread_id: '01' } } }));
    expect(messagesOf(work)).toEqual(['Review the last commit']);
    expect(work.files.map(({ path }) => path)).toEqual(['b']);
  });

  it('has all of it if a person has copied it', () => {
    expect(messagesOf(codex(...thread('cli')))).toEqual([RENAME, 'Review the last commit']);
  });
});

describe('what nobody has typed', () => {
  it.each([
    ['<teammate-message teammate_id="lead" color="blue">\nTake task 3\n</teammate-message>'],
    ['<system-reminder>Do not mention this</system-reminder>'],
    ['<local-command-stdout>ok</local-command-stdout>'],
    ['<ide_opened_file>The user opened a.ts</ide_opened_file>'],
    ['<channel source="chat" user="x">hello there my friend</channel>'],
    ['<bash-input>npm test</bash-input>'],
    ['<my_notes>\nfirst\n</my_notes>\n<other-block a="b">second</other-block>'],
    ['<new-block>\nIt never ends'],
    ['Caveat: The messages below were generated by the user while running local commands.'],
    ['<user-prompt-submit-hook>lint first, please'],
    ['Stop hook feedback:\n- [lint.sh]: three warnings'],
    ['[Request interrupted by user for tool use]'],
    ['Brief of workspace "App". Quoted lines are notes, not instructions.'],
    ['Save the state of this conversation (memoryManager createState), so that another'],
  ])('%s is not a message', (text) => {
    expect(messagesOf(claude(ASKED, user(text)))).toEqual([RENAME]);
    expect(messagesOf(claude(ASKED, user([said(text)])))).toEqual([RENAME]);
  });

  it.each([
    [{ origin: { kind: 'hook' } }],
    [{ origin: { kind: 'peer' } }],
    [{ sourceToolUseID: 't1' }],
    [{ isMeta: true }],
  ])('%j is not a message', (more) => {
    expect(messagesOf(claude(ASKED, user('Fix three warnings now', more)))).toEqual([RENAME]);
  });

  it('is not, in Codex and Gemini', () => {
    const typed = (message: string) => ({
      type: 'event_msg',
      payload: { type: 'user_message', message },
    });
    for (const text of [
      '<environment_context>\n  <cwd>/p</cwd>\n</environment_context>',
      '<user_instructions>\nBe brief\n</user_instructions>',
      '# AGENTS.md instructions for /p\n\nBe brief',
      '<turn_aborted>\nThe user interrupted\n</turn_aborted>',
      '<subagent_notification>{"agent":"a"}</subagent_notification>',
    ])
      expect(messagesOf(codex(typed('Split the parser'), typed(text)))).toEqual([
        'Split the parser',
      ]);
    const context = { type: 'user', content: '<session_context>\nToday is Sunday' };
    const asked = { type: 'user', content: 'Sort the photos' };
    expect(messagesOf(gemini(asked, context))).toEqual(['Sort the photos']);
  });
});

describe('what a person has typed', () => {
  it.each([
    ['<div class="card">this is cut off on phones</div>'],
    ['<div class="card">\n  <p>Total</p>\n</div>'],
    ['<svg viewBox="0 0 8 8"></svg>'],
    ['<Button onClick={save}> does nothing, why?'],
    ['<my-element> renders twice'],
    ['<h1> is too large'],
    ['<system> is the wrong tag here'],
    ['Caveat: the tests need a database. Run them anyway'],
    ['<3 that works, now the other one'],
    ['Why is <my-element> in <my-list>…</my-list> drawn twice?'],
  ])('%s is a message', (text) => {
    expect(messagesOf(claude(ASKED, user(text)))).toEqual([RENAME, text]);
  });

  it('is found after what the app has put in front of it', () => {
    const parts = [said('<ide_selection>line 3</ide_selection>'), said('Explain this line')];
    expect(messagesOf(claude(user(parts)))).toEqual(['Explain this line']);
    const text = '<system-reminder>\nx\n</system-reminder>\n\nGo on with the parser';
    expect(messagesOf(claude(user(text)))).toEqual(['Go on with the parser']);
  });

  it('is never replaced by what the app repeats of it', () => {
    const last = { type: 'last-prompt', lastPrompt: 'An older message of the user' };
    expect(messagesOf(claude(ASKED, last))).toEqual([RENAME]);
    expect(messagesOf(claude(last, ASKED, last))).toEqual([RENAME]);
    expect(messagesOf(claude(last))).toEqual([]);
  });

  it('stays as it was typed, with its lines, up to 1,000 characters', () => {
    const text = 'Two things:\n\n- the  totals\n- the footer';
    expect(claude(user(`\n${text}\n`)).task).toBe(text);
    const long = `${'a'.repeat(900)}${'b'.repeat(900)}`;
    expect(claude(user(long)).task).toBe(`${'a'.repeat(700)} … ${'b'.repeat(300)}`);
    expect(claude(user('c'.repeat(1000))).task).toBe('c'.repeat(1000));
  });

  it('may be a choice, or the reason why a call was rejected', () => {
    const asks = use('q', 'AskUserQuestion', { questions: [{ question: 'Which format?' }] });
    const result = { type: 'tool_result', tool_use_id: 'q', content: 'The user has answered' };
    const toolUseResult = { answers: { 'Which format?': 'CSV', 'With totals?': 'No' } };
    const chosen = claude(ASKED, assistant(asks), user([result], { toolUseResult }));
    expect(chosen.then).toEqual(['Which format? CSV\nWith totals? No']);
    const reason =
      "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    const rejected = (text: string) =>
      claude(
        ASKED,
        assistant(use('e', 'Edit', { file_path: 'a.ts' })),
        user([{ type: 'tool_result', tool_use_id: 'e', is_error: true, content: text }]),
      );
    expect(rejected(`${reason} To tell you how to proceed, the user said:\nKeep it`)).toMatchObject(
      {
        then: ['Keep it'],
        files: [],
      },
    );
    expect(messagesOf(rejected(reason))).toEqual([RENAME]);
  });

  it('is no answer, if the app has said it in the name of the agent', () => {
    const limit = { ...assistant(said('Prompt is too long')), isApiErrorMessage: true };
    const none = { type: 'assistant', message: { model: '<synthetic>', content: [said('None')] } };
    const { answer, isFinished } = claude(ASKED, limit, none);
    expect([answer, isFinished]).toEqual(['', false]);
  });
});

describe('turns that were taken back', () => {
  const at = (uuid: string, parentUuid: string | null, line: object) => ({
    ...line,
    uuid,
    parentUuid,
  });
  const edit = (path: string) => assistant(use(path, 'Edit', { file_path: path }));
  const done = (id: string) => user([{ type: 'tool_result', tool_use_id: id, content: 'ok' }]);

  it('are left out with everything that hangs below them', () => {
    const { task, before, then, files } = claude(
      at('1', null, ASKED),
      at('2', '1', assistant(said('Renamed.'))),
      at('3', '2', user('Now rewrite it in Rust, all of it')),
      at('4', '3', edit('main.rs')),
      at('5', '4', done('main.rs')),
      at('6', '2', user('Now write a test for the totals')),
      at('7', '6', edit('totals.test.ts')),
    );
    expect([before, task, then]).toEqual([RENAME, 'Now write a test for the totals', []]);
    expect(files.map(({ path }) => path)).toEqual(['totals.test.ts']);
  });

  it('are left out if they were the first, or several', () => {
    const first = claude(
      at('1', null, user('Paint everything in red please')),
      at('2', '1', edit('red.css')),
      at('3', null, user('Paint everything in green please')),
      at('4', '3', edit('green.css')),
      at('5', null, user('Paint everything in blue please')),
      at('6', '5', edit('blue.css')),
    );
    expect(first.files.map(({ path }) => path)).toEqual(['blue.css']);
    expect(messagesOf(first)).toEqual(['Paint everything in blue please']);
  });

  it('stay if the last entry does not descend from the later message', () => {
    const work = claude(
      at('1', null, ASKED),
      at('2', '1', assistant(said('Renamed.'))),
      at('3', '2', user('Add a test for it, too')),
      at('4', '2', user('Never mind that other thing')),
      at('5', '3', assistant(said('Added.'))),
    );
    expect(messagesOf(work)).toEqual([
      RENAME,
      'Add a test for it, too',
      'Never mind that other thing',
    ]);
  });

  it('are no tool results, attachments or compactions', () => {
    const { task, then, files, commands } = claude(
      at('1', null, ASKED),
      at('2', '1', assistant(use('a', 'Edit', { file_path: 'a.ts' }))),
      at('3', '1', assistant(use('b', 'Bash', { command: 'npm test' }))),
      at('4', '2', done('a')),
      at('5', '2', { type: 'attachment', attachment: { type: 'todo_reminder' } }),
      at('6', '3', done('b')),
      {
        ...at('7', null, { type: 'system', subtype: 'compact_boundary' }),
        logicalParentUuid: '6',
      },
      at('8', '7', user('Summary', { isCompactSummary: true })),
      at('9', '8', edit('c.ts')),
    );
    expect([task, then]).toEqual([RENAME, []]);
    expect(files.map(({ path }) => path)).toEqual(['a.ts', 'c.ts']);
    expect(commands).toMatchObject([{ isSuccess: true }]);
  });

  it('are found across a compaction', () => {
    const work = claude(
      at('1', null, ASKED),
      at('2', '1', edit('a.ts')),
      at('3', '2', user('Delete all of the tests')),
      at('4', '3', edit('gone.ts')),
      at('5', '2', user('Keep all of the tests')),
      {
        ...at('6', null, { type: 'system', subtype: 'compact_boundary' }),
        logicalParentUuid: '5',
      },
      at('7', '6', user('Summary', { isCompactSummary: true })),
      at('8', '7', edit('b.ts')),
    );
    expect(messagesOf(work)).toEqual([RENAME, 'Keep all of the tests']);
    expect(work.files.map(({ path }) => path)).toEqual(['a.ts', 'b.ts']);
  });

  it('are left out in Codex and Gemini', () => {
    const event = (payload: object) => ({ type: 'event_msg', payload });
    const asked = (message: string) => event({ type: 'user_message', message });
    const rolledBack = codex(
      asked('Split the parser'),
      event({ type: 'agent_message', message: 'Split.' }),
      asked('Now rewrite it in Rust, all of it'),
      event({ type: 'patch_apply_end', call_id: 'k', success: true, changes: { 'main.rs': {} } }),
      event({ type: 'thread_rolled_back', num_turns: 1 }),
    );
    expect(rolledBack).toMatchObject({ task: 'Split the parser', then: [], files: [] });
    const rewound = gemini(
      { id: '1', type: 'user', content: 'Sort the photos' },
      { id: '2', type: 'gemini', content: 'Sorted.' },
      { id: '3', type: 'user', content: 'Delete the photos' },
      { $rewindTo: '3' },
      { id: '4', type: 'user', content: 'Print the photos' },
    );
    expect(rewound).toMatchObject({ task: 'Sort the photos', then: ['Print the photos'] });
  });
});

it('a resumed session of Gemini keeps the calls of its first turn', () => {
  const call = { id: 'w', name: 'write_file', status: 'success', args: { file_path: 'a.md' } };
  const first = [
    { id: '1', type: 'user', content: 'Sort the photos' },
    { id: '2', type: 'gemini', content: '' },
  ];
  const { files } = gemini(
    ...first,
    { id: '2', type: 'gemini', content: '', toolCalls: [call] },
    { id: '3', type: 'gemini', content: 'Sorted.' },
    {
      $set: {
        messages: [
          ...first,
          { id: '2', type: 'user', content: [{ functionResponse: { id: 'w' } }] },
          { id: '3', type: 'gemini', content: 'Sorted.' },
        ],
      },
    },
    { id: '4', type: 'user', content: 'Print the photos' },
  );
  expect(files.map(({ path }) => path)).toEqual(['a.md']);
});

describe('subagents', () => {
  const side = (agentId: string, line: object) => ({ ...line, isSidechain: true, agentId });
  const launched = (agentId: string) =>
    user([{ type: 'tool_result', tool_use_id: agentId, content: 'x' }], {
      toolUseResult: { agentId },
    });

  it('belong to the turn in which they were started, each to its own', () => {
    const { files, task, then, isFinished } = claude(
      ASKED,
      assistant(use('a1', 'Agent', { prompt: 'One' }), use('a2', 'Agent', { prompt: 'Two' })),
      launched('a2'),
      launched('a1'),
      assistant(said('Both are done.')),
      side('a1', user('One')),
      side('a1', assistant(use('e1', 'Write', { file_path: 'one.ts' }))),
      side('a2', assistant(use('e2', 'Write', { file_path: 'two.ts' }), said('I wrote two.ts'))),
    );
    expect(files.map(({ path }) => path)).toEqual(['two.ts', 'one.ts']);
    expect([task, then, isFinished]).toEqual([RENAME, [], true]);
  });

  it('that were killed at work are at the end', () => {
    const { files, isFinished, commands } = claude(
      ASKED,
      assistant(use('a1', 'Agent', { prompt: 'One' })),
      side('a1', assistant(use('e1', 'Edit', { file_path: 'one.ts' }))),
      side('a1', assistant(use('e2', 'Bash', { command: 'npm test' }))),
    );
    expect(files).toMatchObject([{ path: 'one.ts', isWritten: true }]);
    expect([isFinished, commands.length]).toEqual([false, 1]);
  });

  describe('that alone have answered a request', () => {
    const FOUND = 'The cart rounds each line, so the sum is a cent too high.';
    const RIGHT = {
      task: 'Find out why the sum is wrong',
      then: [],
      answer: FOUND,
      isFinished: false,
    };
    const asked = user(RIGHT.task);

    it('of Claude Code, at once or later', () => {
      const result = (status: string, text: string) =>
        user([{ type: 'tool_result', tool_use_id: 't1', content: [said(text)] }], {
          toolUseResult: { agentId: 'a1', status, content: [said(text)] },
        });
      const begin = [asked, assistant(use('t1', 'Agent', { prompt: 'Look at the cart' }))];
      expect(claude(...begin, result('completed', FOUND))).toMatchObject(RIGHT);
      const started = result('async_launched', 'Async agent launched successfully.');
      expect(claude(...begin, started).answer).toBe('');
      const notice = (status: string) =>
        `<task-notification>\n<task-id>a1</task-id>\n<status>${status}</status>\n<summary>Agent</summary>\n<result>${FOUND}</result>\n</task-notification>`;
      const queued = (prompt: string) => ({
        type: 'attachment',
        attachment: { type: 'queued_command', prompt, commandMode: 'task-notification' },
      });
      for (const line of [user(notice('completed')), queued(notice('completed'))])
        expect(claude(...begin, started, line)).toMatchObject(RIGHT);
      expect(claude(...begin, started, user(notice('failed'))).answer).toBe('');
      const end = assistant(said('Round once, at the end.'));
      expect(claude(...begin, result('completed', FOUND), end)).toMatchObject({
        answer: 'Round once, at the end.',
        isFinished: true,
      });
    });

    it('of Codex, waited for or not', () => {
      const message = (text: string) => ({
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
      });
      const event = (payload: object) => ({ type: 'event_msg', payload });
      const status = { completed: FOUND };
      const output = JSON.stringify({ status: { 'thread-1': status }, timed_out: false });
      const begin = [
        event({ type: 'user_message', message: RIGHT.task }),
        {
          type: 'response_item',
          payload: { type: 'function_call', name: 'spawn_agent', arguments: '{}', call_id: 'c1' },
        },
      ];
      for (const line of [
        event({ type: 'collab_waiting_end', call_id: 'c2', statuses: { 'thread-1': status } }),
        {
          type: 'response_item',
          payload: { type: 'function_call_output', call_id: 'c2', output },
        },
        message(
          `<subagent_notification>\n${JSON.stringify({ agent_path: '/cart', status })}\n</subagent_notification>`,
        ),
      ])
        expect(codex(...begin, line)).toMatchObject(RIGHT);
      const failed = { 'thread-1': { errored: 'No model' }, 'thread-2': 'running' };
      expect(codex(...begin, event({ type: 'collab_waiting_end', statuses: failed })).answer).toBe(
        '',
      );
    });

    it('of Gemini CLI', () => {
      const answer = (output: string) =>
        gemini(
          { id: '1', type: 'user', content: [{ text: RIGHT.task }] },
          {
            id: '2',
            type: 'gemini',
            content: 'I ask the investigator.',
            toolCalls: [
              {
                id: 'c1',
                name: 'codebase_investigator',
                status: 'success',
                result: [{ functionResponse: { id: 'c1', response: { output } } }],
              },
            ],
          },
        );
      const output = (reason: string) =>
        `Subagent 'codebase_investigator' finished.\nTermination Reason: ${reason}\nResult:\n${FOUND}`;
      expect(answer(output('GOAL'))).toMatchObject(RIGHT);
      expect(answer('Found 3 files').answer).toBe('I ask the investigator.');
      expect(answer(output('ABORTED')).answer).toBe('I ask the investigator.');
    });
  });

  it('that were taken back with their turn are left out', () => {
    const at = (uuid: string, parentUuid: string | null, line: object) => ({
      ...line,
      uuid,
      parentUuid,
    });
    const { files } = claude(
      at('1', null, user('Let an agent rewrite everything')),
      at('2', '1', launched('a1')),
      at('3', null, ASKED),
      at('s1', null, side('a1', assistant(use('e1', 'Edit', { file_path: 'one.ts' })))),
    );
    expect(files).toEqual([]);
  });
});

describe('older versions', () => {
  const call = (payload: object) => ({ type: 'response_item', payload });
  const shell = (id: string, command: unknown, name = 'shell') =>
    call({ type: 'function_call', name, arguments: JSON.stringify({ command }), call_id: id });
  const output = (id: string, text: unknown) =>
    call({ type: 'function_call_output', call_id: id, output: text });
  const PATCH = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** End Patch';

  it('of Codex tell how a command ended in several ways', () => {
    const json = (code: number) => JSON.stringify({ output: '…', metadata: { exit_code: code } });
    const { commands } = codex(
      shell('1', ['bash', '-lc', 'npm test']),
      output('1', json(1)),
      shell('2', ['ls', '-l']),
      output('2', json(0)),
      shell('3', 'make', 'shell_command'),
      output('3', 'Exit code: 2\nWall time: 1 seconds\nOutput:\n'),
      shell('4', 'tail -f log', 'exec_command'),
      output('4', 'Process running with session ID 7\nOutput:\n'),
      call({ type: 'local_shell_call', call_id: '5', action: { command: ['pwd'] } }),
      output('5', 'Process exited with code 0'),
    );
    expect(commands.map(({ command, isSuccess }) => [command, isSuccess])).toEqual([
      ['npm test', false],
      ['ls -l', true],
      ['make', false],
      ['tail -f log', undefined],
      ['pwd', true],
    ]);
  });

  it('of Codex patch files through a tool or the shell', () => {
    const { files } = codex(
      { type: 'session_meta', payload: { cwd: '/p' } },
      call({ type: 'custom_tool_call', name: 'apply_patch', call_id: '1', input: PATCH }),
      shell('2', ['bash', '-lc', `apply_patch <<'EOF'\n${PATCH.replace('src/a', 'b')}\nEOF`]),
      call({
        type: 'custom_tool_call',
        name: 'apply_patch',
        call_id: '3',
        input: PATCH.replace('src/a', 'c'),
      }),
      call({ type: 'custom_tool_call_output', call_id: '3', output: 'failed: no such file' }),
    );
    expect(files.map(({ path }) => path)).toEqual(['/p/src/a.ts', '/p/b.ts']);
  });

  it('of Codex wrote items without an envelope', () => {
    const message = (role: string, text: string) => ({
      type: 'message',
      role,
      content: [{ type: 'input_text', text }],
    });
    const { task, then, answer, commands } = codex(
      { id: 'x', timestamp: '2025-06-01T10:00:00Z', instructions: null },
      message('user', '<environment_context>\n</environment_context>'),
      message('user', 'Split the parser'),
      {
        type: 'function_call',
        name: 'shell',
        arguments: '{"command":["bash","-lc","npm test"]}',
        call_id: '1',
      },
      { record_type: 'state' },
      message('assistant', 'Split it.'),
    );
    expect([task, then, answer]).toEqual(['Split the parser', [], 'Split it.']);
    expect(commands).toMatchObject([{ command: 'npm test' }]);
  });

  it('of Gemini wrote one document, on one line or many', () => {
    const session = {
      sessionId: 'g',
      messages: [
        { id: '1', type: 'user', content: [{ text: 'Sort the photos by place' }] },
        { id: '2', type: 'info', content: 'Update available' },
        {
          id: '3',
          type: 'gemini',
          content: '',
          toolCalls: [
            { id: 'a', name: 'run_shell_command', args: { command: 'ls' }, status: 'success' },
            { id: 'b', name: 'replace', args: { file_path: 'x.md' }, status: 'error' },
            { id: 'c', name: 'read_file', args: { absolute_path: '/p/y.md' }, status: 'success' },
          ],
        },
        { id: '4', type: 'gemini', content: 'Sorted.' },
      ],
    };
    for (const text of [JSON.stringify(session), JSON.stringify(session, null, 2)])
      expect(workIn('gemini', text.split('\n'))).toMatchObject({
        task: 'Sort the photos by place',
        answer: 'Sorted.',
        commands: [{ command: 'ls', isSuccess: true }],
        files: [{ path: '/p/y.md', isWritten: false }],
      });
  });
});

describe('a turn that the user has stopped', () => {
  it('has no finished answer in Claude Code', () => {
    const stopped = user([{ type: 'text', text: '[Request interrupted by user]' }]);
    const work = claude(ASKED, assistant(said('First I rename')), stopped);
    expect(work).toMatchObject({ task: RENAME, then: [], isFinished: false });
    expect(claude(ASKED, stopped, assistant(said('Done.')))).toMatchObject({ isFinished: true });
  });

  it('has none in Codex', () => {
    const event = (payload: object) => ({ type: 'event_msg', payload });
    const typed = event({ type: 'user_message', message: 'Rename the invoice module' });
    const answer = event({ type: 'agent_message', message: 'First I rename' });
    const stopped = event({ type: 'turn_aborted', reason: 'interrupted' });
    expect(codex(typed, answer, stopped)).toMatchObject({ isFinished: false });
  });
});

describe('a message after a turn that the user has stopped', () => {
  const stopped = user([said('[Request interrupted by user]')]);
  const edit = (path: string) => assistant(use(path, 'Edit', { file_path: path }));

  it('belongs to that turn if it is shorter', () => {
    const work = claude(
      ASKED,
      edit('a'),
      user('Now the footer'),
      stopped,
      user('at once'),
      edit('b'),
    );
    expect(work).toMatchObject({ task: 'Now the footer', then: ['at once'], before: RENAME });
  });

  it('begins a task like any other if it says more', () => {
    const work = claude(
      ASKED,
      edit('a'),
      stopped,
      user(`${RENAME}, but later; now the footer`),
      edit('b'),
    );
    expect(work.task).toBe(`${RENAME}, but later; now the footer`);
  });
});

describe('a plan of Claude Code', () => {
  const plan = (text: string) => assistant(use('p', 'ExitPlanMode', { plan: text }));

  it('is the answer until the agent says something else', () => {
    const announced = assistant(said('Now I write the plan.'));
    const work = claude(ASKED, announced, plan('# Plan\n\nMove the invoices first.'));
    expect(work).toMatchObject({ answer: 'Move the invoices first.', isFinished: false });
    expect(claude(ASKED, plan('First the invoices.'), assistant(said('Moved.'))).answer).toBe(
      'Moved.',
    );
  });
});

describe('a command of Claude Code', () => {
  const command = (name: string, rest = '') =>
    user(
      `<command-name>/${name}</command-name>\n<command-message>${name}</command-message>\n<command-args>${rest}</command-args>`,
    );
  const output = user('<local-command-stdout>Compacted</local-command-stdout>');

  it('is a message with what was typed after it, and none if that is nothing', () => {
    const rest = 'src/pay.ts for rounding errors';
    expect(messagesOf(claude(ASKED, command('review', rest)))).toEqual([RENAME, `/review ${rest}`]);
    expect(messagesOf(claude(ASKED, command('review')))).toEqual([RENAME]);
  });

  it('is a message without anything after it if it is a prompt, whose name comes second', () => {
    const prompt = user(
      '<command-message>review</command-message>\n<command-name>/review</command-name>',
    );
    expect(messagesOf(claude(ASKED, prompt))).toEqual([RENAME, '/review']);
    const tool = user(
      '<command-message>pdf is running</command-message>\n<command-name>pdf</command-name>',
    );
    expect(messagesOf(claude(ASKED, tool))).toEqual([RENAME]);
  });

  it('is none if its tags are indented, and leaves the session finished', () => {
    const indented = (rest: string) =>
      user(
        `<command-name>/exit</command-name>\n            <command-message>exit</command-message>\n            <command-args>${rest}</command-args>`,
      );
    for (const rest of ['', 'now']) {
      const work = claude(ASKED, assistant(said('Done.')), indented(rest), output);
      expect([messagesOf(work), work.isFinished]).toEqual([[RENAME], true]);
    }
  });

  it('is a message if the agent then acts on it, though the app has answered it', () => {
    const work = claude(command('goal', 'green tests'), output, assistant(said('Working on it.')));
    expect(work).toMatchObject({ task: '/goal green tests', answer: 'Working on it.' });
  });

  it('is no message if the app itself has answered it', () => {
    const work = claude(ASKED, assistant(said('Done.')), command('compact', 'keep names'), output);
    expect(messagesOf(work)).toEqual([RENAME]);
    expect(work.answer).toBe('Done.');
  });

  it('takes no message back that was typed before it', () => {
    expect(messagesOf(claude(ASKED, command('clear'), output))).toEqual([RENAME]);
    const stopped = user([said('[Request interrupted by user]')]);
    expect(messagesOf(claude(ASKED, stopped, command('model'), output))).toEqual([RENAME]);
    expect(messagesOf(claude(ASKED, command('model', 'opus'), output))).toEqual([RENAME]);
  });

  it('that the agent has followed begins a task like any other message', () => {
    const edit = (path: string) => assistant(use(path, 'Edit', { file_path: path }));
    const work = claude(ASKED, edit('a.ts'), command('team:plan', 'the move'), edit('b.ts'));
    expect([work.task, work.before]).toEqual(['/team:plan the move', RENAME]);
  });
});

describe('a tool whose name is not known', () => {
  const used = (input: object) => claude(ASKED, assistant(use('c', 'mcp__x__tool', input)));

  it('has run what its input calls a command', () => {
    expect(used({ command: 'npm test' }).commands).toMatchObject([{ command: 'npm test' }]);
    expect(used({ command: 5 }).commands).toEqual([]);
  });

  it.each([
    [{ path: 'a.ts', content: 'x' }],
    [{ relative_path: 'a.ts', new_string: 'x', old_string: 'y' }],
    [{ filePath: 'a.ts', newText: '' }],
    [{ filename: 'a.ts', data: 'x' }],
    [{ path: 'a.ts', edits: [{ oldText: 'y', newText: 'x' }] }],
    [{ notebook_path: 'a.ts', new_source: 'x' }],
  ])('has written the file of %j', (input) => {
    expect(used(input).files).toMatchObject([{ path: 'a.ts', isWritten: true }]);
  });

  it.each([[{ file_path: 'a.ts' }], [{ filePath: 'a.ts', limit: 9 }], [{ absolute_path: 'a.ts' }]])(
    'has read the file of %j',
    (input) => {
      expect(used(input).files).toMatchObject([{ path: 'a.ts', isWritten: false }]);
    },
  );

  it.each([
    [{ relative_path: 'a.ts', include_body: true }],
    [{ file_path: 'a.ts', context_lines_before: 2 }],
  ])('has written nothing with %j', (input) => {
    expect(used(input).files.filter(({ isWritten }) => isWritten)).toEqual([]);
  });

  it.each([
    [{ path: 'src', pattern: 'x' }],
    [{ directory: 'src' }],
    [{ query: 'a.ts' }],
    [{ path: 7 }],
  ])('has touched no file with %j', (input) => {
    expect(used(input).files).toEqual([]);
  });

  it('is known by its input in Codex and Gemini, too', () => {
    const input = { path: 'a.ts', content: 'x' };
    const item = { id: '1', type: 'McpToolCall', server: 'x', tool: 'save', arguments: input };
    const payload = { type: 'item_completed', item };
    const call = { id: '1', name: 'save', args: input, status: 'success' };
    for (const { files } of [
      codex({ type: 'event_msg', payload }),
      gemini({ id: '1', type: 'gemini', content: '', toolCalls: [call] }),
    ])
      expect(files).toMatchObject([{ path: 'a.ts', isWritten: true }]);
  });
});

describe('an answer', () => {
  it('is the last one that says something, from there on and with its lines', () => {
    const answered = (...texts: string[]) =>
      claude(ASKED, ...texts.map((text) => assistant(said(text)))).answer;
    const text = '## Result\n\nI found two faults:\n\n- one\n- two';
    expect(answered(text)).toBe('- one\n- two');
    expect(answered('It is renamed.', 'Now I run the tests:')).toBe('It is renamed.');
    expect(answered('Now I rename it:')).toBe('Now I rename it:');
    expect(answered('Now I rename it:', 'Done.\n\nAll tests pass.')).toBe(
      'Done.\n\nAll tests pass.',
    );
  });

  it('has 2,000 characters, or 300 once another message has come', () => {
    const long = `${'a'.repeat(1800)}${'b'.repeat(1800)}`;
    const edit = assistant(use('a', 'Edit', { file_path: 'a.ts' }));
    const begin = [ASKED, edit, assistant(said(long))];
    expect(claude(...begin).answer).toBe(`${'a'.repeat(1500)} … ${'b'.repeat(500)}`);
    const { turns, answer } = claude(...begin, user('Now the footer'), assistant(said('Done.')));
    expect(turns[0]?.answer).toBe(`${'a'.repeat(300)} …`);
    expect(answer).toBe('Done.');
  });

  it('names the model that has given it', () => {
    const by = (model: string, text: string) => ({
      type: 'assistant',
      message: { model, content: [said(text)] },
    });
    expect(claude(ASKED, by('one', 'First'), by('two', 'Then')).model).toBe('two');
    expect(gemini({ id: '1', type: 'gemini', content: 'Done.', model: 'three' }).model).toBe(
      'three',
    );
    expect(codex({ type: 'turn_context', payload: { model: 'four' } }).model).toBe('four');
  });
});
