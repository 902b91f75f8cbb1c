import type { ActivityTurn } from '../apps/transcripts/activity.js';

/** The turns of a task so far. */
interface Task {
  /** Length of the message with which it began. */
  readonly length: number;
  readonly hasWorked: boolean;
  readonly wrote: ReadonlySet<string>;
}

/**
 * Returns for each turn whether its message began a task. The agent's work decides, not the words:
 * a new task follows a worked one, answers no question, and changes mostly other files. Until work
 * has begun, the longest message says what it is about. If in doubt, a message belongs to the task
 * before it, which is shown with it.
 */
export function tasksIn(turns: readonly ActivityTurn[]): boolean[] {
  let task: Task | undefined;
  return turns.map((turn, at) => {
    const isTask = task === undefined || beginsTask(turn, task, turns[at - 1]?.isQuestion === true);
    const { length, hasWorked, wrote } = (isTask ? undefined : task) ?? {
      length: turn.message.length,
      hasWorked: false,
      wrote: new Set<string>(),
    };
    task = {
      length,
      hasWorked: hasWorked || isWork(turn),
      wrote: new Set([...wrote, ...turn.wrote]),
    };
    return isTask;
  });
}

function beginsTask(turn: ActivityTurn, task: Task, isAnswer: boolean): boolean {
  if (turn.isPart && task.length > 0) return false;
  if (!task.hasWorked) return isWork(turn) && turn.message.length > task.length;
  const others = turn.wrote.filter((path) => !task.wrote.has(path));
  return !isAnswer && others.length * 2 > turn.wrote.length;
}

function isWork({ wrote, hasRun }: ActivityTurn): boolean {
  return wrote.length > 0 || hasRun;
}
