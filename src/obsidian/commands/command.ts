import type { Modal, Plugin } from 'obsidian';
import type { Memory } from '../../model/memory.js';
import { Refusal } from '../../model/refusal.js';
import { act, notify } from '../actions.js';
import type { Connections } from '../clients/connections.js';
import type { Savepoint } from '../savepoint.js';
import type { Store } from '../store.js';
import { text } from '../i18n/index.js';

/** What a group of commands is made with. */
export interface CommandHost {
  readonly plugin: Plugin;
  readonly savepoint: Store<Savepoint | undefined>;
  /** Undefined where no other app can reach the vault: on a phone, or until the memory is open. */
  readonly connections: Store<Connections | undefined>;
  /** Opens a modal that is closed with the plugin at the latest. */
  readonly open: (modal: Modal) => void;
  /** Forgets what this device has kept of its readings and reads everything anew; answers how many milliseconds that took. */
  readonly rebuildCache: () => Promise<number>;
}

interface MemoryCommand {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
  /** Whether it can be done to this memory; until one has been read, every command is there. */
  readonly applies: (memory: Memory, savepoint: Savepoint) => boolean;
  readonly run: (savepoint: Savepoint) => unknown;
}

/** Adds a command that works on the memory; it waits where that is still being read. */
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
      const isRead = opened?.reading.get().phase === 'ready';
      if (isRead && !applies(opened.memory.get(), opened)) return false;
      if (!isChecking) act(async () => run(await readMemory(savepoint)));
      return true;
    },
  });
}

/** The memory once it has been read; a reading that failed is tried again. Throws a `Refusal` where it cannot be read. */
async function readMemory(savepoint: Store<Savepoint | undefined>): Promise<Savepoint> {
  const opened = openedMemory(savepoint);
  if (opened.reading.get().phase === 'ready') return opened;
  const notice = notify(text.commands.waiting, 0);
  try {
    if (opened.reading.get().phase === 'failed') await opened.start();
    await opened.whenReady();
  } finally {
    notice.hide();
  }
  return opened;
}

/** Throws a `Refusal` in the moment in which one memory has been closed and the next not yet opened. */
export function openedMemory(savepoint: Store<Savepoint | undefined>): Savepoint {
  const opened = savepoint.get();
  if (!opened) throw new Refusal(text.commands.notOpen);
  return opened;
}
