import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { isHidden } from '../../../src/model/paths.js';
import { isShort } from '../lib.js';
import { dataFile, type NoteFile } from '../search-data.js';
import type { GroundLanguage } from './languages.js';

/** A public vault, cloned into a folder of its name. */
export interface Vault {
  readonly name: string;
  readonly language: GroundLanguage;
  /** Decisions are made by these; the others confirm them. */
  readonly isDeciding: boolean;
  readonly repository: string;
  readonly commit: string;
}

const FOLDER = path.resolve(process.env['SAVEPOINT_GROUND'] ?? dataFile('ground'));

export const VAULTS: readonly Vault[] = [
  {
    name: 'til-en',
    language: 'en',
    isDeciding: true,
    repository: 'https://github.com/jbranchaud/til',
    commit: '453e9edbdf2be4165b65cbcce7342ac7bb9c4859',
  },
  {
    name: 'tidb-zh',
    language: 'zh',
    isDeciding: true,
    repository: 'https://github.com/pingcap/docs-cn',
    commit: 'ae9ab0fd89873986fabc4c8873d77d46ba76f066',
  },
  {
    name: 'doka-ru',
    language: 'ru',
    isDeciding: false,
    repository: 'https://github.com/doka-guide/content',
    commit: '4346a0274c74bd54d1dccbd998e4b07c8cef257b',
  },
  {
    name: 'business-de',
    language: 'de',
    isDeciding: false,
    repository: 'https://github.com/MicrosoftDocs/dynamics365smb-docs-pr.de-de',
    commit: '71ace04f9556362a3dc413b3b6fa1696bd66b60e',
  },
];

export function hasVault({ name }: Vault): boolean {
  return existsSync(path.join(FOLDER, name));
}

const SHORT_NOTES = 200;

/** Returns the Markdown notes, in the short form some of them. */
export async function readNotes({ name }: Vault): Promise<NoteFile[]> {
  const root = path.join(FOLDER, name);
  const entries = await fs.readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .map((own) => own.split(path.sep).join('/'))
    .filter((own) => !isHidden(own))
    .sort();
  const some = isShort ? paths.slice(0, SHORT_NOTES) : paths;
  return Promise.all(
    some.map(async (own) => ({ path: own, text: await fs.readFile(path.join(root, own), 'utf8') })),
  );
}
