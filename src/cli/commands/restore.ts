import { createConversations } from '../../chat/log-conversations.js';
import { stampTime } from '../../model/event.js';
import { allWorkspaces, stateHeads, workspaceById } from '../../model/lookup.js';
import { didYouMean, nameKey } from '../../model/names.js';
import { allRecords } from '../../model/records/lookup-record.js';
import { clip, Refusal } from '../../model/refusal.js';
import { resolveWorkspace } from '../../toolkit/context.js';
import type { ArgumentsOf } from '../command-options.js';
import { shellQuoted } from '../../node/shell-quoted.js';
import { printMessage } from '../output.js';
import type { RestoreKind } from '../options.js';
import type { ProgramHost } from '../program.js';
import { requireKnownVault } from '../vault-folder.js';
import { singleCommand, withVault, type OpenVault } from '../vault.js';
import { localDay } from '../../model/text/local-minute.js';

/** Without a name, what is archived is listed. */
type RestoreArguments = ArgumentsOf<'restore'> & { readonly name?: string };

interface Item {
  readonly id: string;
  readonly title: string;
  /** Its workspace; for a workspace, itself. */
  readonly workspace: { readonly id: string; readonly name: string };
  readonly isArchived: boolean;
  /** ISO date-time in UTC. */
  readonly createdAt: string;
}

/** Length of the start of an id by which one of several items with a title is named. */
const SHORT_ID_LENGTH = 8;

const MAX_LISTED = 200;

export async function runRestore(
  { name, kind, workspace, state, ...args }: RestoreArguments,
  program: ProgramHost,
): Promise<number> {
  const vault = args.vault ?? (await requireKnownVault(program, state));
  const options = singleCommand(program, { vault, state });
  const text = await withVault(program, options, async (open) => {
    const memory = await open.log.memory();
    const only = workspace === undefined ? undefined : resolveWorkspace(memory, workspace).item.id;
    const all = await itemsOf(kind, open);
    const items = all.filter((item) => only === undefined || item.workspace.id === only);
    if (name === undefined) return listText(kind, items);
    const item = findArchived(kind, items, name);
    const change = { t: 'set', e: item.id, d: { '/isArchived': false } };
    if (kind === 'conversation') await open.log.writeChat(change);
    else await open.log.write(() => ({ drafts: [change], answer: undefined }));
    const place = kind === 'workspace' ? '' : ` in ${item.workspace.name}`;
    return `Restored "${clip(item.title, 200)}"${place}.\n`;
  });
  printMessage(program, text);
  return 0;
}

async function itemsOf(kind: RestoreKind, { log, services }: OpenVault): Promise<Item[]> {
  const memory = await log.memory();
  if (kind === 'conversation') {
    const conversations = await createConversations(log, services.random).list();
    return conversations.map(({ workspaceId, ...conversation }) => {
      const { id, name } = workspaceById(memory, workspaceId);
      return { ...conversation, workspace: { id, name } };
    });
  }
  return allWorkspaces(memory).flatMap(({ item, displayName }): Item[] => {
    const workspace = { id: item.id, name: displayName };
    if (kind === 'workspace') return [{ ...item, title: displayName, workspace }];
    if (kind === 'record')
      return allRecords(memory, item.id).map((record) => ({ ...record, workspace }));
    return stateHeads(memory, item.id).map(({ id, displayName: title, isArchived, entity }) => {
      const createdAt = entity.created ? stampTime(entity.created) : '';
      return { id, title, isArchived, createdAt, workspace };
    });
  });
}

/** Returns the archived item with this title, or whose id starts so. Throws if there is not one. */
function findArchived(kind: RestoreKind, items: readonly Item[], name: string): Item {
  const titled = items.filter(({ title }) => nameKey(title) === nameKey(name));
  const id = name.trim().toLowerCase();
  const matches =
    titled.length > 0 || id.length < SHORT_ID_LENGTH
      ? titled
      : items.filter((item) => item.id.startsWith(id));
  const archived = matches.filter(({ isArchived }) => isArchived);
  const [first] = archived;
  if (first && archived.length === 1) return first;
  const subject = `${kind[0]?.toUpperCase() ?? ''}${kind.slice(1)} "${clip(matches[0]?.title ?? name)}"`;
  if (first) {
    const places = archived.map(
      (item) => `${item.id.slice(0, SHORT_ID_LENGTH)} in ${item.workspace.name}`,
    );
    throw new Refusal(
      `${subject} is archived more than once: ${places.join(', ')}. Pass the id: ${commandFor(kind, first.id.slice(0, SHORT_ID_LENGTH))}.`,
    );
  }
  if (matches.length > 0)
    throw new Refusal(`${subject} is not archived. There is nothing to restore.`);
  const titles = items.filter(({ isArchived }) => isArchived).map(({ title }) => title);
  throw new Refusal(
    `${subject} not found. Run "savepoint restore --kind ${kind}" to see what is archived.${didYouMean(name, titles)}`,
  );
}

function listText(kind: RestoreKind, items: readonly Item[]): string {
  const archived = items.filter(({ isArchived }) => isArchived);
  if (archived.length === 0) return `No ${kind} is archived.\n`;
  const rows = archived.slice(0, MAX_LISTED).map(({ title, workspace, createdAt }) => {
    const place = kind === 'workspace' ? '' : `  in ${workspace.name}`;
    return `  ${clip(title, 80)}${place}  ${localDay(createdAt)}\n`;
  });
  const rest = archived.length - rows.length;
  const more = rest > 0 ? `  and ${rest} more\n` : '';
  const command = commandFor(kind, archived[0]!.title);
  return `Archived:\n${rows.join('')}${more}To restore the first, run ${command}\n`;
}

function commandFor(kind: RestoreKind, name: string): string {
  return `"savepoint restore ${shellQuoted(name)} --kind ${kind}"`;
}
