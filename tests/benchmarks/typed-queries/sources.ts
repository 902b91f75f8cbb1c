import type { NoteFile } from '../search-data.js';

/** A text that few notes contain, with all of these. */
export interface Source {
  readonly text: string;
  readonly paths: Set<string>;
}

/** A text in more notes than this is no query, because it has no right answer. */
export const MAX_ANSWERS = 3;

export type Random = () => number;
export type Kind = (source: Source, random: Random) => string | undefined;

export function titleOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
}

export const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

export type Read = (note: NoteFile) => readonly string[];

export const linesOf = ({ text }: NoteFile, wanted: RegExp) =>
  [...text.matchAll(wanted)].map(([, line = '']) => line.trim());
export const fences = ({ text }: NoteFile) =>
  [...text.matchAll(/^```[\w-]*\r?\n([\s\S]*?)^```/gm)].flatMap(([, code = '']) =>
    code.split('\n').map((line) => line.trim()),
  );
const prose = ({ text }: NoteFile) =>
  text
    .replace(/^---[\s\S]*?^---/m, '')
    .replace(/^```[\s\S]*?^```/gm, '')
    .split(/\n\s*\n/)
    .filter((block) => /^(?:\p{Lu}\p{Ll}|\p{Script=Han})/u.test(block))
    .map((block) => block.replace(/\s+/g, ' ').trim());
export const sentences: Read = (note) =>
  prose(note).flatMap((block) =>
    block
      .split(/(?<=[.!?]) |(?<=[。！？])/)
      .filter((text) => (/\p{Script=Han}/u.test(text) ? /^.{15,120}$/ : /^.{40,200}$/).test(text)),
  );
export const tokens =
  (wanted: RegExp): Read =>
  ({ text }) =>
    text.replace(/^---[\s\S]*?^---/m, '').match(wanted) ?? [];

/** Returns the texts that are read from few notes, with these notes. */
export function sourcesOf(notes: readonly NoteFile[], read: Read): Source[] {
  const byText = new Map<string, Set<string>>();
  for (const note of notes)
    for (const text of read(note)) {
      const key = text.trim();
      if (key.length > 1) byText.set(key, (byText.get(key) ?? new Set()).add(note.path));
    }
  return [...byText].flatMap(([text, paths]) =>
    paths.size > MAX_ANSWERS ? [] : [{ text, paths }],
  );
}
