import { property } from '../../markdown/escape.js';
import {
  mayHaveComment,
  splitProperties,
  type PropertyBlock,
} from '../../markdown/property-blocks.js';
import { sha256 } from '../../platform/sha256.js';
import { stateNote, stateProperties, statePropertiesOf } from '../export-notes.js';
import { recordNote, recordProperties, recordPropertiesOf } from '../record-notes.js';
import { RECORD_FORMAT, STATE_FORMAT, type MirrorFormat } from './mirror-formats.js';
import type { MirrorSource } from './mirror-notes.js';
import { newTasksNote } from './task-note.js';

/** Tells readers what the note is, in English on every device, because devices share it. */
const NOTICE = `> [!info] Written by Savepoint
> Savepoint writes this note from its memory. Properties and tags that you add here stay. If you edit anything else, your version is kept as a copy with "(edited)" in its name, and this note is written again. To change the memory, use Savepoint.`;

/** Has the id of the item and a hash of the note without this and what the user added. */
const MARK_PROPERTY = 'savepoint';
const MARK = /^savepoint:[ \t]*["']?([\w-]{1,64}) ([0-9a-f]{32})["']?[ \t]*$/mu;
const MARK_LINE = /^savepoint:[^\n]*\n/mu;
const HASH_LENGTH = 32;
const FENCE = '---\n';
const FRONTMATTER = /^---\n([^]*?\n)---(?:\n|$)/u;

type WrittenSource = Exclude<MirrorSource, { kind: 'tasks' }>;

export interface MirrorText {
  readonly text: string;
  /** The hash in the note's mark. */
  readonly hash: string;
}

/** Properties and tags that the user added to a note. */
interface Additions {
  /** Lines of YAML as the user wrote them, with comments. */
  readonly properties: string;
  readonly tags: readonly string[];
}

const NO_ADDITIONS: Additions = { properties: '', tags: [] };

/**
 * A note with the mirror's mark, by what the user did to it:
 * - `untouched`: not at all. Line breaks and byte order marks, which git changes, do not count.
 * - `extended`: added properties or tags, or reformatted them, as Obsidian does.
 * - `edited`: anything else.
 */
export type MirrorFile = {
  /** Id of the state or record, see `markId`. */
  readonly id: string;
  readonly hash: string;
} & (
  | { readonly kind: 'untouched' | 'extended'; readonly additions: Additions }
  | { readonly kind: 'edited' }
);

export interface MarkedItem {
  readonly kind: MirrorSource['kind'];
  readonly tags: readonly string[];
}

/** Throws if the YAML is invalid. */
export type ParseYaml = (yaml: string) => unknown;

/** Returns the id of the state, record or workspace; `unnamed` if it is not valid in a mark. */
export function markId({ subject }: Pick<MirrorSource, 'subject'>): string {
  const { id } = subject.item;
  return /^[\w-]{1,64}$/.test(id) ? id : 'unnamed';
}

/** The same source and additions give the same text. */
export async function mirrorText(
  source: MirrorSource,
  { properties, tags }: Additions = NO_ADDITIONS,
): Promise<MirrorText> {
  if (source.kind === 'tasks')
    return { text: newTasksNote(markId(source), source.tasks), hash: '' };
  const plain = plainText(source);
  const hash = await noteHash(plain);
  const withTags = (own: readonly string[]) => [...new Set([...own, ...tags])];
  const [ownHead, head] = headsOf(source, withTags);
  const body = plain.slice(ownHead.length);
  const text = `${head.slice(0, -FENCE.length + 1)}${properties}---${body}`;
  return { text: withMark(text, markId(source), hash), hash };
}

function plainText(source: WrittenSource): string {
  const { workspaceName } = source;
  if (source.kind === 'state') return stateNote(source.subject, workspaceName, NOTICE);
  return recordNote(source.linked, workspaceName, NOTICE);
}

/** Returns the frontmatter of a note without and with additional tags. */
function headsOf(
  source: WrittenSource,
  withTags: (own: readonly string[]) => readonly string[],
): [own: string, extended: string] {
  if (source.kind === 'state') {
    const own = statePropertiesOf(source.subject, source.workspaceName);
    return [stateProperties(own), stateProperties({ ...own, tags: withTags(own.tags) })];
  }
  const own = recordPropertiesOf(source.subject, source.workspaceName);
  return [recordProperties(own), recordProperties({ ...own, tags: withTags(own.tags) })];
}

/** Hashes the text of a note or base without mark and additions. */
export async function noteHash(plain: string): Promise<string> {
  return (await sha256(plain)).slice(0, HASH_LENGTH);
}

function withMark(text: string, id: string, hash: string): string {
  return `${FENCE}${property(MARK_PROPERTY, `${id} ${hash}`)}\n${text.slice(FENCE.length)}`;
}

/** Reads a note of any device; undefined without a mark. `lookup` tells own tags from additions. */
export async function readMirrorFile(
  content: string,
  parseYaml: ParseYaml,
  lookup: (id: string) => MarkedItem | undefined,
): Promise<MirrorFile | undefined> {
  const text = normalizeText(content);
  const [frontmatter, yaml] = FRONTMATTER.exec(text) ?? [];
  const [, id, hash] = MARK.exec(yaml ?? '') ?? [];
  if (frontmatter === undefined || yaml === undefined || id === undefined || hash === undefined)
    return undefined;
  const plain = text.replace(MARK_LINE, '');
  if (text === withMark(plain, id, hash) && (await noteHash(plain)) === hash)
    return { id, hash, kind: 'untouched', additions: NO_ADDITIONS };
  const parts = separateAs(lookup(id) ?? { kind: 'state', tags: [] }, yaml, parseYaml);
  const written = parts && `${parts.head}\n${text.slice(frontmatter.length)}`;
  return parts && written !== undefined && (await noteHash(written)) === hash
    ? { id, hash, kind: 'extended', additions: parts.additions }
    : { id, hash, kind: 'edited' };
}

function separateAs({ kind, tags }: MarkedItem, yaml: string, parseYaml: ParseYaml) {
  if (kind === 'state') return separate(yaml, parseYaml, tags, STATE_FORMAT);
  return separate(yaml, parseYaml, tags, RECORD_FORMAT);
}

const LINK = /(!?\[\[)[^\]|\n]*|(\]\()[^)\n]*/gu;

/** Ignores marks and link targets, which the app rewrites when a note is renamed. */
export function isSameButLinks(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) =>
    normalizeText(text).replace(MARK_LINE, '').replace(LINK, '$1$2'),
  );
  return one === other;
}

/** Removes what git, sync tools and editors add: a byte order mark and Windows line breaks. */
export function normalizeText(content: string): string {
  return content.replace(/^\u{FEFF}/u, '').replaceAll('\r\n', '\n');
}

/** Turns a note into the user's own: removes the mark and the notice. */
export function releaseNote(content: string): string {
  return content.replace(MARK_LINE, '').replace(`${NOTICE}\n\n`, '');
}

/** Separates the mirror's properties from the user's; undefined if that would lose something. */
function separate<P extends { readonly tags: readonly string[] }>(
  yaml: string,
  parseYaml: ParseYaml,
  ownTags: readonly string[],
  { keys, read, write }: MirrorFormat<P>,
): { head: string; additions: Additions } | undefined {
  const blocks = splitProperties(yaml);
  const ownBlocks = blocks?.filter(({ key }) => keys.has(key));
  if (!blocks || !ownBlocks || ownBlocks.some(mayHaveComment)) return undefined;
  const own = read(parseMapping(textOfBlocks(ownBlocks), parseYaml));
  if (!own || !ownTags.every((tag) => own.tags.includes(tag))) return undefined;
  const others = blocks.filter(({ key }) => !keys.has(key) && key !== MARK_PROPERTY);
  const tags = own.tags.filter((tag) => !ownTags.includes(tag));
  return {
    head: write({ ...own, tags: ownTags }),
    additions: { properties: textOfBlocks(others), tags },
  };
}

function textOfBlocks(blocks: readonly PropertyBlock[]): string {
  return blocks.map(({ text }) => text).join('');
}

/** Returns an empty object for YAML that is invalid or not a mapping. */
function parseMapping(yaml: string, parseYaml: ParseYaml): Readonly<Record<string, unknown>> {
  try {
    const value = parseYaml(yaml);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
