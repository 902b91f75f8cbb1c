import { createHash } from 'node:crypto';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentBrief } from '../../src/agents/shared/current-brief.js';
import { DEFAULT_BRIEF_TOKENS } from '../../src/brief/brief.js';
import { buildCheckpoint, type SessionFacts } from '../../src/capture/build-checkpoint.js';
import type { ProjectLink } from '../../src/capture/consent.js';
import { sessionDraft } from '../../src/capture/checkpoint-trace.js';
import { conversationActivitySteps } from '../../src/capture/conversation-activity.js';
import { runToEnd } from '../../src/platform/run-sliced.js';
import type { Draft } from '../../src/model/event.js';
import type { Message, MessagePart } from '../../src/model/message.js';
import { recordData, type RecordContent } from '../../src/model/records/record.js';
import { stateData, type StateContent } from '../../src/model/state.js';
import { traceData, type TraceKind } from '../../src/model/trace.js';
import { createCaptureSettingsFile } from '../../src/node/capture/capture-settings-file.js';
import { findClientProcess, type SessionProcess } from '../../src/node/capture/client-process.js';
import { createDeviceSessions } from '../../src/node/capture/device-sessions.js';
import { sessionsOf } from '../../src/node/capture/session-files.js';
import { newSession } from '../../src/node/capture/captured-session.js';
import { createTestVault, type TestVault } from '../fakes/test-vault.js';
import {
  activityIn,
  transcriptOf,
  type CapturedClient,
  type SessionStep,
} from '../fakes/transcripts.js';
import { createFolder, node } from '../node/folders.js';

/** The fields are explained in `situations.json`. */
export interface Situation {
  readonly id: string;
  readonly now: string;
  readonly events: readonly SituationEvent[];
  readonly needed: string | readonly string[];
  readonly forbidden?: readonly string[];
  readonly answerNeeds?: readonly { readonly answer: string; readonly request: string }[];
}

export type SituationEvent = { readonly at: string; readonly workspace?: string } & (
  | ({ readonly kind: 'workspace' } & Record<
      'name' | 'description' | 'rootFolder' | 'purpose',
      string
    >)
  | StateEvent
  | RecordEvent
  | { readonly kind: 'supersede'; readonly old: string; readonly new: string }
  | TraceEvent
  | SessionEvent
);

interface StateEvent extends StateContent {
  readonly kind: 'state';
  readonly app: string;
  readonly session?: string;
  readonly decisions?: readonly string[];
  readonly questions?: readonly string[];
}

interface RecordEvent {
  readonly kind: 'record';
  readonly app: string;
  readonly recordKind: RecordContent['kind'];
  readonly title: string;
  readonly body?: string;
  readonly due?: string;
  readonly status?: string;
  readonly closedAt?: string;
}

interface TraceEvent {
  readonly kind: 'trace';
  readonly app: string;
  readonly traceKind: TraceKind;
  readonly input: string;
  readonly outcome: string;
  readonly files: readonly string[];
}

export interface SessionEvent {
  readonly kind: 'session';
  readonly at: string;
  readonly until: string;
  readonly id: string;
  readonly app: string;
  readonly turns: readonly (readonly [request: string, answer?: string])[];
  readonly filesWritten?: readonly string[];
  readonly filesRead?: readonly string[];
  readonly commands?: readonly string[];
  readonly failedCommands?: readonly string[];
  readonly todos?: readonly { readonly text: string; readonly isDone: boolean }[];
  readonly calls?: readonly string[];
  readonly workAfter?: number;
  readonly end?: 'ended' | 'killed' | 'running';
  readonly process?: 'alive' | 'unknown';
}

/** Returns the brief in a situation, from a log and from sessions that were really captured. */
export async function briefIn({ events, now }: Situation): Promise<string> {
  const place = new SituationVault(events);
  await place.link();
  const changes = events.flatMap((event): { at: string; write: () => Promise<unknown> }[] => {
    const write = () => place.write(event);
    if (event.kind === 'session') return [{ at: event.until, write }];
    const isClosed = event.kind === 'record' && event.closedAt !== undefined;
    const close = isClosed ? [{ at: event.closedAt, write: () => place.close(event) }] : [];
    return [{ at: event.at, write }, ...close];
  });
  for (const { at, write } of changes.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
    place.vault.clock.set(Date.parse(at));
    await write();
  }
  place.vault.clock.set(Date.parse(now));
  return place.brief();
}

class SituationVault {
  readonly vault: TestVault = createTestVault();
  readonly #stateFolder = createFolder();
  readonly #project = createFolder();
  readonly #disk = createFolder();
  readonly #transcripts = createFolder();
  readonly #home: string;
  #count = 0;

  constructor(events: readonly SituationEvent[]) {
    const first = events.find(({ kind }) => kind === 'workspace');
    this.#home = first?.kind === 'workspace' ? first.name : '';
  }

  get #link(): ProjectLink {
    return {
      project: 'key',
      keys: [],
      folder: this.#project,
      vault: this.#disk,
      workspaceId: `ws-${this.#home}`,
      workspaceName: this.#home,
      capture: 'all',
    };
  }

  async link(): Promise<void> {
    await createCaptureSettingsFile(node, this.#stateFolder).update(() => ({
      links: [this.#link],
      excludedFolders: [],
    }));
  }

  async brief(): Promise<string> {
    const { log, clock, files } = this.vault;
    const sessions = createDeviceSessions(node, this.#stateFolder, this.#disk);
    const device = {
      program: 'Test',
      name: () => 'Laptop',
      readSessions: (...request: Parameters<typeof sessions.checkpoints>) =>
        sessions.checkpoints(...request),
    };
    const request = { workspaceId: `ws-${this.#home}`, budget: DEFAULT_BRIEF_TOKENS };
    return currentBrief({ log, clock, files, device }, await log.memory(), request);
  }

  async write(event: SituationEvent): Promise<void> {
    const ws = `ws-${event.workspace ?? this.#home}`;
    switch (event.kind) {
      case 'workspace': {
        const { name, description, rootFolder, purpose } = event;
        const d = { name, description, rootFolder, purpose };
        await this.#write({ t: 'ws.new', e: `ws-${name}`, d });
        break;
      }
      case 'state':
        await this.#writeState(ws, event);
        break;
      case 'record': {
        const { recordKind: kind, title, body, due } = event;
        await this.#writeRecord(ws, event.app, { kind, title, body });
        if (due !== undefined) await this.#set(title, { '/remindAt': due });
        break;
      }
      case 'supersede':
        await this.#set(event.old, { '/supersededBy': `r-${event.new}` });
        break;
      case 'trace': {
        const { app: client, traceKind: kind, input, outcome, files } = event;
        const call = { toolset: 'traceManager', tool: 'logTrace', isSuccess: true, sessionId: '' };
        const d = traceData({ ...call, workspaceId: ws, client, kind, input, outcome, files });
        await this.vault.log.writeTrace({ t: 'trace.new', e: `t-${++this.#count}`, d });
        break;
      }
      case 'session':
        await this.#capture(ws, event);
    }
  }

  async close({ title, status }: RecordEvent): Promise<void> {
    await this.#set(title, { '/status': status ?? 'done' });
  }

  async #writeState(ws: string, event: StateEvent): Promise<void> {
    const { app, session = '', ...content } = event;
    const { decisions = [], questions = [] } = content;
    const stateId = `st-${content.name}`;
    const by = { client: app, session, device: 'Laptop' };
    const d = stateData(ws, content, `sha-${content.name}`, { by });
    await this.#write({ t: 'state.new', e: stateId, d });
    for (const title of decisions)
      await this.#writeRecord(ws, app, { kind: 'decision', title, stateId });
    for (const title of questions)
      await this.#writeRecord(ws, app, { kind: 'question', title, stateId });
  }

  #writeRecord(ws: string, client: string, content: RecordContent): Promise<void> {
    const by = { client, session: '', device: 'Laptop' };
    const d = recordData(ws, content, { by });
    return this.#write({ t: 'record.new', e: `r-${content.title}`, d });
  }

  #set(title: string, registers: Record<string, string>): Promise<void> {
    return this.#write({ t: 'set', e: `r-${title}`, d: registers });
  }

  async #write(draft: Draft): Promise<void> {
    await this.vault.log.write(() => ({ answer: undefined, drafts: [draft] }));
  }

  /** Captures a session: its checkpoint is in the log, and that of an AI app on the device too. */
  async #capture(workspaceId: string, session: SessionEvent): Promise<void> {
    const { id: sessionId, app, until, end = 'ended' } = session;
    const isChat = app === 'chat';
    const transcript = isChat ? '' : transcriptOf(app as CapturedClient, stepsOf(session));
    const activity = isChat
      ? runToEnd(conversationActivitySteps(messagesOf(session)))
      : activityIn(app, transcript.split('\n'));
    const project = isChat ? [] : [this.#project];
    const working = isChat ? this.#disk : this.#project;
    const roots = ['home', 'tmp'];
    const folders = { project, working, vault: [this.#disk], home: '/home', roots, excluded: [] };
    const client = { ended: 'ended', killed: 'gone', running: 'running' } as const;
    const isKnown = end === 'ended' ? !isChat : session.process !== 'unknown';
    const changedAt = new Date(until).toISOString();
    const facts: SessionFacts = { client: isKnown ? client[end] : undefined, changedAt };
    const checkpoint = buildCheckpoint(activity, folders, facts);
    const origin = { workspaceId, sessionId, client: isChat ? undefined : app };
    const entity = `t-${++this.#count}`;
    await this.vault.log.writeTrace(sessionDraft(entity, origin, checkpoint, entity));
    if (!isChat) await this.#store(session, transcript);
  }

  async #store(
    { id, app, at, until, end = 'ended', process }: SessionEvent,
    text: string,
  ): Promise<void> {
    const transcript = join(this.#transcripts, `${app}-${id}.jsonl`);
    writeFileSync(transcript, text);
    utimesSync(transcript, new Date(until), new Date(until));
    const start = { session: id, transcript, folder: this.#project };
    const stored = {
      ...newSession(app, start),
      changedAt: Date.parse(at),
      isSealed: end === 'ended',
      hasEnded: end === 'ended',
      process: process === 'unknown' ? undefined : await processOf(end),
    };
    await sessionsOf(node, this.#stateFolder, this.#link).update(app, id, () => stored);
    const name = createHash('sha256').update(`${app}\n${id}`).digest('hex').slice(0, 32);
    const folder = join(this.#stateFolder, 'capture', 'sessions');
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith(`${name}.json`))
        utimesSync(join(folder, file), new Date(until), new Date(until));
  }
}

/** Returns a process that runs, or one that is gone. */
async function processOf(end: string): Promise<SessionProcess | undefined> {
  const own = await findClientProcess(node, process.pid);
  return own && (end === 'running' ? own : { ...own, start: 'before the last start' });
}

function stepsOf(session: SessionEvent): SessionStep[] {
  const { turns, workAfter = turns.length - 1 } = session;
  return turns.flatMap(([request, answer], at): SessionStep[] => {
    const isCommand = session.app === 'claude-code' && request.startsWith('/');
    const text = isCommand ? `<command-name>${request}</command-name>` : request;
    return [
      { kind: 'task', text },
      ...(at === workAfter ? workOf(session) : []),
      ...(answer === undefined ? [] : [{ kind: 'answer', text: answer } as const]),
    ];
  });
}

function workOf(session: SessionEvent): SessionStep[] {
  const {
    filesRead = [],
    filesWritten = [],
    commands = [],
    failedCommands = [],
    todos = [],
  } = session;
  return [
    ...filesRead.map((path) => ({ kind: 'read', path }) as const),
    ...(todos.length > 0 ? [{ kind: 'todos', todos } as const] : []),
    ...filesWritten.map((path) => ({ kind: 'write', path }) as const),
    ...commands.map((command) => ({ kind: 'command', command }) as const),
    ...failedCommands.map((command) => ({ kind: 'command', command, fails: true }) as const),
  ];
}

/** Returns the messages of a conversation in the panel. */
function messagesOf(session: SessionEvent): Message[] {
  const { turns, workAfter = turns.length - 1 } = session;
  const { filesRead = [], filesWritten = [], commands = [], calls = [] } = session;
  const call = (tool: string, params: Record<string, string>, id: number): MessagePart => ({
    type: 'tool',
    id: String(id),
    tool,
    params,
    status: 'done',
  });
  const work = [
    ...calls.map((tool) => ({ tool, params: {} })),
    ...filesRead.map((path) => ({ tool: 'readContent', params: { path } })),
    ...filesWritten.map((path) => ({ tool: 'workspaceStorageWrite', params: { path } })),
    ...commands.map((command) => ({ tool: 'execute', params: { command } })),
  ].map(({ tool, params }, at) => call(tool, params, at));
  const known = { conversationId: session.id, parentId: undefined, createdAt: session.until };
  const said = (text: string): MessagePart => ({ type: 'text', text });
  return turns.flatMap(([request, answer], at): Message[] => {
    const parts = at === workAfter ? work : [];
    return [
      { ...known, id: `u${at}`, role: 'user', parts: [said(request)] },
      ...(parts.length > 0
        ? [{ ...known, id: `w${at}`, role: 'assistant', parts, end: 'tools' } as const]
        : []),
      ...(answer !== undefined
        ? [
            {
              ...known,
              id: `a${at}`,
              role: 'assistant',
              parts: [said(answer)],
              end: 'done',
            } as const,
          ]
        : []),
    ];
  });
}
