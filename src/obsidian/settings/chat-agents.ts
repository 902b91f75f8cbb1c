import {
  Platform,
  type Setting,
  type SettingDefinitionItem,
  type SettingDefinitionPage,
  type SettingGroupItem,
} from 'obsidian';
import { agentFromCommand, findKnownAgent } from '../../acp/known-agents.js';
import { act, notify } from '../actions.js';
import type { AgentService } from '../agents/agent-service.js';
import { addAgent, showAgents, type AgentRowsHost } from '../agents/ui/agent-rows.js';
import { text } from '../i18n/index.js';
import { AGENT_PROVIDER } from '../models/model-ref.js';
import type { SettingsHost } from './host.js';

/**
 * Returns the settings page for the agents that answer in the chat. On mobile, it only says why
 * there are none.
 */
export function chatAgentsPage(host: SettingsHost, update: () => void): SettingDefinitionPage {
  const { name, desc, onlyDesktop, notOpen } = text.agents.settings;
  const service = host.chat.get()?.agents;
  const why = Platform.isDesktopApp ? notOpen : onlyDesktop;
  return {
    type: 'page',
    name,
    desc,
    displayValue: () =>
      host.agents.entries
        .get()
        .map(({ title }) => title)
        .join(', '),
    items: service ? agentItems(host, service, update) : [{ name: why, searchable: false }],
  };
}

function agentItems(
  host: SettingsHost,
  service: AgentService,
  update: () => void,
): SettingDefinitionItem[] {
  const { added, addedEmpty, found } = text.agents.settings;
  return [
    {
      type: 'list',
      heading: added,
      emptyState: addedEmpty,
      items: host.agents.entries.get().map(({ title, command, args }) => ({
        name: title,
        desc: [command, ...args].join(' '),
        searchable: false,
      })),
      onDelete(index) {
        const agent = host.agents.entries.get()[index];
        if (agent) host.agents.remove(agent.id);
        update();
      },
    },
    {
      type: 'group',
      heading: found,
      items: [foundRows(host, service, update), customRow(host, service, update)],
    },
  ];
}

/** One row that becomes a list of the known agents once they have been looked for. */
function foundRows(
  host: SettingsHost,
  service: AgentService,
  update: () => void,
): SettingGroupItem {
  const { searching, again } = text.agents.settings;
  return {
    name: searching,
    searchable: false,
    render(setting) {
      const list = setting.settingEl.createDiv({ cls: 'savepoint-agent-rows' });
      act(async () => {
        await showAgents(list, rowsHost(host, service, update));
        setting.setName('');
        setting.addButton((button) => button.setButtonText(again).onClick(update));
      });
    },
  };
}

function rowsHost(
  { agents, settings, change }: SettingsHost,
  service: AgentService,
  onAdded: () => void,
): AgentRowsHost {
  return {
    service,
    async use(agent) {
      agents.putFirst(agent);
      await change({ ...settings.get(), chatProvider: AGENT_PROVIDER });
    },
    onAdded,
  };
}

function customRow(
  host: SettingsHost,
  service: AgentService,
  update: () => void,
): SettingGroupItem {
  const { custom, add, freeCloud } = text.agents.settings;
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
            const agent = agentFromCommand(typed);
            if (!agent) return;
            await addAgent(rowsHost(host, service, update), agent, button.buttonEl);
            if (findKnownAgent(agent.id)?.hasFreeCloud === true) notify(freeCloud);
          }),
        ),
      );
    },
  };
}
