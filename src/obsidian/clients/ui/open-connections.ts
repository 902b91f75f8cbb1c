import type { App } from 'obsidian';
import { act, notify } from '../../actions.js';
import type { AppChoice, Connections } from '../connections.js';
import { text } from '../../i18n/index.js';
import { openModal } from '../../ui/modals.js';
import { AppPicker } from './app-picker.js';
import { openCheck } from './check-modal.js';
import { ConnectModal } from './connect-modal.js';

/** Lets the user choose an app and connects it. */
export function connectApp(app: App, connections: Connections): void {
  const connect = (choice: AppChoice) => openModal(new ConnectModal(app, connections, choice));
  act(async () => {
    const choices = await connections.apps();
    if (choices.length === 0) notify(text.connections.none);
    else openModal(new AppPicker(app, choices, connect));
  });
}

export function checkConnections(app: App, connections: Connections): void {
  openCheck(app, connections, () => connectApp(app, connections));
}
