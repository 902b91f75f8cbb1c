import type { Plugin } from 'obsidian';
import type { Memory } from '../../model/memory.js';
import { Refusal } from '../../model/refusal.js';
import { act, notify } from '../actions.js';
import type { ChatService } from '../chat/chat-service.js';
import type { Connections } from '../clients/connections.js';
import type { Savepoint } from '../savepoint.js';
import type { Store } from '../store.js';
import { text } from '../i18n/index.js';

export interface CommandHost {
  readonly plugin: Plugin;
  readonly savepoint: Store<Savepoint | undefined>;
  /** Undefined while no memory is open. */
  readonly chat: Store<ChatService | undefined>;
  /** Undefined until the memory is open, and on mobile, where no other app can reach the vault. */
  readonly connections: Store<Connections | undefined>;
  /** Clears the device's caches and rereads everything; returns the duration in milliseconds. */
  readonly rebuildCache: () => Promise<number>;
}

interface MemoryCommand {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  /** Returns true if the command applies. Until the memory is read, every command is available. */
  readonly applies: (memory: Memory, savepoint: Savepoint) => boolean;
  readonly run: (savepoint: Savepoint) => unknown;
}

/** Adds a command that works on the memory, and that waits until the memory has been read. */
export function addMemoryCommand(
  { plugin, savepoint }: CommandHost,
  { id, name, icon, applies, run }: MemoryCommand,
): void {
  plugin.addCommand({
    id,
    name,
    icon,
    checkCallback(isChecking) {
      const opened = savepoint.get();
      const isReady = opened?.memoryStatus.get().phase === 'ready';
      if (isReady && !applies(opened.memory.get(), opened)) return false;
      if (!isChecking) act(async () => run(await readMemory(savepoint)));
      return true;
    },
  });
}

/** Resolves once the memory has been read; retries a failed read. Throws a `Refusal` on failure. */
export async function readMemory(savepoint: Store<Savepoint | undefined>): Promise<Savepoint> {
  const opened = openedMemory(savepoint);
  if (opened.memoryStatus.get().phase === 'ready') return opened;
  const notice = notify(text.commands.waiting, 0);
  try {
    if (opened.memoryStatus.get().phase === 'failed') await opened.start();
    await opened.whenReady();
  } finally {
    notice.hide();
  }
  return opened;
}

/** Returns the open memory. Throws a `Refusal` between closing one memory and opening the next. */
export function openedMemory(savepoint: Store<Savepoint | undefined>): Savepoint {
  const opened = savepoint.get();
  if (!opened) throw new Refusal(text.commands.notOpen);
  return opened;
}
