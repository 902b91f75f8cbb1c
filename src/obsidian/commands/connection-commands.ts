import { copyText } from '../actions.js';
import type { Connections } from '../clients/connections.js';
import { text } from '../i18n/index.js';
import { checkConnections, connectApp } from '../clients/ui/open-connections.js';
import { addCommand, type CommandHost } from './command.js';

/** Adds the commands for apps on the same computer; hidden on mobile. */
export function addConnectionCommands({ plugin, connections }: CommandHost): void {
  const { app } = plugin;
  const { connect, check, copy } = text.connections.commands;
  const add = (
    id: string,
    name: string,
    icon: string,
    run: (connections: Connections) => unknown,
  ) =>
    addCommand(plugin, { id, name, icon }, () => {
      const opened = connections.get();
      return opened && (() => run(opened));
    });
  add('connect-ai-app', connect, 'plug', (opened) => connectApp(app, opened));
  add('check-connections', check, 'stethoscope', (opened) => checkConnections(app, opened));
  add('copy-mcp-config', copy, 'clipboard-copy', async (opened) =>
    copyText(await opened.configText(), text.connections.copied),
  );
}
