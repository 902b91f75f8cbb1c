import { isJsonObject, type Json } from '../model/event.js';
import { openIndex, type Manifest, type SearchIndex } from '../search/index.js';
import {
  createVectors,
  openVectors,
  type VectorManifest,
  type Vectors,
} from '../search/vectors/vectors.js';
import { FORMAT_VERSION } from '../search/segment/segment-format.js';
import type { BlobRecord, Blobs } from '../platform/blobs.js';
import { createEntityId, type Random } from '../platform/random.js';

/** A search index that outlives the process, in the records of this device. */
export interface KeptIndex {
  readonly index: SearchIndex;
  /** What its documents mean; empty until somebody knows. */
  readonly vectors: Vectors;
  /** What was last kept beside it. */
  readonly beside: Json;
  /** Keeps what has changed since the last time; `beside` is asked for at that very moment, so that both tell the same. Does nothing where it cannot be kept: then it is made anew next time. */
  readonly keep: (beside: () => Json) => Promise<void>;
  /** The bytes that are kept of it. */
  readonly size: () => number;
  /** Drops what is kept, and answers an empty index in place of this one, which keeps nothing any more. A `Refusal` says why it cannot. */
  readonly renew: () => Promise<KeptIndex>;
}

interface KeptIndexOptions {
  /** Without them nothing is kept. */
  readonly blobs: Blobs | undefined;
  /** Tells this index from others among the records: small letters. */
  readonly name: string;
  readonly dimensions: number;
  /** Vectors of another table of meaning are dropped. */
  readonly meaningId: string;
  readonly random: Random;
  /** Told once in words when it cannot be kept. */
  readonly warn: (message: string) => void;
}

/** What is kept in the first record. Changes with everything that it names. */
interface Contents {
  readonly index: Manifest;
  readonly meaningId: string;
  readonly vectors: VectorManifest;
  readonly beside: Json;
}

/** Raised when what stands beside the segments changes in form. */
const KEPT_FORMAT = 1;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Opens the index as it was last kept; an empty one where there is none, or where any of it is missing or damaged. */
export async function openKeptIndex(options: KeptIndexOptions): Promise<KeptIndex> {
  const { blobs, name, random, warn, dimensions, meaningId } = options;
  const contentsName = `${name}-contents`;
  /** Who has kept it last: two processes may have it open, and what one keeps is not what the other knows. */
  const turnName = `${name}-turn`;
  const recordName = (own: string) => `${name}-${own}`;
  let turn = '';
  let isKeeping = blobs !== undefined;
  let unnamed: string[] = [];
  /** Of each record that is kept, by its name. */
  const sizes = new Map<string, number>();

  function giveUp(error: unknown): undefined {
    if (isKeeping)
      warn(
        `The search index is not kept, and will be made anew next time. ${error instanceof Error ? error.message : ''}`.trim(),
      );
    isKeeping = false;
    return undefined;
  }

  const readTurn = async () => decoder.decode((await blobs?.load(turnName)) ?? new Uint8Array());
  const ownNames = async (from: Blobs) =>
    (await from.names()).filter((other) => other.startsWith(`${name}-`));

  async function loadAll(names: readonly string[]): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
    const loaded = await Promise.all(
      names.map(async (own) => [own, await blobs?.load(recordName(own))] as const),
    );
    const found = new Map(loaded.flatMap(([own, bytes]) => (bytes ? [[own, bytes] as const] : [])));
    for (const [own, bytes] of found) sizes.set(recordName(own), bytes.length);
    return found;
  }

  async function load(): Promise<
    { index: SearchIndex; vectors: Vectors; beside: Json } | undefined
  > {
    if (!blobs) return undefined;
    unnamed = (await ownNames(blobs)).filter(
      (other) => other !== contentsName && other !== turnName,
    );
    turn = await readTurn();
    const found = await blobs.load(contentsName);
    const contents = readContents(found);
    if (!found || !contents) return undefined;
    sizes.set(contentsName, found.length);
    const names = contents.index.segments.map((segment) => segment.name);
    const opened = openIndex(
      { ...contents.index, next: firstNumber(random) },
      await loadAll(names),
    );
    if (!('index' in opened)) return undefined;
    const chunks =
      contents.meaningId === meaningId ? contents.vectors.chunks.map((chunk) => chunk.name) : [];
    const vectors =
      chunks.length > 0 &&
      openVectors(
        dimensions,
        { ...contents.vectors, next: firstNumber(random) },
        await loadAll(chunks),
      );
    const named = new Set([...names, ...(vectors ? chunks : [])].map(recordName));
    unnamed = unnamed.filter((other) => !named.has(other));
    return {
      index: opened.index,
      vectors: vectors || createVectors(dimensions, firstNumber(random)),
      beside: contents.beside,
    };
  }

  const loaded = await load().catch(giveUp);
  const { index, vectors, beside } = loaded ?? {
    index: emptyIndex(random),
    vectors: createVectors(dimensions, firstNumber(random)),
    beside: null,
  };

  async function keep(own: () => Json): Promise<void> {
    if (!blobs || !isKeeping) return;
    if ((await readTurn()) !== turn) {
      isKeeping = false; // another process keeps its own by now; this one's is in memory and ends with it
      return;
    }
    const words = index.flush();
    const meaning = vectors.flush();
    const contents: Contents = {
      index: words.manifest,
      meaningId,
      vectors: meaning.manifest,
      beside: own(),
    };
    const next = createEntityId(random);
    const records: BlobRecord[] = [
      ...[...words.blobs, ...meaning.blobs].map((blob) => ({
        name: recordName(blob.name),
        bytes: blob.bytes,
      })),
      {
        name: contentsName,
        bytes: encoder.encode(JSON.stringify({ format: KEPT_FORMAT, ...contents })),
      },
      { name: turnName, bytes: encoder.encode(next) },
    ];
    turn = next;
    const obsolete = [
      ...[...words.obsolete, ...meaning.obsolete].map(recordName),
      ...unnamed.splice(0),
    ];
    await blobs.save(records, obsolete);
    for (const own of obsolete) sizes.delete(own);
    for (const own of records) sizes.set(own.name, own.bytes.length);
  }

  let keeping: Promise<void> = Promise.resolve();
  return {
    index,
    vectors,
    beside,
    keep(own) {
      keeping = keeping.then(() => keep(own)).catch(giveUp);
      return keeping;
    },
    size: () => [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
    async renew() {
      const wasKeeping = isKeeping;
      isKeeping = false; // what is about to be kept would come back
      await keeping;
      try {
        if (blobs) await blobs.save([], await ownNames(blobs));
      } catch (error) {
        isKeeping = wasKeeping;
        throw error;
      }
      return openKeptIndex(options);
    },
  };
}

/** Records of two processes must not have the same name: each numbers its own from somewhere else. */
function firstNumber(random: Random): number {
  return random.bytes(6).reduce((sum, byte) => sum * 256 + byte, 0);
}

function emptyIndex(random: Random): SearchIndex {
  const opened = openIndex(
    { format: FORMAT_VERSION, next: firstNumber(random), segments: [] },
    new Map(),
  );
  if ('index' in opened) return opened.index;
  throw new Error(`An empty index ${opened.problem}`);
}

/** Undefined where the record is not one of this format. */
function readContents(bytes: Uint8Array | undefined): Contents | undefined {
  if (!bytes) return undefined;
  try {
    const value = JSON.parse(decoder.decode(bytes)) as Json;
    return isContents(value) ? (value as unknown as Contents) : undefined;
  } catch {
    return undefined; // cut off or damaged: the index is made anew
  }
}

function isContents(value: Json): boolean {
  if (
    !isJsonObject(value) ||
    value['format'] !== KEPT_FORMAT ||
    typeof value['meaningId'] !== 'string'
  )
    return false;
  const { index, vectors } = value;
  return (
    isJsonObject(index) &&
    isList(index['segments']) &&
    isJsonObject(vectors) &&
    isList(vectors['chunks'])
  );
}

function isList(value: Json | undefined): boolean {
  const isEntry = (entry: Json) =>
    isJsonObject(entry) && typeof entry['name'] === 'string' && Array.isArray(entry['gone']);
  return Array.isArray(value) && value.every(isEntry);
}
