import type { Modal } from 'obsidian';
import { FormModal } from './forms/form-modal.js';

const opened = new Set<Modal>();

/** Opens a modal that closes with the plugin. */
export function openModal(modal: Modal): void {
  for (const other of opened) if (!other.containerEl.isConnected) opened.delete(other);
  opened.add(modal);
  modal.open();
}

/** Closes all open modals, discarding input, when the plugin unloads. */
export function closeModals(): void {
  for (const modal of opened) {
    if (modal instanceof FormModal) modal.discard();
    else modal.close();
  }
  opened.clear();
}
