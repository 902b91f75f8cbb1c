import type { CliData, CliFlags, Plugin } from 'obsidian';
import { act } from '../actions.js';
import { faultText, report } from '../host/logger.js';
import { text } from '../i18n/index.js';
import { openBrief } from './brief-modal.js';
import { followLink, type LinkHost } from './follow-link.js';
import { LINK_ACTIONS, type LinkAction } from './read-link.js';

/** First part of the links, and of the commands in the app's command line. */
const PREFIX = 'savepoint';

/**
 * Registers `obsidian://savepoint/resume`, `/save` and `/brief`, and the same as `?action=…`.
 * Obsidian names the link's own action like a parameter `action`, so the latter may not arrive.
 */
export function addLinks(plugin: Plugin, host: LinkHost): void {
  const follow = (action: string, params: CliData) =>
    act(async () => {
      const said = await followLink(host, action, params);
      if (action === 'brief') openBrief(plugin.app, said);
    });
  for (const action of LINK_ACTIONS)
    plugin.registerObsidianProtocolHandler(`${PREFIX}/${action}`, (params) =>
      follow(action, params),
    );
  plugin.registerObsidianProtocolHandler(PREFIX, ({ action, ...params }) =>
    follow(action === PREFIX ? '' : action, params),
  );
  for (const action of LINK_ACTIONS) addCliCommand(plugin, host, action);
}

/** Adds a command-line command. Another plugin may have its name, which must not stop loading. */
function addCliCommand(plugin: Plugin, host: LinkHost, action: LinkAction): void {
  const { cli } = text.capture;
  const handler = (params: CliData) => followLink(host, action, params).catch(faultText);
  try {
    plugin.registerCliHandler(`${PREFIX}:${action}`, cli[action], flagsOf(action), handler);
  } catch (error) {
    report(error);
  }
}

function flagsOf(action: LinkAction): CliFlags {
  const { flags } = text.capture;
  const workspace = { value: '<name>', description: flags.workspace };
  if (action === 'brief') return { workspace };
  if (action === 'resume')
    return { workspace, state: { value: '<name>', description: flags.state } };
  return {
    workspace,
    name: { value: '<name>', description: flags.name },
    task: { value: '<text>', description: flags.task },
    context: { value: '<text>', description: flags.context },
    next: { value: '<lines>', description: flags.next },
    files: { value: '<lines>', description: flags.files },
    tags: { value: '<tags>', description: flags.tags },
    description: { value: '<text>', description: flags.description },
  };
}
