import type { CapturedClient } from '../../../capture/transcript.js';
import { CAPTURED_CLIENTS } from '../../../capture/transcript.js';
import { clip, Refusal } from '../../../model/refusal.js';
import type { NodeModules } from '../../modules.js';
import { CLIENT_FACTS, type ClientId } from '../client-facts.js';
import type { ClientConfig } from '../clients.js';
import { readConfigData, type Fields } from '../config-text.js';
import { programOfHooks, removeHooks, setHooks, type Format } from './hook-config.js';
import { hookSettings } from './hook-settings.js';
import { isSameText, readBackups, readConfigText, type FilePlan } from '../plan.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'crypto'>;

/** A planned change to the hooks of a client. */
export interface HookPlan extends FilePlan {
  readonly client: CapturedClient;
}

/**
 * Returns the client as one whose sessions can be captured; undefined if it has no hooks for that.
 */
function capturedClient(client: ClientId): CapturedClient | undefined {
  return CAPTURED_CLIENTS.find((known) => known === client);
}

/**
 * Plans the hooks of a client. `command` is Node with the program that it runs. Writes nothing.
 * Throws a `Refusal` if the client has no hooks, if the file cannot be read or edited safely, or if
 * the client would expand a part of the command as a variable.
 */
export async function planHooks(
  modules: Modules,
  config: ClientConfig,
  command: readonly string[],
  platform: NodeJS.Platform,
): Promise<HookPlan> {
  const { title, variable } = CLIENT_FACTS[config.client];
  const client = capturedClient(config.client);
  if (!client)
    throw new Refusal(
      `${title} has no hooks that Savepoint can use. --hooks is for ${CAPTURED_CLIENTS.join(', ')}. Nothing was done.`,
    );
  const expandable = command.find((part) => variable?.test(part));
  if (expandable !== undefined)
    throw new Refusal(
      `${title} would expand a part of "${clip(expandable, 200)}" as a variable. Rename that folder, then try again. Nothing was done.`,
    );
  const { file, before, data } = await readHookFile(modules, config, client);
  const settings = hookSettings(client, shellCommand(client, command, platform));
  const after = setHooks(before ?? '', FORMAT[client], settings);
  const changeKind = programOfHooks(data) === undefined ? 'add' : 'update';
  return { client, file, change: after === before ? 'none' : changeKind, before, after };
}

/**
 * Plans to remove the hooks of a client; undefined if it has none of this program. If the file is
 * exactly a backup plus the hooks, the plan restores that backup byte for byte; if the file
 * contains nothing else, the plan deletes it. Throws the same errors as `planHooks`.
 */
export async function planHookRemoval(
  modules: Modules,
  config: ClientConfig,
): Promise<HookPlan | undefined> {
  const client = capturedClient(config.client);
  if (!client) return undefined;
  const { file, before, data } = await readHookFile(modules, config, client);
  const program = programOfHooks(data);
  if (before === undefined || program === undefined) return undefined;
  const format = FORMAT[client];
  const plan = { client, file, change: 'remove', before } as const;
  const settings = hookSettings(client, program);
  for (const text of [...(await readBackups(modules, file)), undefined])
    if (!hasHooks(text, format) && isSameText(() => setHooks(text ?? '', format, settings), before))
      return { ...plan, after: text };
  return { ...plan, after: removeHooks(before, format) };
}

function hasHooks(text: string | undefined, format: Format): boolean {
  const read = readConfigData(text ?? '', format);
  return 'data' in read && programOfHooks(read.data) !== undefined;
}

const FORMAT: Readonly<Record<CapturedClient, Format>> = {
  'claude-code': 'json',
  codex: 'json',
  gemini: 'jsonc',
};

async function readHookFile(
  modules: Modules,
  config: ClientConfig,
  client: CapturedClient,
): Promise<{ file: string; before: string | undefined; data: Fields }> {
  const { title } = CLIENT_FACTS[config.client];
  const named = hookFile(modules, config, client);
  const { file, before } = await readConfigText(modules, title, named);
  const read = readConfigData(before ?? '', FORMAT[client]);
  if ('data' in read) return { file, before, data: read.data };
  throw new Refusal(
    `${title} cannot read its own file ${named} (${read.problem}). Fix the file, then try again. Nothing was done.`,
  );
}

/** Returns the file in which the client looks for the user's hooks. */
function hookFile(
  { path }: Pick<Modules, 'path'>,
  { file, markers }: ClientConfig,
  client: CapturedClient,
): string {
  switch (client) {
    case 'claude-code':
      return path.join(markers.at(-1) ?? path.dirname(file), 'settings.json');
    case 'codex':
      return path.join(path.dirname(file), 'hooks.json');
    case 'gemini':
      return file;
  }
}

/** Returns a command for the shell in which the client runs hooks. */
function shellCommand(
  client: CapturedClient,
  command: readonly string[],
  platform: NodeJS.Platform,
): string {
  if (platform !== 'win32') return command.map(posixQuoted).join(' ');
  const quoted = command.map((part) => `"${part.replaceAll('\\', '/')}"`).join(' ');
  return client === 'gemini' ? `& ${quoted}` : quoted; // Gemini uses PowerShell there
}

function posixQuoted(part: string): string {
  return /^[\w/.:@%+,-]+$/.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`;
}
