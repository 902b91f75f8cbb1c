import type { Modal } from 'obsidian';
import type { LongWorks } from '../long-work.js';
import { FormModal } from './forms/form-modal.js';

const opened = new Set<Modal>();

/** Opens a modal that closes with the plugin. */
export function openModal(modal: Modal): void {
  for (const other of opened) if (!other.containerEl.isConnected) opened.delete(other);
  opened.add(modal);
  modal.open();
}

/** Opens the window of the work with this title that runs, otherwise a new one. */
export function openWork(works: LongWorks, title: string, create: () => Modal): void {
  openModal(works.get().find((work) => work.title === title)?.window ?? create());
}

/** Closes all open modals, discarding input, when the plugin unloads. */
export function closeModals(): void {
  for (const modal of opened) {
    if (modal instanceof FormModal) modal.discard();
    else modal.close();
  }
  opened.clear();
}
