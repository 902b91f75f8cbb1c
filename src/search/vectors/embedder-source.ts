import type { Blobs } from '../../platform/blobs.js';
import { hashText } from '../../platform/bytes/hash.js';
import { createEmbedder, type Embedder } from './embedder.js';
import { openEmbeddingTableSteps, type EmbeddingTable } from './embedding-table.js';
import { createSymbolReader } from './rans-decoder.js';
import { decodeTable, encodeTable } from './unpacked-table.js';

const RECORD_PREFIX = 'embedding-table-';

const HASHED_LENGTH = 4096;

export type EmbedderSource = ReturnType<typeof createEmbedderSource>;

/** Reads the built-in embedding table, the text of assets/meaning.txt, when it is first needed. */
export function createEmbedderSource(packed: string) {
  const reader = createSymbolReader(packed);
  const version = reader.word();
  const dimensions = reader.word();
  const [hash] = hashText(packed.slice(0, HASHED_LENGTH) + packed.slice(-HASHED_LENGTH));
  const id = `${version}-${dimensions}-${packed.length}-${hash.toString(16)}`;
  const recordName = RECORD_PREFIX + id;
  let opening: Generator<undefined, EmbeddingTable> | undefined;
  let opened: Embedder | undefined;
  let restoring: Promise<void> | undefined;
  let records: Blobs | undefined;

  async function load(blobs: Blobs): Promise<void> {
    const bytes = await blobs.load(recordName);
    const table = bytes && decodeTable(bytes);
    if (table?.dimensions === dimensions) opened ??= createEmbedder(table);
    else records = blobs;
  }

  async function save(blobs: Blobs, table: EmbeddingTable): Promise<void> {
    const names = await blobs.names();
    const old = names.filter((name) => name.startsWith(RECORD_PREFIX) && name !== recordName);
    await blobs.save([{ name: recordName, bytes: encodeTable(table) }], old);
  }

  const nextOf = (steps: Generator<undefined, EmbeddingTable>) => {
    try {
      return steps.next();
    } catch (error) {
      opening = undefined; // so that the next caller gets the error, too
      throw error;
    }
  };
  return {
    /** Changes with the table. */
    id,
    dimensions,
    isOpen: () => opened !== undefined,
    /** Uses the unpacked table of this device, or saves it there once unpacked. Never rejects. */
    restore: (blobs: Blobs): Promise<void> => (restoring ??= load(blobs).catch(() => undefined)),
    /** Takes a slice of work per step. The embedder is opened once for all callers. */
    *openSteps(): Generator<undefined, Embedder> {
      while (!opened) {
        opening ??= openEmbeddingTableSteps(packed);
        const step = nextOf(opening);
        if (!step.done) {
          yield;
          continue;
        }
        opened = createEmbedder(step.value);
        // the next process unpacks it again
        if (records) void save(records, step.value).catch(() => undefined);
      }
      return opened;
    },
  };
}
