import type { Connections } from '../clients/connections.js';
import { text } from '../i18n/index.js';
import { checkConnections, connectApp, copyConfig } from '../clients/ui/open-connections.js';
import type { CommandHost } from './command.js';

/** Adds the commands for apps on the same computer; hidden on mobile. */
export function addConnectionCommands({ plugin, connections }: CommandHost): void {
  const { app } = plugin;
  const { connect, check, copy } = text.connections.commands;
  const add = (id: string, name: string, icon: string, run: (connections: Connections) => void) =>
    plugin.addCommand({
      id,
      name,
      icon,
      checkCallback(isChecking) {
        const opened = connections.get();
        if (opened && !isChecking) run(opened);
        return opened !== undefined;
      },
    });
  add('connect-ai-app', connect, 'plug', (opened) => connectApp(app, opened));
  add('check-connections', check, 'stethoscope', (opened) => checkConnections(app, opened));
  add('copy-mcp-config', copy, 'clipboard-copy', copyConfig);
}
