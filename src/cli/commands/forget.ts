import { displayName } from '../../apps/index.js';
import { stampTime } from '../../model/event.js';
import { lookupStateEverywhere } from '../../model/lookup-everywhere.js';
import { DEFAULT_WORKSPACE, type Memory } from '../../model/memory.js';
import { clip, Refusal } from '../../model/refusal.js';
import type { Workspace } from '../../model/workspace.js';
import { counted } from '../../model/text/counted.js';
import { capturedKey, sessionsNamed } from '../../node/capture/session-files.js';
import { type CapturedSession } from '../../node/capture/captured-session.js';
import { removeDerived } from '../../node/forget-store-file.js';
import {
  memoryOf,
  planForget,
  readForgotten,
  readLogLines,
  type DecidedForget,
  type DestroyReport,
  type ForgetKind,
  type ForgetPlan,
  type LogItem,
} from '../../storage/index.js';
import { resolveWorkspace } from '../../toolkit/context.js';
import { ask, isTerminal, print, printMessage } from '../output.js';
import type { ProgramHost } from '../program.js';
import { stateFolderOf } from '../state-folder.js';
import { singleCommand, withVault, type OpenVault } from '../vault.js';

interface ForgetArguments {
  readonly name?: string | undefined;
  readonly vault: string;
  readonly state: string | undefined;
  readonly workspace: string | undefined;
  readonly kind: ForgetKind;
  /** The app of a session; undefined for any. */
  readonly client: string | undefined;
  readonly yes: boolean;
  /** True to forget what else contains the text, too. */
  readonly also: boolean;
  readonly dryRun: boolean;
  /** Id of what another device has forgotten, to remove it here, or to keep it. */
  readonly agree: string | undefined;
  readonly refuse: string | undefined;
}

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
  const { lines } = await readLogLines(files, dataFolder);
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
  const keys = ofDevice.map((session) => capturedKey(session.client, name));
  if (isDecided && keys.length > 0) await removeDerived(node, { stateFolder, deviceFolder }, keys);
  printMessage(program, isDecided ? destroyedText(report) : HIDDEN);
  return 0;
}

const HIDDEN =
  'It is hidden from now on, and will be removed for good in seven days. Run this in a terminal or with --yes to remove it at once. To keep it on this device, run "savepoint forget --refuse ID" with the id that "savepoint verify" shows; other devices hide it all the same.\n';

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
  await log.memory();
  const known = (await log.forgetting.list()).filter((each) => each.key.startsWith(key));
  const [request, ...others] = key === '' ? [] : known;
  if (request === undefined || others.length > 0)
    throw new Refusal(
      `Nothing that was forgotten has the id "${clip(key)}". Run "savepoint verify" for the ids.`,
    );
  if (request.decision?.appliedBy?.length)
    throw new Refusal('This device has already removed it, so there is nothing left to decide.');
  const vault = { files, root: dataFolder, copies };
  const found = await readForgotten(vault, new Set([request.key]));
  print(program, requestText(request, found.get(request.key) ?? []));
  if (dryRun) {
    print(program, 'Nothing was decided, because of --dry-run.\n');
    return 0;
  }
  if (agree === undefined) {
    await log.forgetting.decide(request.key, 'refused');
    const kept =
      'This device keeps it and shows it, as far as it has copies. Other devices do not.';
    print(program, `${kept}\n`);
    return 0;
  }
  if (!yes && !isTerminal(program))
    throw new Refusal(
      'Nothing was removed: run this in a terminal, or add --yes. Without it, this device removes it seven days after it has seen the request.',
    );
  if (!yes && !(await isConfirmed(program))) {
    print(program, 'Nothing was removed.\n');
    return 1;
  }
  print(program, destroyedText(await log.forgetting.decide(request.key, 'agreed')));
  return 0;
}

function requestText(
  { event, content: { device, ranges } }: DecidedForget,
  items: readonly LogItem[],
): string {
  const count = ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const rows =
    items.length > 0
      ? items.map(rowOf).join('\n')
      : '  This device does not have its text, so it cannot be shown.';
  const size = `${counted(count, 'line')} of the log`;
  return `${clip(device, 80)} forgot this on ${stampTime(event).slice(0, 10)} (${size}):\n${rows}\n`;
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
};

function destroyedText({ waiting }: DestroyReport): string {
  const rest =
    waiting.length > 0
      ? `${counted(waiting.length, 'file')} may still be written to, and still ${waiting.length === 1 ? 'has' : 'have'} the text: ${waiting.join(', ')}. The program that writes there removes it when it next reads the memory; if it has ended, Savepoint does so within two days of its last line.\n`
      : '';
  return `Forgotten. If Obsidian is used on this device, its own copies are removed at its next start.\n${rest}`;
}

async function isConfirmed(program: ProgramHost): Promise<boolean> {
  const answer = await ask(program, 'This cannot be undone. Type "forget" to go on: ');
  return answer === 'forget';
}
