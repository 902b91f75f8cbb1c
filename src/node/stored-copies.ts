import { isJsonObject } from '../model/event.js';
import { isText, isTextList, parseJson } from '../model/text/json-fields.js';
import type { Copies, CopyHead, VaultRecord } from '../storage/index.js';
import type { NodeModules } from './modules.js';

type Origin = Parameters<Copies['add']>[2];

/** Heads of the copies in the first `sizes` bytes of both files, so that only the rest is read. */
export interface StoredHeads {
  readonly sizes: Readonly<Record<Origin, number>>;
  readonly heads: Readonly<Record<string, CopyHead>>;
}

/** The stored record, with the former path of the vault and the identity of its folder. */
export interface StoredRecord extends VaultRecord {
  readonly path: string;
  readonly identity?: string | undefined;
}

/** Returns undefined if there is no such file, or if it is damaged: the next save replaces it. */
export async function readJson(fs: NodeModules['fs'], file: string): Promise<unknown> {
  return parseJson(await fs.readFile(file, 'utf8').catch(() => ''));
}

export function isStoredHeads(value: unknown): value is StoredHeads {
  if (!isJsonObject(value) || !isJsonObject(value['sizes']) || !isJsonObject(value['heads']))
    return false;
  const { own, other } = value['sizes'];
  return (
    [own, other].every((size) => Number.isSafeInteger(size) && Number(size) >= 0) &&
    Object.values(value['heads']).every(
      (head) =>
        isJsonObject(head) && Number.isSafeInteger(head['n']) && typeof head['c'] === 'string',
    )
  );
}

export function isStoredRecord(value: unknown): value is StoredRecord {
  return isJsonObject(value) && isText(value['path']) && isTextList(value['ids']);
}
