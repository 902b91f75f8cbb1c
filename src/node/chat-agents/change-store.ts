import { parseJson } from '../../model/text/json-fields.js';
import type { ChatAgentChange, ChangeStore } from '../../acp/changes/change-tracker.js';
import { toUtf8 } from '../../storage/index.js';
import { createDraftFolder } from '../ports/draft-folder.js';
import type { NodeModules } from '../modules.js';
import { ifNoEntry } from '../system-errors.js';

/** Folder of one vault in the state folder, with what undoes the changes of agents. */
export const CHANGES_FOLDER = 'agent-changes';

/** Limit for the compressed copies of all contents. The oldest are removed first. */
export const MAX_BYTES = 200 * 1024 * 1024;
/** After this many new bytes, the size of all copies is checked again. */
const CHECK_BYTES = 10 * 1024 * 1024;

/** Keeps compressed contents, each named after its hash, and the changes of each conversation. */
export function createFolderChangeStore(node: NodeModules, folder: string) {
  const { fs, path } = node;
  const [contents, saved] = [path.join(folder, 'contents'), path.join(folder, 'changes')];
  let uncheckedBytes = CHECK_BYTES;

  const hashOf = (content: Uint8Array) =>
    node.crypto.createHash('sha256').update(content).digest('hex');
  const write = async (target: string, name: string, bytes: Uint8Array): Promise<void> => {
    await fs.mkdir(target, { recursive: true, mode: 0o700 });
    await createDraftFolder(node, target).write(name, bytes);
  };
  const limit = async (added: number): Promise<void> => {
    uncheckedBytes += added;
    if (uncheckedBytes < CHECK_BYTES) return;
    uncheckedBytes = 0;
    const names = await createDraftFolder(node, contents).names();
    const files = await Promise.all(
      names.map(async (name) => ({ name, info: await fs.stat(path.join(contents, name)) })),
    );
    let total = files.reduce((sum, { info }) => sum + info.size, 0);
    for (const { name, info } of files.sort((a, b) => a.info.mtimeMs - b.info.mtimeMs)) {
      if (total <= MAX_BYTES) return;
      await fs.rm(path.join(contents, name), { force: true });
      total -= info.size;
    }
  };
  const get = async (hash: string): Promise<Uint8Array | undefined> => {
    const bytes = await fs.readFile(path.join(contents, hash)).catch(ifNoEntry(undefined));
    if (!bytes) return undefined;
    const content = await throughStream(new DecompressionStream('gzip'), bytes);
    return hashOf(content) === hash ? content : undefined;
  };

  return {
    get,
    async put(content: Uint8Array): Promise<string> {
      const hash = hashOf(content);
      const now = new Date();
      const isKept = await fs.utimes(path.join(contents, hash), now, now).then(
        () => true, // used again, so it is not among the oldest
        () => false,
      );
      if (!isKept) {
        const bytes = await throughStream(new CompressionStream('gzip'), content);
        await write(contents, hash, bytes);
        await limit(bytes.length);
      }
      return hash;
    },
    /** Removes the contents of which `isGone` returns true for the text. */
    async remove(isGone: (text: string) => boolean): Promise<void> {
      for (const hash of await createDraftFolder(node, contents).names()) {
        const content = await get(hash);
        if (content && isGone(new TextDecoder().decode(toUtf8(content))))
          await fs.rm(path.join(contents, hash), { force: true });
      }
    },
    saveChanges: (conversationId, changes) =>
      write(saved, `${conversationId}.json`, new TextEncoder().encode(JSON.stringify(changes))),
    async loadChanges(conversationId) {
      const file = path.join(saved, `${conversationId}.json`);
      const value = parseJson(await fs.readFile(file, 'utf8').catch(ifNoEntry('')));
      return Array.isArray(value) ? (value as unknown as ChatAgentChange[]) : [];
    },
  } satisfies ChangeStore & { remove: unknown };
}

async function throughStream(
  stream: CompressionStream | DecompressionStream,
  data: Uint8Array,
): Promise<Uint8Array> {
  const blob = new Blob([data.slice()]);
  return new Uint8Array(await new Response(blob.stream().pipeThrough(stream)).arrayBuffer());
}
