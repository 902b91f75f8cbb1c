import { displayName } from '../apps/index.js';
import { compareText } from '../model/event.js';
import { PROJECT_PREFIX } from '../model/paths.js';
import {
  checkpointText,
  isEmptyCheckpoint,
  lastAnswerOf,
  sessionStatus,
  taskOf,
  type Checkpoint,
  type SessionStatus,
} from '../model/text/checkpoint.js';
import type { Trace } from '../model/trace.js';
import type { BriefSection } from './fit-sections.js';
import { clipLine, paragraphsOf, briefSection, quoted, shownTime } from './lines.js';

/** Heading of a section that is true only for a while. */
export const RUNNING_HEADING = 'Running elsewhere';
const MAX_OTHERS = 3;
const MAX_RUNNING = 3;
/** The maximum length of a request in a checkpoint. */
const MAX_REQUEST_LINE = 640;

/** A session as of its last checkpoint. */
interface Session {
  readonly id: string;
  readonly app: string | undefined;
  /** Time of its last change. */
  readonly at: string;
  readonly task: string;
  readonly status: SessionStatus;
  /** True if it was ended during a turn, and no later session has finished its work. */
  readonly isCutOff: boolean;
  /** Where its files are, as part of a sentence; empty if they are the reader's. */
  readonly place: string;
  readonly checkpoint: Checkpoint;
}

export interface SessionSections {
  /** The reader's own session, and the work interrupted last. */
  readonly open: readonly BriefSection[];
  /** The last session in which something was done. */
  readonly last: readonly BriefSection[];
  /** Time of the last change of that session. */
  readonly lastAt: string;
  /** Later interrupted work that no person has led, such as that of a script. */
  readonly unattended: readonly BriefSection[];
  readonly running: readonly BriefSection[];
  readonly others: readonly BriefSection[];
}

/**
 * Returns sections on sessions. One without work, or that no person has led, never takes the place
 * of another; one that is running elsewhere is only named, and another worktree is named with its
 * files. `traces` are newest first; `reader` is the session that reads the brief.
 */
export function sessionSections(
  traces: readonly Trace[],
  now: number,
  {
    reader,
    worktree,
  }: { readonly reader?: string | undefined; readonly worktree?: string | undefined },
): SessionSections {
  const sessions = sessionsIn(traces, now, worktree);
  const own = sessions.find(({ id }) => id === reader);
  const elsewhere = sessions.filter(({ id }) => id !== reader);
  const running = elsewhere.filter(({ status }) => status === 'running');
  const left = elsewhere.filter(({ status }) => status !== 'running');
  const all = left.filter(({ checkpoint }) => checkpoint.hasWorked);
  const led = all.filter(({ checkpoint }) => checkpoint.isUnattended !== true);
  const work = led.length > 0 ? led : all;
  const interrupted = work.find(({ status }) => status === 'interrupted');
  const last = work[0];
  const unattended = all.find(
    (each) => each.status === 'interrupted' && !work.includes(each) && each.at > (last?.at ?? ''),
  );
  const shown = [interrupted, last, unattended];
  const others = left
    .filter(
      ({ status, isCutOff, at, checkpoint }) =>
        status === 'interrupted' || (isCutOff && checkpoint.hasWorked) || at > (last?.at ?? ''),
    )
    .filter((session) => !shown.includes(session) && session.task !== '')
    .sort((a, b) => rankOf(a) - rankOf(b));
  return {
    open: [
      ...(own ? [wholeSection('This session so far', own)] : []),
      ...(interrupted ? [workSection('Interrupted work, last change', interrupted)] : []),
    ],
    last: last && last !== interrupted ? [workSection('Last session,', last)] : [],
    lastAt: last?.at ?? '',
    unattended: unattended ? [workSection('Interrupted session that nobody led,', unattended)] : [],
    running: [
      briefSection(RUNNING_HEADING, MAX_RUNNING, running.slice(0, MAX_RUNNING).map(runningLine), {
        total: running.length,
      }),
    ],
    others: [
      briefSection(
        last === undefined ? 'Sessions' : 'Other sessions',
        1,
        others.slice(0, MAX_OTHERS).map(otherLine),
        { total: others.length },
      ),
    ],
  };
}

/** Last changed first. An interrupted session is finished if later ones finished all its files. */
function sessionsIn(
  traces: readonly Trace[],
  now: number,
  worktree: string | undefined,
): Session[] {
  const last = new Map<string, Session>();
  for (const { sessionId: id, client: app, createdAt, checkpoint } of traces) {
    if (!checkpoint || isEmptyCheckpoint(checkpoint) || last.has(id)) continue;
    const at = checkpoint.changedAt ?? createdAt;
    const status = sessionStatus(checkpoint, Date.parse(at), now);
    const isCutOff = status === 'finished' && !checkpoint.isFinished;
    const task = taskOf(checkpoint);
    const place = checkpoint.worktree === worktree ? '' : filesPlace(checkpoint);
    last.set(id, { id, app, at, status, isCutOff, place, checkpoint, task });
  }
  const sessions = [...last.values()].sort((a, b) => compareText(b.at, a.at));
  const written = new Set<string>();
  return sessions.map((session) => {
    const { status, checkpoint } = session;
    const isTakenUp = isOnlyIn(written, checkpoint);
    if (status === 'finished' && checkpoint.isFinished)
      for (const file of checkpoint.written) written.add(inWorktree(file, checkpoint));
    const isDone = isTakenUp && status !== 'running';
    return isDone ? { ...session, status: 'finished', isCutOff: false } : session;
  });
}

/** Returns true if a session has written files, and all of them are among these. */
function isOnlyIn(files: ReadonlySet<string>, checkpoint: Checkpoint): boolean {
  const { written, writtenCount } = checkpoint;
  const isWhole = written.length > 0 && written.length === writtenCount;
  return isWhole && written.every((file) => files.has(inWorktree(file, checkpoint)));
}

function inWorktree(file: string, { worktree }: Checkpoint): string {
  return file.startsWith(PROJECT_PREFIX) ? `${worktree ?? ''}/${file}` : file;
}

/** Interrupted sessions come first, then those in which something was done. */
function rankOf({ status, checkpoint }: Session): number {
  if (status === 'interrupted') return 0;
  return checkpoint.hasWorked ? 1 : 2;
}

function workSection(title: string, session: Session): BriefSection {
  return wholeSection(
    `${title} ${shownTime(session.at)}${placeOf(session)}${endOf(session)}`,
    session,
  );
}

function wholeSection(heading: string, session: Session): BriefSection {
  const lines = checkpointLines(session);
  return briefSection(heading, lines.length, lines, { limit: MAX_REQUEST_LINE });
}

function checkpointLines({ checkpoint }: Session): string[] {
  const shown = {
    ...checkpoint,
    written: checkpoint.written.map(nameInProject),
    read: checkpoint.read.map(nameInProject),
    todos: checkpoint.todos.filter(({ isDone }) => !isDone),
  };
  return paragraphsOf(checkpointText(shown));
}

function runningLine(session: Session): string {
  const { task, checkpoint } = session;
  const files = checkpoint.written.slice(0, 3).map(nameInProject).join(', ');
  const about = task || files || 'no request yet';
  return `Running now${placeOf(session)}: ${about}`;
}

function otherLine(session: Session): string {
  const { status, at, task, checkpoint } = session;
  const title = { interrupted: 'Interrupted', running: '', finished: 'Asked' }[status];
  const answer = clipLine(lastAnswerOf(checkpoint), MAX_REQUEST_LINE);
  const known = status === 'interrupted' && answer !== '' ? `. Last answer: ${answer}` : '';
  return `${title} ${shownTime(at)}${placeOf(session)}${endOf(session)}: ${task}${known}`;
}

function endOf({ isCutOff }: Session): string {
  return isCutOff ? ' (ended without an answer)' : '';
}

function placeOf({ app, place }: Session): string {
  return `${app === undefined ? '' : ` in ${clipLine(displayName(app))}`}${place}`;
}

/** Says where the files of a session are that the reader does not have; empty if it has none. */
function filesPlace({ worktree, written, read }: Checkpoint): string {
  const place = worktree === undefined ? 'the linked folder' : `the worktree ${quoted(worktree)}`;
  const hasFiles = [...written, ...read].some((path) => path.startsWith(PROJECT_PREFIX));
  return hasFiles ? `, with its files in ${place}, not here` : '';
}

function nameInProject(path: string): string {
  return path.startsWith(PROJECT_PREFIX) ? path.slice(PROJECT_PREFIX.length) : path;
}
