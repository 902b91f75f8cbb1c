import {
  Platform,
  type Setting,
  type SettingDefinitionItem,
  type SettingGroupItem,
} from 'obsidian';
import { chatAgentFromCommand, findKnownChatAgent } from '../../acp/known-chat-agents.js';
import { act, notify } from '../actions.js';
import type { ChatAgentService } from '../chat-agents/chat-agent-service.js';
import {
  addChatAgent,
  showChatAgents,
  type ChatAgentRowsHost,
} from '../chat-agents/ui/chat-agent-rows.js';
import { faultText } from '../host/logger.js';
import { text } from '../i18n/index.js';
import { CHAT_AGENT_PROVIDER } from '../models/model-ref.js';
import type { SettingsHost } from './host.js';
import type { PartsPage } from './redraw.js';
import { offer } from './rows.js';

/** The settings page for chat agents. On mobile, it only says why there are none. */
export function chatAgentsPage(host: SettingsHost): PartsPage {
  const { name, desc, onlyDesktop } = text.chatAgents.settings;
  const service = host.chat.get()?.chatAgents;
  const why = Platform.isDesktopApp ? text.commands.notOpen : onlyDesktop;
  return {
    type: 'page',
    name,
    desc,
    displayValue: () =>
      host.chatAgents.entries
        .get()
        .map(({ title }) => title)
        .join(', '),
    parts: [service],
    items: service ? chatAgentItems(host, service) : [{ name: why, searchable: false }],
  };
}

function chatAgentItems(host: SettingsHost, service: ChatAgentService): SettingDefinitionItem[] {
  const { added, addedEmpty, found } = text.chatAgents.settings;
  return [
    {
      type: 'list',
      heading: added,
      emptyState: addedEmpty,
      items: host.chatAgents.entries.get().map(({ title, command, args }) => ({
        name: title,
        desc: [command, ...args].join(' '),
        searchable: false,
      })),
      onDelete(index) {
        const agent = host.chatAgents.entries.get()[index];
        if (agent) host.chatAgents.remove(agent.id);
      },
    },
    {
      type: 'group',
      heading: found,
      items: [foundRows(host, service), customRow(host, service)],
    },
  ];
}

/** One row that becomes a list of the known agents once they have been looked for. */
function foundRows(host: SettingsHost, service: ChatAgentService): SettingGroupItem {
  const { searching, again } = text.chatAgents.settings;
  return {
    name: searching,
    searchable: false,
    render(setting) {
      const list = setting.settingEl.createDiv({ cls: 'savepoint-chat-agent-rows' });
      const find = () =>
        act(async () => {
          setting.setName(searching).clear();
          list.empty();
          const shown = showChatAgents(list, rowsHost(host, service));
          setting.setName(await shown.then(() => '', faultText));
          offer(setting, again, find);
        });
      find();
    },
  };
}

function rowsHost(
  { chatAgents, settings, change }: SettingsHost,
  service: ChatAgentService,
): ChatAgentRowsHost {
  return {
    service,
    async use(agent) {
      chatAgents.putFirst(agent);
      await change({ ...settings.get(), chatProvider: CHAT_AGENT_PROVIDER });
    },
    onAdded: () => undefined, // the list of the added agents follows
  };
}

function customRow(host: SettingsHost, service: ChatAgentService): SettingGroupItem {
  const { custom, add, freeCloud } = text.chatAgents.settings;
  return {
    name: custom.name,
    desc: custom.desc,
    searchable: false,
    render(setting: Setting) {
      let typed = '';
      setting.addText((input) => {
        input.setPlaceholder(custom.placeholder).onChange((value) => (typed = value));
        input.inputEl.setAttr('aria-label', custom.name);
      });
      setting.addButton((button) =>
        button.setButtonText(add).onClick(() =>
          act(async () => {
            const agent = chatAgentFromCommand(typed);
            if (!agent) return;
            await addChatAgent(rowsHost(host, service), agent, button.buttonEl);
            if (findKnownChatAgent(agent.id)?.hasFreeCloud === true) notify(freeCloud);
          }),
        ),
      );
    },
  };
}
