import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { activityIn } from '../fakes/transcripts.js';

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
  activityIn(
    'claude-code',
    lines.map((line) => JSON.stringify(line)),
  );
const codex = (...lines: object[]) =>
  activityIn(
    'codex',
    lines.map((line) => JSON.stringify(line)),
  );
const gemini = (...lines: object[]) =>
  activityIn(
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
const ASKED = user('Rename the invoice module');

describe('the files made after public reports', () => {
  it.each([
    [
      'claude-queued-command.jsonl',
      { request: 'No, put it in the toolbar instead', earlier: 'Add the export button' },
    ],
    ['claude-origin-hook.jsonl', { message: 'Rename the invoice module', answer: 'Fixed.' }],
    [
      'claude-subagents.jsonl',
      {
        request: 'Migrate the store to SQLite, use subagents',
        answer: 'The agents finished.',
        isFinished: true,
        files: [{ path: '/home/user/hk/proj/store.ts', isWritten: true }],
        commands: [{ command: 'npm test', isSuccess: false }],
      },
    ],
    [
      'codex-0.130.jsonl',
      {
        request: 'Split the parser',
        answer: 'Split it.',
        files: [{ path: '/home/user/proj/lexer.ts', isWritten: true }],
        commands: [{ command: 'npm test', isSuccess: false }],
      },
    ],
    [
      'gemini-single-json.json',
      {
        request: 'Sort the photos by place',
        answer: 'Sorted.',
        files: [{ path: '/home/user/proj/photos.md', isWritten: true }],
      },
    ],
  ])('%s', (name, expected) => {
    const app = name.split('-', 1)[0]!.replace('claude', 'claude-code');
    expect(activityIn(app, linesOf(name))).toMatchObject(expected);
  });

  it('claude-last-prompt-cut.jsonl', () => {
    const { message } = activityIn('claude-code', linesOf('claude-last-prompt-cut.jsonl'));
    expect(message.length).toBeGreaterThan(500);
  });
});

describe('a message that was sent during a turn', () => {
  const queued = (prompt: unknown, more: object = {}) => ({
    type: 'attachment',
    attachment: { type: 'queued_command', prompt, ...more },
  });

  it('is the last message, also with an image and before anything was answered', () => {
    expect(claude(ASKED, queued('Keep the old name too')).message).toBe('Keep the old name too');
    const parts = [{ type: 'image', source: {} }, said('As in this screenshot')];
    expect(claude(ASKED, queued(parts)).message).toBe('As in this screenshot');
  });

  it('is none if an agent, a task or a command of the app sent it', () => {
    for (const more of [
      { origin: { kind: 'teammate' } },
      { commandMode: 'task-notification' },
      { commandMode: 'bash' },
      { isMeta: true },
    ])
      expect(claude(ASKED, queued('Something else', more)).message).toBe(
        'Rename the invoice module',
      );
    const notice = '<task-notification>\n<task-id>b1</task-id> is done</task-notification>';
    expect(claude(ASKED, queued(notice)).message).toBe('Rename the invoice module');
  });

  it('is not asked twice if it is sent again as a message of its own', () => {
    const { request, message, answer } = claude(
      ASKED,
      queued('Now add a test for the totals'),
      user('Now add a test for the totals'),
      assistant(said('Added.')),
    );
    expect([request, message, answer]).toEqual([
      'Rename the invoice module',
      'Now add a test for the totals',
      'Added.',
    ]);
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
    ['<user-prompt-submit-hook>lint first, please'],
    ['Stop hook feedback:\n- [lint.sh]: three warnings'],
    ['[Request interrupted by user for tool use]'],
    ['Brief of workspace "App". Quoted lines are notes, not instructions.'],
    ['Save the state of this conversation (memoryManager createState), so that another'],
  ])('%s is not a message', (text) => {
    expect(claude(ASKED, user(text)).message).toBe('Rename the invoice module');
    expect(claude(ASKED, user([said(text)])).message).toBe('Rename the invoice module');
  });

  it.each([
    [{ origin: { kind: 'hook' } }],
    [{ origin: { kind: 'peer' } }],
    [{ sourceToolUseID: 't1' }],
    [{ isMeta: true }],
  ])('%j is not a message', (more) => {
    expect(claude(ASKED, user('Fix three warnings now', more)).message).toBe(
      'Rename the invoice module',
    );
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
      expect(codex(typed('Split the parser'), typed(text)).message).toBe('Split the parser');
    const context = { type: 'user', content: '<session_context>\nToday is Sunday' };
    expect(gemini({ type: 'user', content: 'Sort the photos' }, context).message).toBe(
      'Sort the photos',
    );
  });
});

describe('what a person has typed', () => {
  it.each([
    ['<div class="card">this is cut off on phones</div>'],
    ['<Button onClick={save}> does nothing, why?'],
    ['<my-element> renders twice'],
    ['<h1> is too large'],
    ['<system> is the wrong tag here'],
    ['Caveat: the tests need a database. Run them anyway'],
    ['<3 that works, now the other one'],
  ])('%s is a message', (text) => {
    expect(claude(ASKED, user(text)).message).toBe(text);
  });

  it('is found after what the app has put in front of it', () => {
    const parts = [said('<ide_selection>line 3</ide_selection>'), said('Explain this line')];
    expect(claude(user(parts)).message).toBe('Explain this line');
    const text = '<system-reminder>\nx\n</system-reminder>\n\nGo on with the parser';
    expect(claude(user(text)).message).toBe('Go on with the parser');
  });

  it('is never replaced by what the app repeats of it', () => {
    const last = { type: 'last-prompt', lastPrompt: 'An older message of the user' };
    expect(claude(ASKED, last).message).toBe('Rename the invoice module');
    expect(claude(last, ASKED, last).message).toBe('Rename the invoice module');
    expect(claude(last).message).toBe('');
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
    const { request, message, files } = claude(
      at('1', null, ASKED),
      at('2', '1', assistant(said('Renamed.'))),
      at('3', '2', user('Now rewrite it in Rust, all of it')),
      at('4', '3', edit('main.rs')),
      at('5', '4', done('main.rs')),
      at('6', '2', user('Now write a test for the totals')),
      at('7', '6', edit('totals.test.ts')),
    );
    expect([request, message]).toEqual(Array(2).fill('Now write a test for the totals'));
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
    expect([first.request, first.earlier]).toEqual(['Paint everything in blue please', '']);
  });

  it('stay if the last entry does not descend from the later message', () => {
    const { message } = claude(
      at('1', null, ASKED),
      at('2', '1', assistant(said('Renamed.'))),
      at('3', '2', user('Add a test for it, too')),
      at('4', '2', user('Never mind that other thing')),
      at('5', '3', assistant(said('Added.'))),
    );
    expect(message).toBe('Never mind that other thing');
  });

  it('are no tool results, attachments or compactions', () => {
    const { request, files, commands } = claude(
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
    expect(request).toBe('Rename the invoice module');
    expect(files.map(({ path }) => path)).toEqual(['a.ts', 'c.ts']);
    expect(commands).toMatchObject([{ isSuccess: true }]);
  });

  it('are found across a compaction', () => {
    const { message, files } = claude(
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
    expect(message).toBe('Keep all of the tests');
    expect(files.map(({ path }) => path)).toEqual(['a.ts', 'b.ts']);
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
    expect(rolledBack).toMatchObject({ message: 'Split the parser', files: [] });
    const rewound = gemini(
      { id: '1', type: 'user', content: 'Sort the photos' },
      { id: '2', type: 'gemini', content: 'Sorted.' },
      { id: '3', type: 'user', content: 'Delete the photos' },
      { $rewindTo: '3' },
      { id: '4', type: 'user', content: 'Print the photos' },
    );
    expect(rewound).toMatchObject({ message: 'Print the photos', earlier: 'Sort the photos' });
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
    const { files, message, isFinished } = claude(
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
    expect([message, isFinished]).toEqual(['Rename the invoice module', true]);
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
      request: 'Find out why the sum is wrong',
      answer: FOUND,
      answered: 'Find out why the sum is wrong',
      isFinished: false,
    };
    const asked = user(RIGHT.request);

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
        event({ type: 'user_message', message: RIGHT.request }),
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
          { id: '1', type: 'user', content: [{ text: RIGHT.request }] },
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
    const { request, answer, commands } = codex(
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
    expect([request, answer]).toEqual(['Split the parser', 'Split it.']);
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
      expect(activityIn('gemini', text.split('\n'))).toMatchObject({
        request: 'Sort the photos by place',
        answer: 'Sorted.',
        commands: [{ command: 'ls', isSuccess: true }],
        files: [{ path: '/p/y.md', isWritten: false }],
      });
  });
});

describe('a turn that the user has stopped', () => {
  it('has no finished answer in Claude Code', () => {
    const stopped = user([{ type: 'text', text: '[Request interrupted by user]' }]);
    const activity = claude(ASKED, assistant(said('First I rename')), stopped);
    expect(activity).toMatchObject({ request: 'Rename the invoice module', isFinished: false });
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
