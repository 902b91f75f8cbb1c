import type { VaultPath } from '../../model/paths.js';
import { joinBytes } from '../../platform/bytes.js';
import type { Cache, CacheRecord } from '../../storage/read/cache.js';
import { crc32, crcText } from '../../platform/crc32.js';
import type { Lane } from '../../storage/format/lanes.js';
import { errorCode, type NodeModules } from '../modules.js';

/** What is being written has this ending until it is whole. */
const UNFINISHED = '.part';
/** What was left unfinished so many milliseconds ago, nobody will finish. */
const LEFT_BEHIND = 3_600_000;

/** Lane, number, and a part of its own: two processes may come to the same number. */
const PACK = /^(core|chat|trace)-(\d{12})-[0-9a-f]{12}\.pack$/;

const LF = 0x0a;
/** `CRC-32 of the rest of the first line`, blank. */
const CRC_BYTES = 9;

/** Each record of a pack by its path: its length in bytes, or null where it only says that there is none any more. */
type Contents = readonly (readonly [VaultPath, number | null])[];

/** Records by path, undefined for what is gone; those of later packs count. */
type Held = Map<VaultPath, Uint8Array | undefined>;

interface Pack {
  readonly name: string;
  readonly number: number;
  /** Bytes. */
  readonly size: number;
}

/**
 * The port Cache over a folder: what is saved in one go is a file, put in its place by renaming it, and is never changed. Small ones
 * are saved again as one with what comes next. Several processes may do all this at once: what gets lost between them is read anew.
 */
export function createFolderCache(
  { fs, path, crypto }: Pick<NodeModules, 'fs' | 'path' | 'crypto'>,
  folder: string,
): Cache {
  let last: Promise<unknown> = Promise.resolve();

  async function packsOf(lane: Lane): Promise<Pack[]> {
    const names = await fs.readdir(folder).catch((error: unknown): string[] => {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    });
    await Promise.all(names.filter((name) => name.endsWith(UNFINISHED)).map(removeOld));
    const found = names.filter((name) => PACK.exec(name)?.[1] === lane).sort();
    const packs = await Promise.all(
      found.map(async (name) => {
        const info = await fs.stat(path.join(folder, name)).catch(() => undefined); // another process has put it into a later one
        return info ? [{ name, number: Number(PACK.exec(name)![2]), size: info.size }] : [];
      }),
    );
    return packs.flat();
  }

  async function removeOld(name: string): Promise<void> {
    const file = path.join(folder, name);
    const info = await fs.stat(file).catch(() => undefined);
    if (info && Date.now() - info.mtimeMs > LEFT_BEHIND) await fs.rm(file, { force: true });
  }

  async function readAll(packs: readonly Pack[]): Promise<Held> {
    const held: Held = new Map();
    for (const { name } of packs) {
      const bytes = await fs.readFile(path.join(folder, name)).catch((error: unknown) => {
        if (errorCode(error) === 'ENOENT') return new Uint8Array();
        throw error;
      });
      for (const [at, record] of recordsIn(bytes)) held.set(at, record);
    }
    return held;
  }

  async function write(lane: Lane, number: number, held: Held): Promise<void> {
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${lane}-${String(number).padStart(12, '0')}-${crypto.randomBytes(6).toString('hex')}.pack`;
    const draft = path.join(folder, `${name}${UNFINISHED}`);
    try {
      await fs.writeFile(draft, packOf(held), { mode: 0o600 });
      await fs.rename(draft, path.join(folder, name));
    } catch (error) {
      await fs.rm(draft, { force: true }).catch(() => undefined); // the first trouble is the one to tell
      throw error;
    }
  }

  async function save(
    lane: Lane,
    records: readonly CacheRecord[],
    gone: readonly VaultPath[],
  ): Promise<void> {
    const packs = await packsOf(lane);
    const fresh: Held = new Map([
      ...gone.map((at) => [at, undefined] as const),
      ...records.map(({ path: at, bytes }) => [at, bytes] as const),
    ]);
    const merged = smallOnes(packs, sizeOf(fresh));
    const held = new Map([...(await readAll(merged)), ...fresh]);
    // What is gone need not be said where nothing is left that says otherwise.
    if (merged.length === packs.length)
      for (const [at, record] of held) if (!record) held.delete(at);
    if (held.size > 0) await write(lane, (packs.at(-1)?.number ?? 0) + 1, held);
    await removeAll(merged.map(({ name }) => name));
  }

  async function removeAll(names: readonly string[]): Promise<void> {
    for (const name of names) await fs.rm(path.join(folder, name), { force: true });
  }

  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = last.then(task, task);
    last = run.catch(() => undefined); // whoever asked for it hears of it
    return run;
  }

  return {
    load: (lane) =>
      inTurn(async () => {
        const held = await readAll(await packsOf(lane));
        return [...held].flatMap(([at, bytes]) => (bytes ? [{ path: at, bytes }] : []));
      }),
    save(lane, records, gone = []) {
      const own = records.map(({ path: at, bytes }) => ({ path: at, bytes: bytes.slice() }));
      return inTurn(() => save(lane, own, gone));
    },
    clear: () =>
      inTurn(async () => {
        for (const lane of ['core', 'chat', 'trace'] as const)
          await removeAll((await packsOf(lane)).map(({ name }) => name));
      }),
  };
}

/** The latest packs, as far back as each is less than twice as large as all that comes after it: so there are never many. */
function smallOnes(packs: readonly Pack[], fresh: number): Pack[] {
  let size = fresh;
  let from = packs.length;
  for (; from > 0 && packs[from - 1]!.size < 2 * size; from--) size += packs[from - 1]!.size;
  return packs.slice(from);
}

function sizeOf(held: Held): number {
  return [...held].reduce((sum, [at, bytes]) => sum + at.length + (bytes?.length ?? 0), 0);
}

/** A line of JSON that tells the contents, with its CRC before it, and then all records. */
function packOf(held: Held): Uint8Array {
  const contents: Contents = [...held].map(([at, bytes]) => [at, bytes ? bytes.length : null]);
  const told = new TextEncoder().encode(`${JSON.stringify(contents)}\n`);
  const records = [...held.values()].flatMap((bytes) => bytes ?? []);
  return joinBytes([new TextEncoder().encode(`${crcText(crc32(told))} `), told, ...records]);
}

/** None where the pack is not whole; whether a record is, it tells for itself. */
function recordsIn(bytes: Uint8Array): Held {
  const end = bytes.indexOf(LF) + 1;
  const text = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
  if (end <= CRC_BYTES || text(0, CRC_BYTES) !== `${crcText(crc32(bytes, CRC_BYTES, end))} `)
    return new Map();
  let at = end;
  return new Map(
    (JSON.parse(text(CRC_BYTES, end)) as Contents).map(([path, length]) => {
      if (length === null) return [path, undefined];
      at += length;
      return [path, bytes.subarray(at - length, at)];
    }),
  );
}
