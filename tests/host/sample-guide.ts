import agents from '../../docs/guide/Agents in the chat.md' with { type: 'text' };
import backup from '../../docs/guide/Back up and restore.md' with { type: 'text' };
import forget from '../../docs/guide/Remove something for good.md' with { type: 'text' };
import chat from '../../docs/guide/Chat.md' with { type: 'text' };
import connect from '../../docs/guide/Connect an AI app.md' with { type: 'text' };
import told from '../../docs/guide/What agents are told.md' with { type: 'text' };
import thread from '../../docs/guide/Never lose the thread.md' with { type: 'text' };
import sessions from '../../docs/guide/Sessions and versions.md' with { type: 'text' };
import files from '../../docs/guide/Files and timeline.md' with { type: 'text' };
import first from '../../docs/guide/First steps.md' with { type: 'text' };
import permissions from '../../docs/guide/Permissions and privacy.md' with { type: 'text' };
import search from '../../docs/guide/Search.md' with { type: 'text' };
import devices from '../../docs/guide/Several devices and versions.md' with { type: 'text' };
import states from '../../docs/guide/States.md' with { type: 'text' };
import troubleshooting from '../../docs/guide/Troubleshooting.md' with { type: 'text' };
import workspaces from '../../docs/guide/Workspaces.md' with { type: 'text' };

/** The pages of the guide, as notes of the sample vault. */
export const guide: Readonly<Record<string, string>> = {
  'Guide/Agents in the chat.md': agents,
  'Guide/First steps.md': first,
  'Guide/Workspaces.md': workspaces,
  'Guide/States.md': states,
  'Guide/Chat.md': chat,
  'Guide/Connect an AI app.md': connect,
  'Guide/Search.md': search,
  'Guide/Files and timeline.md': files,
  'Guide/Never lose the thread.md': thread,
  'Guide/What agents are told.md': told,
  'Guide/Sessions and versions.md': sessions,
  'Guide/Back up and restore.md': backup,
  'Guide/Remove something for good.md': forget,
  'Guide/Several devices and versions.md': devices,
  'Guide/Permissions and privacy.md': permissions,
  'Guide/Troubleshooting.md': troubleshooting,
};
