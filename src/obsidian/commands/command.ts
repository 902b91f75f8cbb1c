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

interface CommandTexts {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
}

/** Adds a command. `find` returns what it does now; undefined if it does not apply. */
export function addCommand(
  plugin: Plugin,
  texts: CommandTexts,
  find: () => (() => unknown) | undefined,
): void {
  plugin.addCommand({
    ...texts,
    checkCallback(isChecking) {
      const run = find();
      if (run && !isChecking) act(run);
      return run !== undefined;
    },
  });
}

/** A key of the commands' names, which is the command's id in camel case. */
type NameKey = keyof typeof text.commands.names;

export function namedCommand(key: NameKey, icon: string): CommandTexts {
  const id = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return { id, name: text.commands.names[key], icon };
}

type Run = (savepoint: Savepoint) => unknown;
type Applies = (memory: Memory, savepoint: Savepoint) => boolean;

/**
 * Adds a command that works on the memory, and that waits until the memory has been read. Until
 * then, it is available even if it does not apply.
 */
export function addMemoryCommand(
  { plugin, savepoint }: CommandHost,
  texts: CommandTexts,
  run: Run,
  applies: Applies = () => true,
): void {
  addCommand(plugin, texts, () => {
    const opened = savepoint.get();
    const isReady = opened?.memoryStatus.get().phase === 'ready';
    if (isReady && !applies(opened.memory.get(), opened)) return undefined;
    return async () => run(await readMemory(savepoint));
  });
}

/** Returns a function that adds commands of the memory by the keys of their names. */
export function memoryCommands(host: CommandHost) {
  return (key: NameKey, icon: string, run: Run, applies?: Applies) =>
    addMemoryCommand(host, namedCommand(key, icon), run, applies);
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
