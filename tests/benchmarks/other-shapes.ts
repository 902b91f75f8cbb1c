import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { noteDocument } from '../fakes/note-document.js';
import { perForm } from './lib.js';
import type { Judged } from './meaning/judged.js';
import { dataFile, type NoteFile } from './search-data.js';
import { typedQueries } from './typed-queries/kinds.js';

/**
 * The Chinese manual pages of Debian's package manpages-zh, unpacked in SAVEPOINT_DATA with
 * `dpkg-deb -x manpages-zh_*.deb manpages-zh`.
 */
export const CHINESE_MANUAL = 'manpages-zh';
const PAGES = `${CHINESE_MANUAL}/usr/share/man/zh_CN`;
const QUERIES = perForm(500, 20);

/** Returns the pages of the manual; each is searched for by what it says about itself. */
export async function readChineseManual(): Promise<Judged> {
  const pages: NoteFile[] = [];
  const bySummary = new Map<string, Map<string, number>>();
  const names = await fs.readdir(dataFile(PAGES), { recursive: true });
  for (const name of names.filter((each) => each.endsWith('.gz')).sort()) {
    const text = plainText(gunzipSync(await fs.readFile(path.join(dataFile(PAGES), name))));
    const own = name.replace(/\.gz$/, '.md');
    pages.push({ path: own, text });
    const summary = / [-–—]+ *([^\n]*\p{Script=Han}[^\n]*)/u.exec(text)?.[1]?.trim();
    if (summary === undefined || summary.length < 4) continue;
    bySummary.set(summary, (bySummary.get(summary) ?? new Map<string, number>()).set(own, 1));
  }
  const queries = Array.from(bySummary, ([text, grades]) => ({ text, grades }));
  return { documents: documentsOf(pages), queries: queries.slice(0, QUERIES) };
}

/** Returns a page without the requests and escapes of its markup. */
function plainText(page: Buffer): string {
  return page
    .toString('utf8')
    .split('\n')
    .filter((line) => !/^['.]\\?"|^\.(?:TH|ds|de|if|ie|el|nr|tr|\.)/.test(line))
    .map((line) => line.replace(/^\.S[HS] */, '## ').replace(/^[.'][A-Za-z]{1,2} ?/, ''))
    .join('\n')
    .replace(/\\f[A-Z]|\\[&|^]|\\\(..|\\s[-+]?\d/g, '')
    .replaceAll('\\-', '-');
}

const CODE_KINDS: ReadonlySet<string> = new Set([
  'command',
  'line of code',
  'type in brackets',
  'identifier',
  'dotted name',
  'call',
  'number or version',
]);

/** Returns notes with the code and the numbers in them as queries. */
export function codeAndNumbers(notes: readonly NoteFile[]): Judged {
  const queries = typedQueries(notes, perForm(70, 3))
    .filter(({ kind }) => CODE_KINDS.has(kind))
    .map(({ text, answers }) => ({ text, grades: new Map([...answers].map((each) => [each, 1])) }));
  return { documents: documentsOf(notes), queries };
}

function documentsOf(notes: readonly NoteFile[]) {
  return notes.map((note) => noteDocument(note.path, note.text, 0));
}
