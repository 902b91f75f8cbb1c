import { displayName } from '../../apps/index.js';
import { stampTime } from '../../model/event.js';
import { lookupStateEverywhere } from '../../model/lookup-everywhere.js';
import { DEFAULT_WORKSPACE, type Memory } from '../../model/memory.js';
import { clip, Refusal } from '../../model/refusal.js';
import type { Workspace } from '../../model/workspace.js';
import { counted } from '../../model/text/counted.js';
import { forgetSessionsNamed, sessionsNamed } from '../../node/capture/session-files.js';
import { type CapturedSession } from '../../node/capture/captured-session.js';
import { createForgetStoreFile, removeDerived } from '../../node/forget-store-file.js';
import {
  AGREEMENT_DAYS,
  entryCount,
  memoryOf,
  planForget,
  readForgotten,
  readLogLines,
  type DecidedForget,
  type DestroyReport,
  type ForgetPlan,
  type LogItem,
} from '../../storage/index.js';
import { resolveWorkspace } from '../../toolkit/context.js';
import type { ArgumentsOf } from '../command-options.js';
import { ask, isTerminal, print, printMessage } from '../output.js';
import { stateFolderOf, type ProgramHost } from '../program.js';
import { singleCommand, withVault, type OpenVault } from '../vault.js';

type ForgetArguments = ArgumentsOf<'forget'> & { readonly name?: string };

const NOT_PROMISED =
  'Savepoint cannot remove copies elsewhere: sync services keep versions, backups keep everything, and what an AI app has read it has read. Notes, and files that agents wrote into the vault, are yours: delete them in Obsidian.';

export async function runForget(args: ForgetArguments, program: ProgramHost): Promise<number> {
  const options = singleCommand(program, args);
  const { agree, refuse } = args;
  const key = agree ?? refuse;
  if ([args.name, agree, refuse].filter((each) => each !== undefined).length > 1)
    throw new Refusal('Pass NAME, --agree or --refuse, and only one of them.');
  return withVault(program, options, async (open) => {
    if (key !== undefined) return decide(open, key, args, program);
    if (args.name === undefined)
      throw new Refusal('Nothing to forget was named. Name a state, such as "Auth progress".');
    return forget(open, { ...args, name: args.name }, program);
  });
}

async function forget(
  { log, deviceFolder, services: { files, dataFolder } }: OpenVault,
  args: ForgetArguments & { readonly name: string },
  program: ProgramHost,
): Promise<number> {
  const { name, kind, workspace, client, yes, also, dryRun } = args;
  const { node } = program;
  const stateFolder = stateFolderOf(program, args.state);
  await log.memory();
  const decisions = await createForgetStoreFile(node, deviceFolder).load();
  const choiceOf = (request: string) => decisions[request]?.choice;
  const { lines } = await readLogLines(files, dataFolder, undefined, choiceOf);
  const memory = memoryOf(lines);
  const { id: workspaceId } = workspaceOf(memory, { name, kind, workspace });
  const noted = kind === 'session' ? await sessionsNamed(node, stateFolder, name) : [];
  const unwritten = noted.map((session) => session.client);
  const id = kind === 'workspace' ? workspaceId : name;
  const plan = planForget(lines, memory, { kind, name: id, workspaceId, client, unwritten });
  const ofDevice = noted.filter((session) => [session.client, undefined].includes(client));
  const chosen = plan.linesOf(new Set(also ? plan.related.map(({ id }) => id) : []));
  const forgotten = [...new Set([...plan.lines, ...chosen])];
  print(program, planText(plan, forgotten.length, also, ofDevice));
  if (dryRun) {
    print(program, 'Nothing was forgotten, because of --dry-run.\n');
    return 0;
  }
  const isAsked = isTerminal(program) && !yes;
  if (isAsked && !(await isConfirmed(program))) {
    print(program, 'Nothing was forgotten.\n');
    return 1;
  }
  const isDecided = yes || isAsked;
  if (forgotten.length === 0 && !isDecided) throw new Refusal(NOT_HIDDEN);
  const report = await log.forgetting.forget(forgotten, isDecided, plan.kept);
  if (isDecided && ofDevice.length > 0) {
    await removeDerived(node, { stateFolder, deviceFolder }, []);
    await forgetSessionsNamed(node, stateFolder, ofDevice);
  }
  printMessage(program, isDecided ? destroyedText(report) : HIDDEN);
  return 0;
}

const HIDDEN = `It is hidden from now on, and removed for good after you have been told on ${AGREEMENT_DAYS} days. Run this in a terminal or with --yes to remove it at once. To keep it on this device, run "savepoint forget --refuse ID" with the id that "savepoint verify" shows; other devices hide it all the same.\n`;

const NOT_HIDDEN =
  'Nothing was forgotten: so far, this session is only on this device, where nothing can be hidden. Run this in a terminal, or add --yes.';

/** A state is found in any workspace, anything else in Default, unless the user names one. */
function workspaceOf(
  memory: Memory,
  { name, kind, workspace }: Pick<ForgetArguments, 'kind' | 'workspace'> & { name: string },
): Workspace {
  if (kind === 'workspace') return resolveWorkspace(memory, name).item;
  if (kind === 'state' && workspace === undefined) {
    const result = lookupStateEverywhere(memory, DEFAULT_WORKSPACE, name);
    if ('found' in result) return result.found.workspace.item;
    const several = 'several' in result ? result.several : [];
    const names = new Set(several.map((each) => each.workspace.displayName));
    if (names.size > 1)
      throw new Refusal(
        `There is a state "${clip(name)}" in ${[...names].map((each) => `"${clip(each)}"`).join(' and ')}. Pass --workspace.`,
      );
    if (several[0]) return several[0].workspace.item;
  }
  return resolveWorkspace(memory, workspace ?? DEFAULT_WORKSPACE).item;
}

/** Removes at once what another device has forgotten, or keeps it, once the user has seen it. */
async function decide(
  { log, services: { files, dataFolder, copies } }: OpenVault,
  key: string,
  { agree, yes, dryRun }: ForgetArguments,
  program: ProgramHost,
): Promise<number> {
  const memory = await log.memory();
  const requests = requestsNamed(await log.forgetting.list(), key);
  const vault = { files, root: dataFolder, copies };
  const keys = requests.map((request) => request.key);
  const found = await readForgotten(vault, new Set(keys));
  for (const request of requests.slice(0, MAX_SHOWN))
    print(program, requestText(request, memory, found.get(request.key) ?? []));
  if (requests.length > MAX_SHOWN)
    print(program, `and ${counted(requests.length - MAX_SHOWN, 'other request')}\n`);
  if (dryRun) {
    print(program, 'Nothing was decided, because of --dry-run.\n');
    return 0;
  }
  if (agree === undefined) {
    await log.forgetting.decide(keys, 'refused');
    const kept =
      'This device keeps it and shows it, as far as it has copies. Other devices do not.';
    print(program, `${kept}\n`);
    return 0;
  }
  if (!yes && !isTerminal(program))
    throw new Refusal(
      'Nothing was removed: run this in a terminal, or add --yes. Without it, this device removes it after it has told you on seven days.',
    );
  if (!yes && !(await isConfirmed(program))) {
    print(program, 'Nothing was removed.\n');
    return 1;
  }
  const report = await log.forgetting.decide(keys, 'agreed');
  print(program, destroyedText(report, report.removed));
  return 0;
}

/** Requests that are shown each. */
const MAX_SHOWN = 5;
const MAX_SHOWN_ITEMS = 10;

/** Returns the request with an id, or all open ones of a device with that name. */
function requestsNamed(known: readonly DecidedForget[], name: string): readonly DecidedForget[] {
  const ofDevice = known.filter(
    (each) => each.content.device === name && !each.decision?.appliedBy?.length,
  );
  if (name !== '' && ofDevice.length > 0) return ofDevice;
  const [request, ...others] = name === '' ? [] : known.filter(({ key }) => key.startsWith(name));
  if (request === undefined || others.length > 0)
    throw new Refusal(
      `Nothing that was forgotten has the id "${clip(name)}", and no device of that name has asked for anything. Run "savepoint verify" for the ids.`,
    );
  if (request.decision?.appliedBy?.length)
    throw new Refusal('This device has already removed it, so there is nothing left to decide.');
  return [request];
}

function requestText(request: DecidedForget, memory: Memory, items: readonly LogItem[]): string {
  const { event, content } = request;
  const rows =
    items.length > 0
      ? limited(items.map(rowOf)).join('\n')
      : '  This device does not have its text, so it cannot be shown.';
  const size = `${counted(entryCount(request, memory), 'line')} of the log`;
  return `${clip(content.device, 80)} forgot this on ${stampTime(event).slice(0, 10)} (${size}):\n${rows}\n`;
}

function limited(rows: readonly string[]): readonly string[] {
  const hidden = rows.length - MAX_SHOWN_ITEMS;
  return hidden > 0 ? [...rows.slice(0, MAX_SHOWN_ITEMS), `  and ${hidden} more`] : rows;
}

function planText(
  { items, related }: ForgetPlan,
  lineCount: number,
  also: boolean,
  noted: readonly CapturedSession[],
): string {
  const rows = items.map(rowOf);
  for (const { client, changedAt } of noted) {
    const title = `what hooks of ${displayName(client)} have noted`;
    rows.push(rowOf({ type: 'session', title, at: new Date(changedAt).toISOString() }));
  }
  const others = related.map(
    (item) => `${rowOf(item)}${item.excerpt === '' ? '' : `  "${clip(item.excerpt, 80)}"`}`,
  );
  const intro = also
    ? 'These contain its text or were saved in it. They are forgotten, too, with what belongs to them:'
    : 'These contain its text or were saved in it. They stay, unless you add --also to forget all of them, too:';
  const rest = others.length > 0 ? `${intro}\n${others.join('\n')}\n` : '';
  const place =
    lineCount > 0
      ? `on every device, with its changes (${counted(lineCount, 'line')} of the log)`
      : 'on this device';
  return `This will be forgotten ${place}:\n${rows.join('\n')}\n${rest}${NOT_PROMISED}\n`;
}

function rowOf({ type, title, at }: LogItem): string {
  return `  ${KINDS[type] ?? type}  ${clip(title, 80)}  ${at.slice(0, 10)}`;
}

const KINDS: Readonly<Record<string, string>> = {
  'state.new': 'state',
  'record.new': 'record',
  'conv.new': 'conversation',
  'msg.new': 'message',
  'trace.new': 'call',
  session: 'session',
  'pin.new': 'pinned record of a call',
  'ws.new': 'earlier texts of the workspace',
  workspace: 'everything in the workspace',
};

function destroyedText({ waiting, remaining }: DestroyReport, removed?: number): string {
  const rest =
    waiting.length > 0
      ? `${counted(waiting.length, 'file')} may still be written to, and still ${waiting.length === 1 ? 'has' : 'have'} the text: ${waiting.join(', ')}. The program that writes there removes it when it next reads the memory; if it has ended, Savepoint does so within two days of its last line.\n`
      : '';
  const found =
    remaining.length > 0
      ? `${counted(remaining.length, 'other file')} in the vault still ${remaining.length === 1 ? 'has' : 'have'} the text, which Savepoint does not touch. Delete what you do not need:\n${limited(remaining.map((path) => `  ${path}`)).join('\n')}\n`
      : '';
  const isDone = waiting.length + remaining.length === 0;
  const count = removed === undefined ? '' : `: ${counted(removed, 'line')} of the log`;
  const done = removed === 0 ? 'Nothing of it was left on this device.' : `Forgotten${count}.`;
  const result = isDone ? done : 'Removed from the memory, but not from everywhere.';
  return `${result} If Obsidian is used on this device, its own copies are removed at its next start.\n${rest}${found}`;
}

async function isConfirmed(program: ProgramHost): Promise<boolean> {
  const answer = await ask(program, 'This cannot be undone. Type "forget" to go on: ');
  return answer === 'forget';
}
