import type { VaultPath } from '../../model/paths.js';
import { joinBytes } from '../../platform/bytes/bytes.js';
import { crc32, crcText } from '../../platform/crc32.js';
import { Mutex } from '../../platform/mutex.js';
import { LANES, type Cache, type CachedSegment, type LaneName } from '../../storage/index.js';
import type { NodeModules } from '../modules.js';
import { createDraftFolder, type DraftFolder } from './draft-folder.js';
import { ifNoEntry } from '../system-errors.js';

/** A lane, a number, and a random part, because two processes may choose the same number. */
const PACK_NAME = /^([a-z]+)-(\d{12})-[0-9a-f]{12}\.pack$/;

const LF = 0x0a;
/** CRC-32 of the rest of the first line in hexadecimal, and a space. */
const CRC_PREFIX_BYTES = 9;

/** The records in a pack: the path of each, and its length in bytes, or null for a tombstone. */
type PackIndex = readonly (readonly [VaultPath, number | null])[];

/** Records by path; undefined is a tombstone. Later packs replace records of earlier ones. */
type PackRecords = Map<VaultPath, Uint8Array | undefined>;

interface Pack {
  readonly name: string;
  readonly number: number;
  /** Bytes. */
  readonly size: number;
}

/**
 * The port Cache over a folder. Each save becomes one immutable pack file, and small packs are
 * merged into it (as in an LSM tree). Records lost to another process are read from the log again.
 */
export class FolderCache implements Cache {
  readonly #node: NodeModules;
  readonly #folder: string;
  readonly #drafts: DraftFolder;
  readonly #mutex = new Mutex();

  constructor(node: NodeModules, folder: string) {
    this.#node = node;
    this.#folder = folder;
    this.#drafts = createDraftFolder(node, folder);
  }

  load(lane: LaneName): Promise<CachedSegment[]> {
    return this.#mutex.run(async () => {
      const records = await this.#readAll(await this.#packsOf(lane));
      return [...records].flatMap(([path, bytes]) => (bytes ? [{ path, bytes }] : []));
    });
  }

  save(
    lane: LaneName,
    records: readonly CachedSegment[],
    deleted: readonly VaultPath[] = [],
  ): Promise<void> {
    const copies = records.map(({ path, bytes }) => ({ path, bytes: bytes.slice() }));
    return this.#mutex.run(() => this.#save(lane, copies, deleted));
  }

  clear(): Promise<void> {
    return this.#mutex.run(async () => {
      for (const lane of LANES) await this.#removeAll(await this.#packsOf(lane));
    });
  }

  async #packsOf(lane: LaneName): Promise<Pack[]> {
    const names = await this.#drafts.names();
    const found = names.filter((name) => PACK_NAME.exec(name)?.[1] === lane).sort();
    const packs = await Promise.all(
      found.map(async (name) => {
        // another process may have merged it since
        const info = await this.#node.fs.stat(this.#fileOf(name)).catch(() => undefined);
        return info ? [{ name, number: Number(PACK_NAME.exec(name)![2]), size: info.size }] : [];
      }),
    );
    return packs.flat();
  }

  async #readAll(packs: readonly Pack[]): Promise<PackRecords> {
    const records: PackRecords = new Map();
    for (const { name } of packs) {
      const bytes = await this.#node.fs.readFile(this.#fileOf(name)).catch(ifNoEntry(undefined));
      if (!bytes) continue;
      for (const [path, record] of decodePack(bytes)) records.set(path, record);
    }
    return records;
  }

  async #save(
    lane: LaneName,
    records: readonly CachedSegment[],
    deleted: readonly VaultPath[],
  ): Promise<void> {
    const packs = await this.#packsOf(lane);
    const added: PackRecords = new Map();
    for (const path of deleted) added.set(path, undefined);
    for (const { path, bytes } of records) added.set(path, bytes);
    const merged = packsToMerge(packs, byteLength(added));
    const all = new Map([...(await this.#readAll(merged)), ...added]);
    // A tombstone is only needed while an older pack may still hold the record.
    if (merged.length === packs.length)
      for (const [path, record] of all) if (!record) all.delete(path);
    if (all.size > 0) await this.#write(lane, (packs.at(-1)?.number ?? 0) + 1, all);
    await this.#removeAll(merged);
  }

  async #write(lane: LaneName, number: number, records: PackRecords): Promise<void> {
    await this.#node.fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const suffix = this.#node.crypto.randomBytes(6).toString('hex');
    const name = `${lane}-${String(number).padStart(12, '0')}-${suffix}.pack`;
    await this.#drafts.write(name, encodePack(records));
  }

  async #removeAll(packs: readonly Pack[]): Promise<void> {
    for (const { name } of packs) await this.#node.fs.rm(this.#fileOf(name), { force: true });
  }

  #fileOf(name: string): string {
    return this.#node.path.join(this.#folder, name);
  }
}

/**
 * Returns the latest packs, as far back as each is less than twice as large as everything after it
 * and `added` bytes. This keeps the number of packs logarithmic.
 */
function packsToMerge(packs: readonly Pack[], added: number): Pack[] {
  let size = added;
  let from = packs.length;
  while (from > 0 && packs[from - 1]!.size < 2 * size) {
    from--;
    size += packs[from]!.size;
  }
  return packs.slice(from);
}

function byteLength(records: PackRecords): number {
  return [...records].reduce((sum, [path, bytes]) => sum + path.length + (bytes?.length ?? 0), 0);
}

/** Encodes a pack: a line of JSON with the index, preceded by its CRC, and then all records. */
function encodePack(records: PackRecords): Uint8Array {
  const index: PackIndex = [...records].map(([path, bytes]) => [path, bytes ? bytes.length : null]);
  const header = new TextEncoder().encode(`${JSON.stringify(index)}\n`);
  const bodies = [...records.values()].flatMap((bytes) => bytes ?? []);
  return joinBytes([new TextEncoder().encode(`${crcText(crc32(header))} `), header, ...bodies]);
}

/** Returns no records if the index is damaged. Their reader checks the records themselves. */
function decodePack(bytes: Uint8Array): PackRecords {
  const end = bytes.indexOf(LF) + 1;
  const text = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
  const expected = `${crcText(crc32(bytes, CRC_PREFIX_BYTES, end))} `;
  if (end <= CRC_PREFIX_BYTES || text(0, CRC_PREFIX_BYTES) !== expected) return new Map();
  let offset = end;
  const records: PackRecords = new Map();
  for (const [path, length] of JSON.parse(text(CRC_PREFIX_BYTES, end)) as PackIndex) {
    records.set(path, length === null ? undefined : bytes.subarray(offset, offset + length));
    offset += length ?? 0;
  }
  return records;
}
