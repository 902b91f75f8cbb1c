import type { ActivityTurn } from '../apps/transcripts/activity.js';

/** The turns of a task so far. */
interface Task {
  /** Length of the message with which it began. */
  readonly length: number;
  readonly hasWorked: boolean;
  readonly wrote: ReadonlySet<string>;
  readonly programs: ReadonlySet<string>;
}

/**
 * Returns for each turn whether its message began a task. The agent's work decides, not the words:
 * a new task follows a worked one, answers no question, and changes mostly other files; or if there
 * are none, its message is longer, and mostly other programs ran. Until work has begun, the longest
 * message says what it is about. If in doubt, a message belongs to the task before it, which is
 * shown with it.
 */
export function tasksIn(turns: readonly ActivityTurn[]): boolean[] {
  let task: Task | undefined;
  return turns.map((_, at) => {
    const turn = withParts(turns, at);
    const isTask = task === undefined || beginsTask(turn, task, turns[at - 1]?.isQuestion === true);
    const { length, hasWorked, wrote, programs } = (isTask ? undefined : task) ?? {
      length: turn.message.length,
      hasWorked: false,
      wrote: new Set<string>(),
      programs: new Set<string>(),
    };
    task = {
      length,
      hasWorked: hasWorked || isWork(turn),
      wrote: new Set([...wrote, ...turn.wrote]),
      programs: new Set([...programs, ...turn.programs]),
    };
    return isTask;
  });
}

type Turn = Required<ActivityTurn>;

/** Returns a turn with what followed the messages that belong to it. */
function withParts(turns: readonly ActivityTurn[], at: number): Turn {
  const isOwn = (turn: ActivityTurn) => turn.isPart && turns[at]?.message !== '';
  const next = turns.findIndex((turn, index) => index > at && !isOwn(turn));
  const own = turns.slice(at, next < 0 ? turns.length : next);
  return {
    ...turns[at]!,
    answer: own.findLast(({ answer }) => answer !== '')?.answer ?? '',
    wrote: [...new Set(own.flatMap(({ wrote }) => wrote))],
    hasRun: own.some(({ hasRun }) => hasRun),
    programs: [...new Set(own.flatMap(({ programs = [] }) => programs))],
  };
}

function beginsTask(turn: Turn, task: Task, isAnswer: boolean): boolean {
  if (turn.isPart && task.length > 0) return false;
  const isLonger = turn.message.length > task.length;
  if (!task.hasWorked) return isLonger && (isWork(turn) || turn.answer !== '');
  if (isAnswer) return false;
  const hasFiles = turn.wrote.length > 0 || task.wrote.size > 0;
  return hasFiles
    ? isMostlyNew(turn.wrote, task.wrote)
    : isLonger && isMostlyNew(turn.programs, task.programs);
}

function isMostlyNew(all: readonly string[], known: ReadonlySet<string>): boolean {
  return all.filter((each) => !known.has(each)).length * 2 > all.length;
}

function isWork({ wrote, hasRun }: ActivityTurn): boolean {
  return wrote.length > 0 || hasRun;
}
