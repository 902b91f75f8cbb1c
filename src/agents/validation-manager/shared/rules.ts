import {
  allWorkspaces,
  eachState,
  lookupWorkspaceByRef,
  type Named,
} from '../../../model/lookup.js';
import type { Memory } from '../../../model/memory.js';
import { lookKey } from '../../../model/names.js';
import { isHidden, isWithin, readVaultPath, type VaultPath } from '../../../model/paths.js';
import { clip, Refusal } from '../../../model/refusal.js';
import { stateText, type State } from '../../../model/state.js';
import type { Workspace } from '../../../model/workspace.js';
import {
  createLinkTargets,
  pathKey,
  readLinks,
  type LinkTargets,
} from '../../../search/documents/note-links.js';
import { conflictOriginal } from '../../../platform/conflict-names.js';
import { findingsOf, type FindingKind } from '../../../storage/integrity/findings.js';
import { sha256 } from '../../../platform/sha256.js';
import { verify } from '../../../storage/integrity/verify.js';
import { isNote, type NoteFile } from '../../../indexing/notes/note-source.js';
import type { Services } from '../../services.js';

export const SEVERITIES = ['error', 'warning', 'info'] as const;

export type Severity = (typeof SEVERITIES)[number];

export const RULE_NAMES = [
  'stateHashes',
  'logProblems',
  'missingFiles',
  'brokenLinks',
  'lookAlikes',
] as const;

export type RuleName = (typeof RULE_NAMES)[number];

/** One thing that is not as it should be. Nothing is mended by itself. */
export interface Finding {
  readonly rule: RuleName;
  readonly severity: Severity;
  /** A path, or the name of a state, a workspace or a writer of the log. */
  readonly where: string;
  /** From 1. */
  readonly line?: number;
  readonly what: string;
  readonly mend: string;
}

/** What is looked at: a workspace, or one file of it. */
export interface Scope {
  readonly memory: Memory;
  readonly workspace: Workspace;
  readonly path: VaultPath | undefined;
  /** Whoever has asked may want no answer any more. */
  readonly signal: AbortSignal | undefined;
}

interface Rule {
  /** The gravest that it finds. */
  readonly severity: Severity;
  readonly checks: string;
  /** Whether it has anything to say of one file. */
  readonly isOfFiles: boolean;
  readonly find: (ground: Ground) => AsyncGenerator<Omit<Finding, 'rule'>>;
}

/** A scope with what the rules look at, each looked at once. */
interface Ground extends Scope {
  readonly services: Services;
  readonly rest: () => Promise<void>;
  /** The states that are not in the archive. */
  readonly states: () => Promise<readonly Named<State>[]>;
  /** Every file by its name, those of folders that must not be read among them: a link into one leads somewhere. */
  readonly files: () => Promise<readonly VaultPath[]>;
  readonly targets: () => Promise<LinkTargets>;
  /** The notes of the scope that may be read. */
  readonly notes: () => Promise<readonly NoteFile[]>;
}

const TOLD_NAMES = 3;
const AT_ONCE = 16;

export const RULES: Readonly<Record<RuleName, Rule>> = {
  stateHashes: {
    severity: 'error',
    isOfFiles: false,
    find: brokenHashes,
    checks: 'States are what was saved: their content fits their SHA-256',
  },
  logProblems: {
    severity: 'error',
    isOfFiles: false,
    find: logProblems,
    checks:
      'The data folder of the whole vault: missing events, damaged and edited lines, conflicts',
  },
  missingFiles: {
    severity: 'warning',
    isOfFiles: true,
    find: missingFiles,
    checks: 'Key files of the workspace and active files of its states are there',
  },
  brokenLinks: {
    severity: 'warning',
    isOfFiles: true,
    find: brokenLinks,
    checks:
      'Links and embeds in the notes of the root folder lead to a file; headings and blocks are not looked at',
  },
  lookAlikes: {
    severity: 'warning',
    isOfFiles: false,
    find: lookAlikes,
    checks: 'Names of states and workspaces cannot be taken for one another',
  },
};

/** Findings, the rest counted. */
export interface Validation {
  readonly findings: readonly Finding[];
  /** How many each rule has found. */
  readonly counts: ReadonlyMap<RuleName, number>;
  readonly checked: { readonly notes: number; readonly states: number };
}

/** What the rules find, the gravest first, at most `most` of each rule. */
export async function validate(
  services: Services,
  scope: Scope,
  rules: readonly RuleName[],
  most: number,
): Promise<Validation> {
  const ground = groundOf(services, scope);
  const findings: Finding[] = [];
  const counts = new Map<RuleName, number>();
  for (const rule of RULE_NAMES.filter((name) => rules.includes(name))) {
    let count = 0;
    for await (const finding of RULES[rule].find(ground))
      if (count++ < most) findings.push({ rule, ...finding });
    counts.set(rule, count);
  }
  const isAsked = (...names: readonly RuleName[]) => names.some((name) => rules.includes(name));
  return {
    findings: findings.sort(
      (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
    ),
    counts,
    checked: {
      notes: isAsked('brokenLinks') ? (await ground.notes()).length : 0,
      states: isAsked('stateHashes', 'lookAlikes', 'missingFiles')
        ? (await ground.states()).length
        : 0,
    },
  };
}

function groundOf(services: Services, scope: Scope): Ground {
  const { memory, workspace, path, signal } = scope;
  const { source, pause, skippedFolders, largestNote } = services.search.access;
  const rest = async () => {
    while (pause?.isDue()) await pause.take();
    if (signal?.aborted) throw new Refusal('The call was cancelled. Nothing was changed.');
  };
  const listing = once(() => source.list(() => false));
  return {
    ...scope,
    services,
    rest,
    states: once(async () => {
      const states: Named<State>[] = [];
      for (const shown of eachState(memory, workspace.id)) {
        if (!shown.item.isArchived) states.push(shown);
        await rest();
      }
      return states;
    }),
    files: once(async () => (await listing()).files),
    targets: once(async () => {
      const targets = createLinkTargets();
      for (const file of (await listing()).files) {
        targets.add(file);
        await rest();
      }
      return targets;
    }),
    notes: once(async () => {
      const root = readVaultPath(workspace.rootFolder);
      const skipped = await skippedFolders();
      const isOpen = (note: VaultPath) =>
        isNote(note) && !skipped.some((folder) => isWithin(note, folder));
      const isOurs = (note: VaultPath) =>
        path === undefined
          ? 'path' in root && isWithin(note, root.path)
          : pathKey(note) === pathKey(path);
      return (await listing()).notes.filter(
        (note) => isOpen(note.path) && isOurs(note.path) && note.size <= largestNote,
      );
    }),
  };
}

function once<T>(task: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= task());
}

async function* brokenHashes({ states, rest }: Ground): AsyncGenerator<Omit<Finding, 'rule'>> {
  const all = await states();
  for (let from = 0; from < all.length; from += AT_ONCE) {
    await rest();
    const some = all.slice(from, from + AT_ONCE);
    const hashes = await Promise.all(some.map(({ item }) => sha256(stateText(item))));
    for (const [at, { item, displayName }] of some.entries()) {
      if (hashes[at] === item.sha) continue;
      yield {
        severity: 'error',
        where: displayName,
        what: 'The state is not what was saved: its content does not fit its hash.',
        mend: 'Trust nothing important in it, look who can write to this vault, and save what is right under a new name.',
      };
    }
  }
}

const LOG_SEVERITIES: Readonly<Partial<Record<FindingKind, Severity>>> = {
  missing: 'error',
  content: 'error',
  seal: 'error',
  stray: 'warning',
  edited: 'warning',
  damaged: 'warning',
  waiting: 'warning',
};
/** What was done on purpose is no problem. */
const PURPOSEFUL: FindingKind = 'retired';

async function* logProblems({
  services,
  files: listFiles,
}: Ground): AsyncGenerator<Omit<Finding, 'rule'>> {
  const { files, dataFolder, search } = services;
  const report = await verify(files, dataFolder, search.access.pause);
  for (const { kind, places, means, advice } of findingsOf(report)) {
    if (kind === PURPOSEFUL) continue;
    const severity = LOG_SEVERITIES[kind] ?? 'info';
    for (const { name, count, detail } of places)
      yield {
        severity,
        where: name,
        what: `${count} ${means}${detail === '' ? '' : ` (${detail})`}.`,
        mend: advice,
      };
  }
  const own = (await listFiles()).filter((path) => isWithin(path, dataFolder));
  const names = new Set(own.map(nameOf));
  for (const path of own) {
    const original = conflictOriginal(nameOf(path), names);
    if (original === undefined) continue;
    yield {
      severity: 'info',
      where: path,
      what: `A sync service left this copy of "${original}" after a conflict.`,
      mend: path.endsWith('.jsonl')
        ? 'Leave it: its lines count like those of any other file.'
        : 'Compare the two, keep what is right in the original, and remove the copy.',
    };
  }
}

function nameOf(path: VaultPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

async function* missingFiles({
  workspace,
  path,
  states,
  targets,
  services,
  rest,
}: Ground): AsyncGenerator<Omit<Finding, 'rule'>> {
  const { hasFile } = await targets();
  const isWanted = (file: string) => path === undefined || pathKey(file) === pathKey(path);

  async function isMissing(typed: string): Promise<boolean> {
    const read = readVaultPath(typed);
    if ('problem' in read) return false; // of what is outside the vault nobody can say
    if ([read.path, `${read.path}.md`].some((path) => hasFile(path))) return false; // as in links, the ending may be left out
    return (await services.files.stat(read.path)) === undefined;
  }

  const users = new Map<string, string[]>();
  for (const { item, displayName } of await states()) {
    for (const file of item.activeFiles.filter(isWanted)) addTo(users, file, displayName);
    await rest();
  }
  for (const file of workspace.keyFiles.filter(isWanted)) {
    if (!(await isMissing(file))) continue;
    yield {
      severity: 'warning',
      where: file,
      what: `The key file of workspace "${clip(workspace.name)}" is not there.`,
      mend: 'Put it back, or give updateWorkspace the keyFiles as they are now.',
    };
  }
  for (const [file, names] of users) {
    await rest();
    if (!(await isMissing(file))) continue;
    yield {
      severity: 'info',
      where: file,
      what: `An active file of ${namesText(names, 'state')} is not there.`,
      mend: 'States never change: put the file back, or save a state with the path as it is now.',
    };
  }
}

async function* brokenLinks(ground: Ground): AsyncGenerator<Omit<Finding, 'rule'>> {
  const { source } = ground.services.search.access;
  const all = await ground.notes();
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const some = all.slice(from, from + AT_ONCE);
    const texts = await Promise.all(some.map(({ path }) => source.read(path)));
    for (const [at, { path }] of some.entries()) yield* brokenIn(path, texts[at] ?? '', ground);
  }
}

/** Each place that nothing is found at is told once. */
async function* brokenIn(
  path: VaultPath,
  text: string,
  { targets, rest }: Ground,
): AsyncGenerator<Omit<Finding, 'rule'>> {
  const { has, elsewhere } = await targets();
  const folder = path.slice(0, path.length - nameOf(path).length);
  const told = new Set<string>();
  await rest();
  for (const link of readLinks(text)) {
    if (!link) await rest();
    else if (
      !has(link.target, folder) &&
      !isHidden(link.target.replace(/(?:^|\/)\.{1,2}(?=\/)/gu, '')) &&
      !told.has(pathKey(link.target))
    ) {
      told.add(pathKey(link.target));
      yield {
        severity: 'warning',
        where: path,
        line: link.line,
        ...lostLink(link.target, elsewhere(link.target)),
      };
    }
  }
}

function lostLink(target: string, other: string | undefined): Pick<Finding, 'what' | 'mend'> {
  const what = `A link to "${clip(target)}" leads nowhere.`;
  if (other !== undefined)
    return { what, mend: `Link to "${clip(other, 200)}", if that is meant.` };
  return {
    what,
    mend: 'Write that note, or correct the link; searchDirectory finds files by name.',
  };
}

async function* lookAlikes({
  memory,
  workspace,
  states,
  rest,
}: Ground): AsyncGenerator<Omit<Finding, 'rule'>> {
  const alike = new Map<string, string[]>();
  for (const { displayName } of await states()) {
    addTo(alike, lookKey(displayName), displayName);
    await rest();
  }
  for (const [first, ...others] of alike.values()) {
    if (first === undefined || others.length === 0) continue;
    yield {
      severity: 'warning',
      where: first,
      what: `The name of the state looks like that of ${namesText(others, 'state')}.`,
      mend: 'Load both to see which is meant, and archive the one that is not needed.',
    };
  }
  const found = lookupWorkspaceByRef(memory, workspace.id);
  if (!('item' in found)) return;
  const own = found.item;
  const others = allWorkspaces(memory).filter(
    ({ item, displayName }) =>
      item.id !== own.item.id && lookKey(displayName) === lookKey(own.displayName),
  );
  if (others.length === 0) return;
  const names = others.map(({ displayName }) => displayName);
  yield {
    severity: 'warning',
    where: own.displayName,
    what: `The name of the workspace looks like that of ${namesText(names, 'workspace')}.`,
    mend: 'Give one of them another name with updateWorkspace.',
  };
}

function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** `3 states ("A", "B", "C")`. */
function namesText(names: readonly string[], noun: string): string {
  const shown = names.slice(0, TOLD_NAMES).map((name) => `"${clip(name)}"`);
  const more = names.length > shown.length ? ', …' : '';
  return `${names.length === 1 ? noun : `${names.length} ${noun}s`} ${names.length === 1 ? shown.join() : `(${shown.join(', ')}${more})`}`;
}
