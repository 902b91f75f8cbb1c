import type { App, Modal } from 'obsidian';
import { act, copyText, notify } from '../../actions.js';
import type { Connections } from '../connections.js';
import { text } from '../../i18n/index.js';
import { AppPicker } from './app-picker.js';
import { CheckModal } from './check-modal.js';
import { ConnectModal } from './connect-modal.js';

type Open = (modal: Modal) => void;

/** Lets the user choose an app and connects it. */
export function connectApp(app: App, connections: Connections, open: Open): void {
  act(async () => {
    const choices = await connections.apps();
    if (choices.length === 0) notify(text.connections.none);
    else
      open(
        new AppPicker(app, choices, (choice) => open(new ConnectModal(app, connections, choice))),
      );
  });
}

export function checkConnections(app: App, connections: Connections, open: Open): void {
  open(new CheckModal(app, connections, () => connectApp(app, connections, open)));
}

export function copyConfig(connections: Connections): void {
  act(async () => {
    await copyText(await connections.configText());
    notify(text.connections.copied);
  });
}
