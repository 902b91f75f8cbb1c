import { isNameTaken } from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import { clip } from '../../../model/refusal.js';
import type { StateContent } from '../../../model/state.js';
import { counted } from '../../../model/text/counted.js';
import type { Trace } from '../../../model/trace.js';
import { clientOf, spanOf, type SessionRecord } from './sessions.js';

const MAX_FILES = 20;
const MAX_STEPS = 20;
const MAX_RECORDS = 20;
const MAX_FAILURES = 10;
const MAX_STATES = 10;
const MAX_LINE_LENGTH = 300;

/** Drafts a state from what a session did. The same session gives the same draft. */
export function draftState(session: SessionRecord, name: string): StateContent {
  const { calls, states } = session;
  const lastState = states.at(-1)?.item;
  const records = calls.filter(({ kind }) => kind !== undefined);
  const failures = unresolvedFailures(calls);
  const activeTask =
    lastText(calls, 'goal') ??
    lastState?.activeTask ??
    records.at(-1)?.input ??
    'Not recorded: no call of this session names its goal.';
  const resolve = failures.map(({ tool, outcome }) => `Resolve the failure of ${tool}: ${outcome}`);
  return {
    name,
    description: countsOf(session),
    conversationContext: [
      introduction(session),
      paragraph('What happened so far', lastText(calls, 'memory')),
      paragraph('Constraints', lastText(calls, 'constraints')),
      list('Recorded', records.slice(-MAX_RECORDS).map(recordLine)),
      list(
        'Failed',
        failures.map(({ tool, outcome }) => `${tool}: ${outcome}`),
      ),
      list(
        'Saved',
        states.slice(-MAX_STATES).map(({ displayName }) => displayName),
      ),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
    activeTask,
    activeFiles: filesOf(session),
    nextSteps: [...resolve.map(toLine), ...(lastState?.nextSteps ?? [])].slice(0, MAX_STEPS),
  };
}

/** Returns a name that no state of the workspace has. */
export function draftName(memory: Memory, workspaceId: string, session: SessionRecord): string {
  const name = `Session of ${toMinute(spanOf(session).first)}`;
  let unique = name;
  for (let count = 2; isNameTaken(memory, workspaceId, unique); count++)
    unique = `${name} (${count})`;
  return unique;
}

/** Returns the last failure of each tool that has not succeeded since, oldest first. */
function unresolvedFailures(calls: readonly Trace[]): Trace[] {
  const resolved = new Set<string>();
  const failures: Trace[] = [];
  for (const call of [...calls].reverse()) {
    if (call.kind !== undefined || resolved.has(call.tool)) continue;
    resolved.add(call.tool); // also if it failed, because only the latest failure of a tool matters
    if (!call.isSuccess) failures.push(call);
  }
  return failures.slice(0, MAX_FAILURES).reverse();
}

/** Returns the files that the session names, the latest first. */
function filesOf({ calls, states }: SessionRecord): string[] {
  const logged = [...calls].reverse().flatMap(({ files = [] }) => files);
  const active = [...states].reverse().flatMap(({ item }) => item.activeFiles);
  return [...new Set([...logged, ...active])].slice(0, MAX_FILES);
}

function introduction(session: SessionRecord): string {
  const { first, last } = spanOf(session);
  const client = clientOf(session) ?? 'The app';
  return `Drafted from the calls of session ${session.id}. ${client} worked from ${toMinute(first)} to ${toMinute(last)} UTC: ${countsOf(session)}.`;
}

function countsOf({ calls, states }: SessionRecord): string {
  const failed = calls.filter(({ isSuccess }) => !isSuccess).length;
  return [
    counted(calls.length, 'call'),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(states.length > 0 ? [`${counted(states.length, 'state')} saved`] : []),
  ].join(', ');
}

function recordLine({ kind, input, outcome }: Trace): string {
  return `${kind?.replaceAll('_', ' ')}: ${input}${outcome === '' ? '' : ` (${outcome})`}`;
}

function lastText(
  calls: readonly Trace[],
  key: 'goal' | 'memory' | 'constraints',
): string | undefined {
  return calls.findLast((call) => call[key])?.[key];
}

function paragraph(title: string, text: string | undefined): string {
  return text === undefined ? '' : `${title}: ${text}`;
}

function list(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return [`${title}:`, ...lines.map((line) => `- ${toLine(line)}`)].join('\n');
}

function toLine(text: string): string {
  return clip(text.replace(/\s+/gu, ' ').trim(), MAX_LINE_LENGTH);
}

function toMinute(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
