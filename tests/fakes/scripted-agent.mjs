/**
 * An agent for tests, on the agent side of the official SDK. `node scripted-agent.mjs [QUIRK...]`.
 * Each line `do: ACTION ...` of a prompt is one action.
 */
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { agent, ndJsonStream, RequestError } from '@agentclientprotocol/sdk';

const quirks = new Set(process.argv.slice(2));
const journal = process.env.SCRIPTED_AGENT_JOURNAL;
const note = (entry) => journal && appendFileSync(journal, `${JSON.stringify(entry)}\n`);

if (quirks.has('exits')) {
  process.stderr.write('config.toml: unknown key "modle"\n');
  process.exit(3);
}
if (quirks.has('noise')) process.stdout.write('Welcome!\n{"level":"info"}\n{ half a line\n');
if (quirks.has('holds')) {
  // Ignores the end of its input, like a launcher whose inner program goes on.
  spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  setInterval(() => undefined, 1000);
}
note({ started: process.pid, quirks: [...quirks] });

const sessions = new Map();
let count = 0;

/** Returns a line with the invisible characters for which a prompt has markers. */
function withHidden(line) {
  return line.replace(/⟨U\+([0-9A-F]{4,6})⟩/g, (_, code) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

/** Capitalizes a mode's id. */
function titleOf(mode) {
  return `${mode.charAt(0).toUpperCase()}${mode.slice(1)}`;
}

async function openSession(id, { cwd, mcpServers = [], _meta }) {
  note({ session: id, cwd, mcpServers, _meta });
  const session = { id, cwd, mcpServers, clients: [], mode: 'auto', prompts: 0, stop: undefined };
  sessions.set(id, session);
  if (!quirks.has('no-memory'))
    for (const { command, args } of mcpServers) {
      const { Client } = await import('@modelcontextprotocol/client');
      const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
      const client = new Client({ name: 'scripted-agent', version: '1' });
      const transport = new StdioClientTransport({ command, args, cwd, stderr: 'ignore' });
      try {
        await client.connect(transport);
        session.clients.push(client);
      } catch (error) {
        if (!quirks.has('tolerates')) throw error;
      }
    }
  return {
    modes: {
      currentModeId: session.mode,
      availableModes: ['auto', 'default', 'read-only'].map((mode) => ({
        id: mode,
        name: titleOf(mode),
      })),
    },
  };
}

const update = (client, session, change) =>
  client.notify('session/update', { sessionId: session.id, update: change });
const say = (client, session, text, kind = 'agent_message_chunk') =>
  update(client, session, { sessionUpdate: kind, content: { type: 'text', text } });

async function askFor(client, session, toolCall) {
  const { outcome } = await client.request('session/request_permission', {
    sessionId: session.id,
    toolCall,
    options: [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
  });
  return outcome.outcome === 'selected' && outcome.optionId === 'yes';
}

const actions = {
  say: (client, session, words) => say(client, session, words.join(' ')),
  think: (client, session, words) => say(client, session, words.join(' '), 'agent_thought_chunk'),
  async burst(client, session, [number]) {
    const line = (text) =>
      `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: session.id, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } } })}\n`;
    let lines = '';
    for (let at = 1; at <= Number(number); at++) lines += line(`${at} `);
    await new Promise((done) => process.stdout.write(lines, done));
  },
  async diff(client, session, [characters]) {
    const newText = 'new line\n'.repeat(Number(characters) / 9);
    const content = [
      {
        type: 'diff',
        path: resolve(session.cwd, 'big.md'),
        oldText: newText,
        newText: `x${newText}`,
      },
    ];
    await update(client, session, {
      sessionUpdate: 'tool_call',
      toolCallId: 'big',
      title: 'Edit big.md',
      kind: 'edit',
      content,
    });
    await update(client, session, {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'big',
      status: 'completed',
    });
  },
  /** Writes through the client, after asking. */
  async write(client, session, [path, ...words]) {
    const file = resolve(session.cwd, path);
    const text = `${words.join(' ')}\n`;
    const toolCallId = `w${++count}`;
    const content = [{ type: 'diff', path: file, oldText: textOf(file), newText: text }];
    const call = {
      toolCallId,
      title: `Write ${path}`,
      kind: 'edit',
      content,
      locations: [{ path: file }],
    };
    const isAllowed = await askFor(client, session, call);
    const status = isAllowed ? 'completed' : 'failed';
    const problem = isAllowed
      ? await client
          .request('fs/write_text_file', { sessionId: session.id, path: file, content: text })
          .then(
            () => '',
            (error) => error.message,
          )
      : '';
    await update(client, session, { sessionUpdate: 'tool_call_update', toolCallId, status });
    await say(client, session, problem || (isAllowed ? 'Written.' : 'Not allowed.'));
  },
  /** Writes through the client without asking first, and again if that was denied. */
  async retry(client, session, [path, ...words]) {
    const params = { path: resolve(session.cwd, path), content: `${words.join(' ')}\n` };
    const write = () => client.request('fs/write_text_file', { sessionId: session.id, ...params });
    await write().catch(write);
  },
  /** Writes through the client without asking first. */
  async push(client, session, [path, ...words]) {
    const file = resolve(session.cwd, path);
    const problem = await client
      .request('fs/write_text_file', {
        sessionId: session.id,
        path: file,
        content: `${words.join(' ')}\n`,
      })
      .then(
        () => 'Written.',
        (error) => error.message,
      );
    await say(client, session, problem);
  },
  /** Writes by itself, as a shell does, and says nothing about it. */
  shell(client, session, [path, ...words]) {
    const file = resolve(session.cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${words.join(' ').replaceAll('\\n', '\n')}\n`);
  },
  /** Says that it will write, and writes by itself a moment later. */
  async announce(client, session, [path, ...words]) {
    const toolCallId = `n${++count}`;
    const locations = [{ path: resolve(session.cwd, path) }];
    const call = { toolCallId, title: `Edit ${path}`, kind: 'edit', locations };
    await update(client, session, { sessionUpdate: 'tool_call', status: 'pending', ...call });
    await new Promise((done) => setTimeout(done, 500));
    actions.shell(client, session, [path, ...words]);
    const status = 'completed';
    await update(client, session, { sessionUpdate: 'tool_call_update', toolCallId, status });
  },
  /** Writes by itself, and says so. */
  async edit(client, session, [path, ...words]) {
    const toolCallId = `e${++count}`;
    const file = resolve(session.cwd, path);
    const call = { toolCallId, title: `Edit ${path}`, kind: 'edit', locations: [{ path: file }] };
    await update(client, session, { sessionUpdate: 'tool_call', status: 'in_progress', ...call });
    actions.shell(client, session, [path, ...words]);
    const status = 'completed';
    await update(client, session, { sessionUpdate: 'tool_call_update', toolCallId, status });
  },
  /** Replaces a file by a link. */
  link(client, session, [path, target]) {
    rmSync(resolve(session.cwd, path));
    symlinkSync(target, resolve(session.cwd, path));
  },
  move: (client, session, [from, to]) =>
    renameSync(resolve(session.cwd, from), resolve(session.cwd, to)),
  /** Edits, rewrites and deletes the files of a folder in turn, after asking for each if it says so. */
  async spoil(client, session, [folder, asks]) {
    for (const [at, name] of filesIn(session, folder).entries()) {
      const file = resolve(session.cwd, folder, name);
      if (asks !== undefined) await actions.ask(client, session, [join(folder, name)]);
      if (at % 3 === 0) appendFileSync(file, Uint8Array.of(0xe9, 0x00, 0xff, 0x0a));
      else if (at % 3 === 1) writeFileSync(file, 'Rewritten\n');
      else rmSync(file);
    }
  },
  /** Edits and rewrites the files of a folder in turn, through the client and as texts. */
  async push_all(client, session, [folder]) {
    for (const [at, name] of filesIn(session, folder).entries()) {
      const path = join(folder, name);
      const text = at % 2 === 0 ? `${textOf(resolve(session.cwd, path))} edited` : 'Rewritten';
      await actions.push(client, session, [path, text]);
    }
  },
  async ask(client, session, [path, kind = 'edit']) {
    const isAllowed = await askFor(client, session, {
      toolCallId: `a${++count}`,
      title: `Edit ${path}`,
      kind,
      locations: [{ path: resolve(session.cwd, path) }],
    });
    await say(client, session, isAllowed ? 'Allowed.' : 'Refused.');
  },
  async call(client, session, [tool, ...json]) {
    const args = JSON.parse(json.join(' ') || '{}');
    const toolCallId = `c${++count}`;
    const title = `mcp__savepoint__${tool}`;
    const isAllowed = await askFor(client, session, {
      toolCallId,
      title,
      kind: 'other',
      rawInput: args,
    });
    if (!isAllowed) return say(client, session, 'Not allowed.');
    const result = await session.clients[0].callTool({ name: tool, arguments: args });
    const text = result.content.map((item) => item.text).join('');
    const status = result.isError ? 'failed' : 'completed';
    await update(client, session, {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status,
      content: [{ type: 'content', content: { type: 'text', text } }],
    });
    await say(client, session, `${tool}: ${status}`);
  },
  plan: (client, session, words) =>
    update(client, session, {
      sessionUpdate: 'plan',
      entries: words.map((content) => ({ content, priority: 'medium', status: 'pending' })),
    }),
  usage: (client, session, [used, size]) =>
    update(client, session, {
      sessionUpdate: 'usage_update',
      used: Number(used),
      size: Number(size),
    }),
  commands: (client, session, names) =>
    update(client, session, {
      sessionUpdate: 'available_commands_update',
      availableCommands: names.map((name) => ({ name, description: `Does ${name}` })),
    }),
  /** Ends a call with this title, parameter and result. */
  async title(client, session, words) {
    const title = words.join(' ');
    const call = { toolCallId: `t${++count}`, title, kind: 'read', status: 'completed' };
    const content = [{ type: 'content', content: { type: 'text', text: title } }];
    await update(client, session, {
      sessionUpdate: 'tool_call',
      ...call,
      rawInput: { query: title },
      content,
    });
  },
  /** Offers an option with this name and value. */
  option: (client, session, [name]) =>
    update(client, session, {
      sessionUpdate: 'config_option_update',
      configOptions: [{ id: 'option', name, currentValue: name, options: [{ value: name, name }] }],
    }),
  become: (client, session, [currentModeId]) =>
    update(client, session, { sessionUpdate: 'current_mode_update', currentModeId }),
  fail(client, session, words) {
    throw new RequestError(-32603, words.join(' '));
  },
  mode: (client, session) => say(client, session, session.mode),
  memory: (client, session) => say(client, session, `servers: ${session.clients.length}`),
  echo: (client, session, _, text) => say(client, session, text),
  wait: (client, session) => new Promise((done) => (session.stop = done)),
  cancel: (client, session) => (session.isCancelled = true),
  die() {
    process.stderr.write('panic: out of ideas\n');
    process.exit(7);
  },
};

const filesIn = (session, folder) => readdirSync(resolve(session.cwd, folder)).sort();

const textOf = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

agent({ name: 'scripted' })
  .onRequest('initialize', async () => {
    if (quirks.has('silent')) await new Promise(() => undefined);
    return {
      protocolVersion: quirks.has('version') ? 99 : 1,
      agentCapabilities: {
        loadSession: quirks.has('loads'),
        ...(quirks.has('sees') && { promptCapabilities: { image: true } }),
        ...(quirks.has('resumes') && { sessionCapabilities: { resume: {} } }),
      },
      authMethods:
        quirks.has('login') || quirks.has('login-late')
          ? [{ type: 'terminal', id: 'login', name: 'Log in', args: ['--login'] }]
          : [],
    };
  })
  .onRequest('session/new', async ({ params }) => {
    if (quirks.has('login')) throw new RequestError(-32000, 'Authentication required');
    const sessionId = `scripted-${process.pid}-${++count}`;
    return { sessionId, ...(await openSession(sessionId, params)) };
  })
  .onRequest('session/resume', async ({ params }) => {
    if (quirks.has('forgets')) throw new RequestError(-32603, 'Invalid session identifier');
    return openSession(params.sessionId, params);
  })
  .onRequest('session/load', async ({ params, client }) => {
    const answer = await openSession(params.sessionId, params);
    await say(client, sessions.get(params.sessionId), 'An earlier answer. ');
    return answer;
  })
  .onRequest('session/set_mode', ({ params }) => {
    sessions.get(params.sessionId).mode = params.modeId;
    return {};
  })
  .onRequest('session/prompt', async ({ params, client }) => {
    if (quirks.has('login-late')) throw new RequestError(-32000, 'Authentication required');
    const session = sessions.get(params.sessionId);
    const text = params.prompt.map((block) => block.text ?? '').join('\n');
    const images = params.prompt.filter(({ type }) => type === 'image');
    note({ prompt: text, ...(images.length > 0 && { images }) });
    session.isCancelled = false;
    for (const line of text.split('\n').filter((each) => each.startsWith('do: '))) {
      const [name, ...words] = withHidden(line).slice(4).split(' ');
      await actions[name](client, session, words, text);
      if (session.isCancelled) return { stopReason: 'cancelled' };
    }
    return { stopReason: 'end_turn' };
  })
  .onNotification('session/cancel', ({ params }) => {
    if (quirks.has('stubborn')) return;
    const session = sessions.get(params.sessionId);
    session.isCancelled = true;
    session.stop?.();
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

if (!quirks.has('holds'))
  process.stdin.once('close', async () => {
    for (const { clients } of sessions.values())
      for (const client of clients) await client.close().catch(() => undefined);
    process.exit();
  });
