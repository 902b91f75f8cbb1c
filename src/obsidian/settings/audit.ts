import { allWorkspaces } from '../../model/lookup.js';
import type { Trace } from '../../model/trace.js';
import { plainLine } from '../../transfer/markdown.js';
import type { Log } from '../../storage/log.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { text } from '../i18n/index.js';
import { allTraceEntries } from '../memory/note-pane/calls-of-note.js';

/** So many calls are read at a time. */
const BATCH = 250;

/** How far back is looked, in calls of whomever, and how many are wanted. */
interface Reach {
  readonly lookBack: number;
  readonly most: number;
}

/** The last calls of programs outside of the app, newest first. */
export async function readClientCalls(
  log: Pick<Log, 'memory' | 'traceEntries' | 'readTraces'>,
  { lookBack, most }: Reach,
  scheduler: Scheduler,
): Promise<Trace[]> {
  const workspaces = allWorkspaces(await log.memory()).map(({ item }) => item.id);
  const entries = (await allTraceEntries(log, workspaces)).slice(0, lookBack);
  const calls: Trace[] = [];
  for (let from = 0; from < entries.length && calls.length < most; from += BATCH) {
    await scheduler.yieldIfDue();
    const read = await log.readTraces(entries.slice(from, from + BATCH));
    calls.push(...read.filter(({ client }) => client !== undefined));
  }
  return calls.slice(0, most);
}

type NameOf = (workspaceId: string) => string;

function cellsOf(
  { createdAt, client = '', workspaceId, sessionId, tool, outcome, input }: Trace,
  nameOf: NameOf,
): string[] {
  return [createdAt, client, nameOf(workspaceId), sessionId, tool, outcome, input];
}

/** Calls as CSV (RFC 4180). What a spreadsheet would take for a formula is a text there. */
export function callsToCsv(calls: readonly Trace[], nameOf: NameOf): string {
  const cell = (value: string) =>
    `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
  const rows = [
    text.connections.settings.audit.exported,
    ...calls.map((call) => cellsOf(call, nameOf)),
  ];
  return rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

/** Calls as a table for a note, in which nothing that they say is more than text. */
export function callsToNote(calls: readonly Trace[], nameOf: NameOf): string {
  const { exported, noteTitle } = text.connections.settings.audit;
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const shown = calls.map((call) => row(cellsOf(call, nameOf).map(plainLine)));
  return [`# ${noteTitle}`, '', row(exported), row(exported.map(() => '---')), ...shown, ''].join(
    '\n',
  );
}
