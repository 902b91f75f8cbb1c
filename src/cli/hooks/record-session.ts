import { CHECKPOINT_INTERVAL_MS, sessionDraft } from '../../capture/checkpoint-trace.js';
import { checkpointData, isEmptyCheckpoint } from '../../model/text/checkpoint.js';
import { entityOf } from '../../model/memory.js';
import { workspaceOf } from '../../model/workspace.js';
import { MAX_CHECKPOINT_BYTES } from '../../capture/build-checkpoint.js';
import { briefFiles } from '../../node/capture/brief-cache.js';
import { removeToldBefore } from '../../node/capture/told-items.js';
import { catchUp, checkpointOf } from '../../node/capture/device-sessions.js';
import {
  newSession,
  withMark,
  withoutForgotten,
  type CapturedSession,
} from '../../node/capture/captured-session.js';
import { noteFormat } from '../../node/capture/strange-formats.js';
import { fileSize } from '../../node/real-path.js';
import { createEntityId } from '../../platform/random.js';
import { encodeLine } from '../../storage/index.js';
import type { ProgramHost } from '../program.js';
import type { HookInput } from './hook-input.js';
import type { LinkedSession } from './linked-session.js';

/** When a checkpoint is written to the log. */
export type WriteReason = 'turn' | 'compaction' | 'end';

/** Sessions that changed before are not sealed any more, and their files are removed. */
const MAX_SESSION_AGE_MS = 14 * 24 * 60 * 60 * 1000;
const MAX_SEALED_AT_ONCE = 20;

/** Stores a session's transcript, so that the next one finds it even if this one is killed. */
export async function registerSession(
  { node }: ProgramHost,
  { files }: LinkedSession,
  client: string,
  input: HookInput,
  fromState?: string,
): Promise<void> {
  const size = (await fileSize(node, input.transcript)) ?? 0;
  await files.update(client, input.session, (known) => ({
    ...withMark(startOf(known, client, input), { at: input.at, size, isPrivate: false }),
    ...(fromState !== undefined && !known?.fromState && { fromState }),
    ...(isLatest(known, input) && { process: input.process, isSealed: false, hasEnded: false }),
  }));
}

/** True if no hook that was called later has been handled: those in the background may overtake. */
function isLatest(known: CapturedSession | undefined, { at }: HookInput): boolean {
  return known === undefined || known.marks.every((mark) => mark.at <= at);
}

/** Keeps a private session from being captured later; for others, the settings say so. */
export async function skipSession(
  { node }: ProgramHost,
  { files, isPrivate }: LinkedSession,
  client: string,
  input: HookInput,
): Promise<void> {
  if (!isPrivate && !(await files.has(client, input.session))) return;
  const size = (await fileSize(node, input.transcript)) ?? 0;
  await files.update(client, input.session, (known) =>
    withMark(startOf(known, client, input), { at: input.at, size, isPrivate }),
  );
}

function startOf(
  known: CapturedSession | undefined,
  client: string,
  input: HookInput,
): CapturedSession {
  const isWhole = known !== undefined && known.folder !== '';
  const start = isWhole ? known : { ...newSession(client, input), marks: known?.marks ?? [] };
  return { ...start, ...(input.transcript !== '' && { transcript: input.transcript }) };
}

/** Stores what a session has done on this device, and in the log if a checkpoint is due. */
export async function recordSession(
  program: ProgramHost,
  linked: LinkedSession,
  client: string,
  input: HookInput,
  reason: WriteReason,
): Promise<void> {
  const { node } = program;
  await linked.files.update(client, input.session, async (known) => {
    const isEnd = reason === 'end';
    const isLast = isLatest(known, input);
    const begun = startOf(known, client, input);
    const start = isLast ? { ...begun, process: input.process } : begun;
    const { session, read } = await catchUp(node, linked, start, input);
    // a session may end before anything was said in it
    if (read && !isEnd) await noteFormat(node, linked.stateFolder, read);
    const left = isLast ? { ...session, isSealed: isEnd, hasEnded: isEnd } : session;
    return writeIfDue(program, linked, left, reason);
  });
}

/** Seals the project's earlier sessions that never ended, and forgets old ones. */
export async function sealOtherSessions(
  program: ProgramHost,
  linked: LinkedSession,
  { session: current }: Pick<HookInput, 'session'>,
): Promise<void> {
  const { files } = linked;
  for (const { client, id, isSealed } of await files.newest(MAX_SEALED_AT_ONCE)) {
    if (isSealed || id === current) continue;
    await files.update(client, id, async (known) => {
      if (!known) throw new Error(`The session ${id} has been removed`);
      const { session } = await catchUp(program.node, linked, known);
      return writeIfDue(program, linked, { ...session, isSealed: true }, 'end');
    });
  }
  const oldest = Date.now() - MAX_SESSION_AGE_MS;
  await files.removeBefore(oldest);
  const { link, stateFolder, project } = linked;
  const { told } = briefFiles(program.node, { ...link, stateFolder, project });
  await removeToldBefore(program.node, told, oldest);
}

/** Of the lines of one session, in UTF-16 units as JSON. */
const MAX_BYTES_OF_DAY = 100 * 1000;
const MIN_CHANGED_BYTES = 2000;

type Size = Pick<NonNullable<CapturedSession['written']>, 'at' | 'bytes'>;

function isWorthVersion(before: Size, now: Size): boolean {
  const isOld = now.at - before.at >= CHECKPOINT_INTERVAL_MS;
  return isOld && Math.abs(now.bytes - before.bytes) >= MIN_CHANGED_BYTES;
}

function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

/** Writes a version of the session if enough has changed and the last one is old enough. */
async function writeIfDue(
  program: ProgramHost,
  linked: LinkedSession,
  session: CapturedSession,
  reason: WriteReason,
): Promise<CapturedSession> {
  const checkpoint = await checkpointOf(program.node, linked, session);
  if (isEmptyCheckpoint(checkpoint)) return session;
  const json = JSON.stringify(checkpointData(checkpoint));
  const hash = hashOf(program, json);
  const { written, client, id } = session;
  if (written?.hash === hash) return session;
  const now = Date.now();
  const version = { hash, at: now, bytes: json.length, bytesOfDay: json.length };
  if (written && isSameDay(written.at, now)) version.bytesOfDay += written.bytesOfDay;
  const before = written ?? { at: session.marks[0]?.at ?? now, bytes: 0 };
  const isEarly = reason === 'turn' && !isWorthVersion(before, version);
  const reserve = reason === 'end' ? 0 : MAX_CHECKPOINT_BYTES;
  const isTooMuch = version.bytesOfDay > MAX_BYTES_OF_DAY - reserve;
  // a later session writes it
  if (isEarly || isTooMuch) return isTooMuch ? { ...session, isSealed: false } : session;
  const key = `checkpoint-${hashOf(program, `${client}\n${id}`)}-${hash}`;
  const { workspaceId } = linked.link;
  const { openVaultLog } = await import('../vault-log.js');
  const place = { vault: linked.link.vault, state: linked.stateFolder };
  const { log, random } = await openVaultLog(program, { ...place, isReadOnly: false });
  try {
    const workspace = workspaceOf(entityOf(await log.memory(), workspaceId));
    if (!workspace)
      throw new Error(
        `The workspace "${linked.link.workspaceName}" of ${linked.link.folder} is not in ${linked.link.vault}. Link the project again`,
      );
    const forgotten = written && (await log.forgetting.forgottenOf(written.line));
    if (forgotten?.isWhole) return session;
    // until its user has decided, this device keeps a message that another one has forgotten
    const rest = withoutForgotten(session, new Set(forgotten?.turns));
    const shown = rest === session ? checkpoint : await checkpointOf(program.node, linked, rest);
    const entity = createEntityId(random);
    const origin = { workspaceId, sessionId: id, client };
    const event = await log.writeTrace(sessionDraft(entity, origin, shown, key));
    const line = { w: event.w, n: event.n, c: event.c, hash: encodeLine(event).hash };
    return { ...session, written: { id: entity, ...version, line } };
  } finally {
    await log.close();
  }
}

function hashOf({ node }: ProgramHost, text: string): string {
  return node.crypto.createHash('sha256').update(text).digest('hex').slice(0, 16);
}
