import { allWorkspaces } from '../../model/lookup.js';
import type { Trace } from '../../model/trace.js';
import { visibleText } from '../../model/text/visible-text.js';
import { plainLine } from '../../markdown/escape.js';
import type { Log } from '../../storage/index.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { text } from '../i18n/index.js';
import { allTraceEntries } from '../memory/note-pane/calls-of-note.js';

const READ_BATCH_SIZE = 250;

interface Reach {
  /** Maximum number of calls to scan. */
  readonly lookBack: number;
  /** Maximum number of calls to return. */
  readonly most: number;
}

/** Returns the last calls by clients, newest first. */
export async function readClientCalls(
  log: Pick<Log, 'memory' | 'traceEntries' | 'readTraces'>,
  { lookBack, most }: Reach,
  scheduler: Scheduler,
): Promise<Trace[]> {
  const workspaces = allWorkspaces(await log.memory()).map(({ item }) => item.id);
  const entries = (await allTraceEntries(log, workspaces)).slice(0, lookBack);
  const calls: Trace[] = [];
  for (let from = 0; from < entries.length && calls.length < most; from += READ_BATCH_SIZE) {
    await scheduler.yieldIfDue();
    const read = await log.readTraces(entries.slice(from, from + READ_BATCH_SIZE));
    calls.push(...read.filter(({ client }) => client !== undefined));
  }
  return calls.slice(0, most);
}

type NameOf = (workspaceId: string) => string;

function columns(): string[] {
  const { when, app, session, tool, outcome, input } = text.memoryView.callFields;
  return [when, app, text.commands.form.workspace, session, tool, outcome, input];
}

function cellsOf(
  { createdAt, client = '', workspaceId, sessionId, tool, outcome, input }: Trace,
  nameOf: NameOf,
): string[] {
  return [createdAt, client, nameOf(workspaceId), sessionId, tool, outcome, input].map(visibleText);
}

/** Formats calls as CSV (RFC 4180). Text that a spreadsheet would treat as a formula is escaped. */
export function callsToCsv(calls: readonly Trace[], nameOf: NameOf): string {
  const cell = (value: string) =>
    `"${(/^[=+\-@\t\r]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
  const rows = [columns(), ...calls.map((call) => cellsOf(call, nameOf))];
  return rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

/** Formats calls as a Markdown table in which all content is plain text. */
export function callsToNote(calls: readonly Trace[], nameOf: NameOf): string {
  const { noteTitle } = text.connections.settings.audit;
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const shown = calls.map((call) => row(cellsOf(call, nameOf).map(plainLine)));
  return [`# ${noteTitle}`, '', row(columns()), row(columns().map(() => '---')), ...shown, ''].join(
    '\n',
  );
}
