import { conversationData } from '../../../src/model/conversation.js';
import { allStates } from '../../../src/model/lookup.js';
import { messageData } from '../../../src/model/message.js';
import type { Removal } from '../../../src/storage/forget/due-lines.js';
import type { LogOptions } from '../../../src/storage/log.js';
import type { Log } from '../../../src/storage/vault-log.js';
import { readLogLines } from '../../../src/storage/log-lines.js';
import { createMemoryIdentities } from '../../fakes/deterministic.js';
import { stateDraft } from '../../fakes/events.js';
import { createMemoryCopies, createVault, put, ROOT } from '../helpers.js';
import { watchedStore } from './watched-store.js';

export const conversation = (e: string) => ({
  t: 'conv.new',
  e,
  d: conversationData({ workspaceId: 'default', title: e }),
});
export const message = (e: string) => ({
  t: 'msg.new',
  e,
  d: messageData({
    conversationId: 'c1',
    parentId: undefined,
    role: 'user',
    parts: [{ type: 'text', text: `Text of ${e}` }],
  }),
});

/** A vault with devices that have state folders of their own. */
export function createDevices() {
  const vault = createVault();
  function device(name: string) {
    const copies = createMemoryCopies();
    const reads: string[] = [];
    const watchedCopies = {
      ...copies,
      read: (id: string) => (reads.push(id), copies.read(id)),
    };
    const forgetStore = watchedStore();
    const identities = createMemoryIdentities();
    const destroyed: Removal[][] = [];
    const open = (options: Partial<LogOptions> = {}) =>
      vault.open({
        copies: watchedCopies,
        forgetStore,
        identities,
        device: name,
        onDestroy: (removals) => Promise.resolve(void destroyed.push([...removals])),
        ...options,
      });
    return { forgetStore, reads, destroyed, open };
  }
  async function linesOf(...ids: string[]) {
    const { lines } = await readLogLines(vault.files, ROOT);
    return lines.filter(({ event }) => ids.includes(event.e));
  }
  return { vault, device, linesOf };
}

export async function save(log: Log, ...names: string[]): Promise<void> {
  for (const name of names) await put(log, await stateDraft(name));
}

export async function namesIn(log: Log): Promise<string[]> {
  return allStates(await log.memory(), 'default').map(({ item }) => item.name);
}

export async function keyIn(log: Log): Promise<string> {
  const [forget] = await log.forgetting.list();
  return forget!.key;
}
