import { compareText, type Draft, type LogEvent } from '../../model/event.js';
import { conversationData } from '../../model/conversation.js';
import {
  apply,
  DEFAULT_WORKSPACE,
  emptyMemory,
  entityOf,
  fold,
  registerOf,
  VAULT_SCOPE,
  type Memory,
} from '../../model/memory.js';
import { messageData } from '../../model/message.js';
import type { VaultPath } from '../../model/paths.js';
import { clip, Refusal } from '../../model/refusal.js';
import { stateData, stateText } from '../../model/state.js';
import { traceData } from '../../model/trace.js';
import { workspaceChanges, workspaceData } from '../../model/workspace.js';
import { nextClockText } from '../../storage/format/hybrid-clock.js';
import type { Files } from '../../platform/files.js';
import { importLines } from '../import.js';
import type { Lane } from '../../storage/format/lanes.js';
import { readLines, type HeldLines, type LogLine } from '../../storage/read/log-lines.js';
import type { Pause } from '../../platform/scheduler.js';
import { retiredRanges } from '../../storage/integrity/retirements.js';
import { sha256 } from '../../platform/sha256.js';
import { readBasicMemory } from './basic-memory.js';
import { filesOf } from './detect.js';
import {
  createAccount,
  leaveOut,
  rest,
  textIn,
  type Account,
  type ForeignConversation,
  type ForeignFile,
  type ForeignMessage,
  type ForeignState,
  type ForeignTrace,
  type ForeignWorkspace,
  type Gathered,
  type LeftOut,
  type Origin,
  type Place,
  type Readers,
  type Trouble,
} from './foreign.js';
import {
  cutIntoSegments,
  entityIdFrom,
  isSameValue,
  isShortEnough,
  sourcesOf,
  type StampedDraft,
} from './foreign-log.js';
import { createNaming, plainName, type Naming, type Renaming } from './naming.js';
import { readNexus } from './nexus.js';
import { readServerMemory } from './server-memory.js';

const KINDS = ['workspaces', 'states', 'traces', 'conversations', 'messages', 'changes'] as const;

/** What can be brought in; a change is one of a workspace's fields, of a title, or of what is archived. */
export type Kind = (typeof KINDS)[number];

export interface OthersOptions {
  /** Whether to write nothing. */
  readonly isDryRun: boolean;
  /** Milliseconds since 1970. Nothing is dated later than that, and what bears no date is dated to it. */
  readonly now: number;
  /** The UTC day, `2026-11-20`. */
  readonly day: string;
  /** Twelve letters of `a-km-np-z2-9` that no file of the vault bears in its name yet. */
  readonly tag: string;
  readonly readers: Readers;
  readonly pause?: Pause | undefined;
}

/** What was brought in from another program; after a dry run, what would be. */
export interface OthersReport {
  readonly origin: Origin;
  /** Lines, or notes. */
  readonly read: number;
  /** Lines that say what another line says too. */
  readonly duplicates: number;
  readonly kinds: Readonly<Record<Kind, { readonly added: number; readonly known: number }>>;
  /** How many of the workspaces, states and conversations are archived, or were deleted there. */
  readonly archived: number;
  readonly troubles: readonly Trouble[];
  readonly leftOut: readonly { readonly why: LeftOut; readonly count: number }[];
  readonly renamings: readonly Renaming[];
  /** The new files in the vault. */
  readonly files: readonly VaultPath[];
}

export const ORIGIN_NAMES: Readonly<Record<Origin, string>> = {
  nexus: 'Nexus',
  'server-memory': 'server-memory',
  'basic-memory': 'Basic Memory',
};

/**
 * Brings in the memory of another program, as lines of the log that bear the times of old. Ids come from what that program knows a
 * thing by, so that doing it again, or on another device, adds nothing; and what broke off is completed by doing it again. Throws a
 * `Refusal` where files of the vault cannot be read or written.
 */
export async function importOthers(
  files: Files,
  root: VaultPath,
  origin: Origin,
  sources: readonly ForeignFile[],
  options: OthersOptions,
): Promise<OthersReport> {
  const { pause, readers } = options;
  const account = createAccount();
  const gathered = await gather(origin, filesOf(origin, sources), readers, account, pause);
  if (account.recognized === 0) throw new Refusal(nothingText(origin, sources));
  const held = await readLines(files, root, pause);
  const desk = await openDesk(origin, held, account, options);
  await draftAll(desk, gathered);
  const fresh = await withoutRetired(desk, held);
  const segments = await cutIntoSegments(fresh, pause);
  const { isDryRun, day, tag } = options;
  const { files: written } =
    segments.length > 0
      ? await importLines(files, root, await sourcesOf(origin, segments, pause), {
          mayMerge: true,
          isDryRun,
          day,
          tag,
          pause,
        })
      : { files: [] };
  const { read, duplicates, troubles, leftOut } = account;
  return {
    origin,
    read,
    duplicates,
    kinds: desk.kinds,
    archived: desk.archived,
    troubles,
    leftOut: [...leftOut].map(([why, count]) => ({ why, count })),
    renamings: desk.naming.renamings,
    files: written,
  };
}

const WHERE: Readonly<Record<Origin, string>> = {
  nexus:
    'the folder "Nexus/data" of the vault that Nexus was used in, or the ".nexus" folder of an older one',
  'server-memory': 'the file "memory.jsonl" that the server was told to keep',
  'basic-memory': 'the folder that holds its notes',
};

function nothingText(origin: Origin, sources: readonly ForeignFile[]): string {
  const what =
    sources.length === 1
      ? `"${clip(sources[0]!.name, 200)}" holds`
      : `The ${sources.length} files hold`;
  return `${what} nothing of ${ORIGIN_NAMES[origin]} that can be brought in. Give ${WHERE[origin]}.`;
}

function gather(
  origin: Origin,
  sources: readonly ForeignFile[],
  readers: Readers,
  account: Account,
  pause: Pause | undefined,
): Promise<Gathered> {
  if (origin === 'nexus') return readNexus(sources, readers, account, pause);
  if (origin === 'server-memory') return readServerMemory(sources, account, pause);
  return readBasicMemory(sources, readers, account, pause);
}

/** Where drafts are made: what is here already, and what has been drafted so far. */
interface Desk {
  readonly origin: Origin;
  readonly now: number;
  readonly memory: Memory;
  readonly conversations: Memory;
  /** See `identityOf`. */
  readonly held: ReadonlySet<string>;
  readonly naming: Naming;
  readonly account: Account;
  readonly pause: Pause | undefined;
  readonly drafts: StampedDraft[];
  readonly kinds: Record<Kind, { added: number; known: number }>;
  archived: number;
}

async function openDesk(
  origin: Origin,
  { lines }: HeldLines,
  account: Account,
  { now, pause }: OthersOptions,
): Promise<Desk> {
  const memory = await foldLane(lines, 'core', pause);
  const held = new Set<string>();
  for (const { event } of lines) {
    await rest(pause);
    if (BROUGHT_IN.has(event.t)) held.add(identityOf(event));
  }
  return {
    origin,
    now,
    memory,
    conversations: await foldLane(lines, 'chat', pause),
    held,
    account,
    pause,
    naming: createNaming(memory, ORIGIN_NAMES[origin]),
    drafts: [],
    archived: 0,
    kinds: Object.fromEntries(KINDS.map((kind) => [kind, { added: 0, known: 0 }])) as Desk['kinds'],
  };
}

const BROUGHT_IN = new Set(['ws.new', 'state.new', 'trace.new', 'conv.new', 'msg.new', 'set']);
const EVENTS_AT_ONCE = 500;

async function foldLane(
  lines: readonly LogLine[],
  lane: Lane,
  pause: Pause | undefined,
): Promise<Memory> {
  const owner = {};
  let memory = emptyMemory;
  const events = lines.flatMap((line) => (line.lane === lane ? [line.event] : []));
  for (let at = 0; at < events.length; at += EVENTS_AT_ONCE) {
    await rest(pause);
    memory = fold(memory, events.slice(at, at + EVENTS_AT_ONCE), owner);
  }
  return memory;
}

/** By what an event is known again: a creation by its entity, a change by all but the name that was free for it. */
function identityOf({ t, e, h, d }: Pick<LogEvent, 't' | 'e' | 'h' | 'd'>): string {
  if (t !== 'set') return `${t} ${e}`;
  return `set ${e} ${h} ${JSON.stringify(Object.entries(d).map(([path, value]) => (path === '/name' ? path : [path, value])))}`;
}

async function draftAll(
  desk: Desk,
  { workspaces, states, traces, conversations, messages }: Gathered,
): Promise<void> {
  const workspaceIds = new Map<string, string>();
  await eachWithId(desk, 'workspace', inOrder(workspaces), keyOf, (workspace, e) => {
    workspaceIds.set(workspace.key, e);
    draftWorkspace(desk, e, workspace);
  });
  const stateKey = ({ key, isVersioned, content }: ForeignState) => [
    key,
    isVersioned ? stateText(content) : '',
  ];
  await eachWithId(desk, 'state', inOrder(states), stateKey, (state, e) =>
    draftState(desk, e, workspaceIds.get(state.workspace)!, state),
  );
  await eachWithId(desk, 'trace', traces, keyOf, (trace, e) =>
    draftTrace(desk, e, workspaceIds.get(trace.workspace)!, trace),
  );
  const conversationIds = new Map<string, string>();
  await eachWithId(desk, 'conversation', conversations, keyOf, (conversation, e) => {
    conversationIds.set(conversation.key, e);
    draftConversation(desk, e, workspaceIds, conversation);
  });
  const messageIds = new Map<string, string | undefined>();
  const messageKey = ({ conversation, key, content }: ForeignMessage) => [
    conversation,
    key,
    JSON.stringify(content),
  ];
  await eachWithId(desk, 'message', messages, messageKey, (message, e) =>
    draftMessage(desk, e, conversationIds.get(message.conversation)!, messageIds, message),
  );
}

function keyOf({ key }: { readonly key: string }): string[] {
  return [key];
}

/** So many ids are made at a time: each for itself would wait for the next task. */
const IDS_AT_ONCE = 256;

/** Uses each thing with the id that it has here, in their order. */
async function eachWithId<T>(
  { origin, pause }: Desk,
  kind: string,
  items: readonly T[],
  wordsOf: (item: T) => readonly string[],
  use: (item: T, e: string) => void | Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += IDS_AT_ONCE) {
    const some = items.slice(at, at + IDS_AT_ONCE);
    const ids = await Promise.all(some.map((item) => entityIdFrom(origin, kind, ...wordsOf(item))));
    for (const [index, item] of some.entries()) {
      await rest(pause);
      await use(item, ids[index]!);
    }
  }
}

/** By time, then key: what is named first keeps its name. */
function inOrder<T extends { readonly at: number | undefined; readonly key: string }>(
  items: readonly T[],
): T[] {
  return [...items].sort(
    (a, b) => (a.at ?? Infinity) - (b.at ?? Infinity) || compareText(a.key, b.key),
  );
}

interface Offer {
  readonly kind: Kind;
  readonly lane: Lane;
  readonly place: Place;
  readonly draft: Draft;
  readonly h: string;
  /** Whether it is here already; told by `h` where this is not given. */
  readonly isKnown?: boolean;
}

/** Takes a draft in unless it is here already. Answers whether it stands in the log then. */
function offer(
  { held, kinds, drafts, account }: Desk,
  { kind, lane, place, draft, h, isKnown }: Offer,
): boolean {
  if (isKnown ?? held.has(identityOf({ ...draft, h }))) {
    kinds[kind].known++;
    return true;
  }
  if (!isShortEnough(draft)) {
    account.troubles.push({ ...place, kind: 'tooLong' });
    return false;
  }
  kinds[kind].added++;
  drafts.push({ ...draft, lane, h });
  return true;
}

/** A reading of the log's clock for a time told by others; `count` tells readings of one millisecond apart. */
function stampOf({ now }: Desk, at: number | undefined, count = 0): string {
  const text = nextClockText('', Math.min(at ?? now, now));
  return `${text.slice(0, 25)}${count.toString(16).padStart(4, '0')}`;
}

/** Changes to one entity in a row: those of one millisecond keep their order. */
function offerChanges(
  desk: Desk,
  lane: Lane,
  e: string,
  changes: readonly { at: number; place: Place; d: Draft['d'] }[],
): void {
  const memory = lane === 'core' ? desk.memory : desk.conversations;
  let last = '';
  let count = 0;
  for (const { at, place, d } of changes) {
    const plain = stampOf(desk, at);
    count = plain === last ? count + 1 : 1;
    last = plain;
    const h = stampOf(desk, at, count);
    // What is dated to this very import bears another time with each: it is known by what it says.
    const isUndated =
      at > desk.now &&
      Object.entries(d).every(([path, value]) =>
        isSameValue(registerOf(entityOf(memory, e), path), value),
      );
    offer(desk, {
      kind: 'changes',
      lane,
      place,
      draft: { t: 'set', e, d },
      h,
      ...(isUndated && { isKnown: true }),
    });
  }
}

/** What is made up stands behind what may be found at the same time. */
const LAST = 0xffff;

function draftWorkspace(
  desk: Desk,
  e: string,
  { at, place, fields, changes, isGuessed }: ForeignWorkspace,
): void {
  const { naming } = desk;
  const h = stampOf(desk, at, isGuessed ? LAST : 0);
  const created = entityOf(desk.memory, e).created;
  const isKnown =
    created !== undefined && (isGuessed || at === undefined || at > desk.now || created.h <= h);
  const heldName = isKnown ? (textIn(created.d, 'name') ?? '') : '';
  let name =
    isKnown && (isGuessed || naming.isFor(heldName, fields.name))
      ? heldName
      : naming.give(fields.name, VAULT_SCOPE, e);
  const draft = { t: 'ws.new', e, d: workspaceData({ ...fields, name }) };
  if (!offer(desk, { kind: 'workspaces', lane: 'core', place, draft, h, isKnown })) return;
  let running = apply(emptyMemory, isKnown ? created : eventOf(draft, h));
  let told = fields.name;
  const sets: { at: number; place: Place; d: Draft['d'] }[] = [];
  // What is here may have come in from a damaged line, or be made up: what it should say is a change then.
  const first = isKnown && !isGuessed && at !== undefined ? [{ at, fields }] : [];
  for (const change of [...first, ...changes]) {
    if (change.fields.name !== told) name = naming.give(change.fields.name, VAULT_SCOPE, e);
    told = change.fields.name;
    const d = workspaceChanges(entityOf(running, e), { ...change.fields, name });
    if (Object.keys(d).length === 0) continue;
    sets.push({ at: change.at, place, d });
    running = apply(running, eventOf({ t: 'set', e, d }, nextClockText(h, change.at), sets.length));
  }
  offerChanges(desk, 'core', e, sets);
  if (isArchivedAtLast(changes.map(({ fields: { isArchived } }) => isArchived))) desk.archived++;
}

function eventOf(draft: Draft, h: string, n = 0): LogEvent {
  return { v: 1, w: '', p: '', c: '', n, h, ...draft };
}

function isArchivedAtLast(flags: readonly (boolean | undefined)[]): boolean {
  return flags.filter((flag) => flag !== undefined).at(-1) === true;
}

async function draftState(
  desk: Desk,
  e: string,
  workspaceId: string,
  { at, place, content: told, archived }: ForeignState,
): Promise<void> {
  const h = stampOf(desk, at);
  const isKnown = desk.held.has(`state.new ${e}`);
  const name = isKnown ? told.name : desk.naming.give(told.name, workspaceId, e);
  const note =
    plainName(told.name) === told.name ? '' : `\n\nIts name there: ${JSON.stringify(told.name)}`;
  const content = { ...told, name, conversationContext: told.conversationContext + note };
  const draft = {
    t: 'state.new',
    e,
    d: stateData(workspaceId, content, isKnown ? '' : await sha256(stateText(content))),
  };
  if (!offer(desk, { kind: 'states', lane: 'core', place, draft, h, isKnown })) return;
  offerChanges(
    desk,
    'core',
    e,
    archived.map(({ at: time, isArchived }) => ({
      at: time,
      place,
      d: { '/isArchived': isArchived },
    })),
  );
  if (isArchivedAtLast(archived.map(({ isArchived }) => isArchived))) desk.archived++;
}

function draftTrace(
  desk: Desk,
  e: string,
  workspaceId: string,
  { at, place, trace }: ForeignTrace,
): void {
  const draft = { t: 'trace.new', e, d: traceData({ ...trace, workspaceId }) };
  offer(desk, { kind: 'traces', lane: 'trace', place, draft, h: stampOf(desk, at) });
}

function draftConversation(
  desk: Desk,
  e: string,
  workspaceIds: ReadonlyMap<string, string>,
  conversation: ForeignConversation,
): void {
  const { at, place, title, workspace, changes } = conversation;
  const idOf = (key: string | undefined) => (key === undefined ? undefined : workspaceIds.get(key));
  const workspaceId = idOf(workspace) ?? DEFAULT_WORKSPACE;
  const draft = { t: 'conv.new', e, d: conversationData({ workspaceId, title }) };
  if (!offer(desk, { kind: 'conversations', lane: 'chat', place, draft, h: stampOf(desk, at) }))
    return;
  const now: Record<string, string | boolean> = {
    '/title': title,
    '/ws': workspaceId,
    '/isArchived': false,
  };
  const sets: { at: number; place: Place; d: Draft['d'] }[] = [];
  for (const { at: time, title: newTitle, workspace: newWorkspace, isArchived } of changes) {
    const wanted = { '/title': newTitle, '/ws': idOf(newWorkspace), '/isArchived': isArchived };
    const d: Draft['d'] = {};
    for (const [path, value] of Object.entries(wanted))
      if (value !== undefined && value !== now[path]) d[path] = now[path] = value;
    if (Object.keys(d).length > 0) sets.push({ at: time, place, d });
  }
  offerChanges(desk, 'chat', e, sets);
  if (now['/isArchived'] === true) desk.archived++;
}

/** A message that cannot be kept is passed over: what came after it follows what came before. */
function draftMessage(
  desk: Desk,
  e: string,
  conversationId: string,
  ids: Map<string, string | undefined>,
  { key, conversation, at, place, parent, content }: ForeignMessage,
): void {
  const idOf = (of: string | undefined) =>
    of === undefined ? undefined : ids.get(`${conversation} ${of}`);
  const draft = {
    t: 'msg.new',
    e,
    d: messageData({ ...content, conversationId, parentId: idOf(parent) }),
  };
  const isKept = offer(desk, {
    kind: 'messages',
    lane: 'chat',
    place,
    draft,
    h: stampOf(desk, at),
  });
  ids.set(`${conversation} ${key}`, isKept ? e : idOf(parent));
}

/** Traces that were brought in before and have outlived their time stay out: their segments come out of the same traces again. */
async function withoutRetired(desk: Desk, { lines }: HeldLines): Promise<StampedDraft[]> {
  const retired = retiredRanges(lines);
  const segments = await cutIntoSegments(
    desk.drafts.filter(({ lane }) => lane === 'trace'),
    desk.pause,
  );
  const out = new Set(
    segments.filter(({ writer }) => retired.has(writer)).flatMap(({ drafts }) => drafts),
  );
  leaveOut(desk.account, 'retired', out.size);
  desk.kinds.traces.added -= out.size;
  return desk.drafts.filter((draft) => !out.has(draft));
}
