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
export class FolderChangeStore implements ChangeStore {
  readonly #node: NodeModules;
  readonly #contents: string;
  readonly #changes: string;
  #uncheckedBytes = CHECK_BYTES;

  constructor(node: NodeModules, folder: string) {
    this.#node = node;
    this.#contents = node.path.join(folder, 'contents');
    this.#changes = node.path.join(folder, 'changes');
  }

  async put(content: Uint8Array): Promise<string> {
    const { fs, path } = this.#node;
    const hash = this.#hashOf(content);
    const file = path.join(this.#contents, hash);
    const now = new Date();
    const isKept = await fs.utimes(file, now, now).then(
      () => true, // used again, so it is not among the oldest
      () => false,
    );
    if (!isKept) {
      const bytes = await throughStream(new CompressionStream('gzip'), content);
      await this.#write(this.#contents, hash, bytes);
      await this.#limit(bytes.length);
    }
    return hash;
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    const { fs, path } = this.#node;
    const bytes = await fs.readFile(path.join(this.#contents, hash)).catch(ifNoEntry(undefined));
    if (!bytes) return undefined;
    const content = await throughStream(new DecompressionStream('gzip'), bytes);
    return this.#hashOf(content) === hash ? content : undefined;
  }

  /** Removes the contents of which `isGone` returns true for the text. */
  async remove(isGone: (text: string) => boolean): Promise<void> {
    const { fs, path } = this.#node;
    for (const hash of await createDraftFolder(this.#node, this.#contents).names()) {
      const content = await this.get(hash);
      if (content && isGone(new TextDecoder().decode(toUtf8(content))))
        await fs.rm(path.join(this.#contents, hash), { force: true });
    }
  }

  async saveChanges(conversationId: string, changes: readonly ChatAgentChange[]): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify(changes));
    await this.#write(this.#changes, `${conversationId}.json`, bytes);
  }

  async loadChanges(conversationId: string): Promise<readonly ChatAgentChange[]> {
    const { fs, path } = this.#node;
    const file = path.join(this.#changes, `${conversationId}.json`);
    const text = await fs.readFile(file, 'utf8').catch(ifNoEntry(undefined));
    return text === undefined ? [] : parseChanges(text);
  }

  #hashOf(content: Uint8Array): string {
    return this.#node.crypto.createHash('sha256').update(content).digest('hex');
  }

  async #write(folder: string, name: string, bytes: Uint8Array): Promise<void> {
    await this.#node.fs.mkdir(folder, { recursive: true, mode: 0o700 });
    await createDraftFolder(this.#node, folder).write(name, bytes);
  }

  async #limit(added: number): Promise<void> {
    this.#uncheckedBytes += added;
    if (this.#uncheckedBytes < CHECK_BYTES) return;
    this.#uncheckedBytes = 0;
    const { fs, path } = this.#node;
    const names = await createDraftFolder(this.#node, this.#contents).names();
    const files = await Promise.all(
      names.map(async (name) => ({ name, info: await fs.stat(path.join(this.#contents, name)) })),
    );
    let total = files.reduce((sum, { info }) => sum + info.size, 0);
    for (const { name, info } of files.sort((a, b) => a.info.mtimeMs - b.info.mtimeMs)) {
      if (total <= MAX_BYTES) return;
      await fs.rm(path.join(this.#contents, name), { force: true });
      total -= info.size;
    }
  }
}

async function throughStream(
  stream: CompressionStream | DecompressionStream,
  data: Uint8Array,
): Promise<Uint8Array> {
  const blob = new Blob([data.slice()]);
  return new Uint8Array(await new Response(blob.stream().pipeThrough(stream)).arrayBuffer());
}

function parseChanges(text: string): ChatAgentChange[] {
  const value = parseJson(text);
  return Array.isArray(value) ? (value as unknown as ChatAgentChange[]) : [];
}
