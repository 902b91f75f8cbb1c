import {
  Platform,
  type Setting,
  type SettingDefinitionItem,
  type SettingGroupItem,
} from 'obsidian';
import { agentFromCommand, findKnownAgent } from '../../acp/known-agents.js';
import { act, notify } from '../actions.js';
import type { AgentService } from '../agents/agent-service.js';
import { addAgent, showAgents, type AgentRowsHost } from '../agents/ui/agent-rows.js';
import { text } from '../i18n/index.js';
import { AGENT_PROVIDER } from '../models/model-ref.js';
import type { SettingsHost } from './host.js';
import type { PartsPage } from './redraw.js';

/** The settings page for chat agents. On mobile, it only says why there are none. */
export function chatAgentsPage(host: SettingsHost): PartsPage {
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
    parts: [service],
    items: service ? agentItems(host, service) : [{ name: why, searchable: false }],
  };
}

function agentItems(host: SettingsHost, service: AgentService): SettingDefinitionItem[] {
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
function foundRows(host: SettingsHost, service: AgentService): SettingGroupItem {
  const { searching, again } = text.agents.settings;
  return {
    name: searching,
    searchable: false,
    render(setting) {
      const list = setting.settingEl.createDiv({ cls: 'savepoint-agent-rows' });
      const find = () =>
        act(async () => {
          setting.setName(searching).clear();
          list.empty();
          await showAgents(list, rowsHost(host, service));
          setting.setName('');
          setting.addButton((button) => button.setButtonText(again).onClick(find));
        });
      find();
    },
  };
}

function rowsHost(
  { agents, settings, change }: SettingsHost,
  service: AgentService,
): AgentRowsHost {
  return {
    service,
    async use(agent) {
      agents.putFirst(agent);
      await change({ ...settings.get(), chatProvider: AGENT_PROVIDER });
    },
    onAdded: () => undefined, // the list of the added agents follows
  };
}

function customRow(host: SettingsHost, service: AgentService): SettingGroupItem {
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
            await addAgent(rowsHost(host, service), agent, button.buttonEl);
            if (findKnownAgent(agent.id)?.hasFreeCloud === true) notify(freeCloud);
          }),
        ),
      );
    },
  };
}
