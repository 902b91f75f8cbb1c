import {
  Platform,
  type Setting,
  type SettingDefinitionItem,
  type SettingDefinitionPage,
  type SettingGroupItem,
} from 'obsidian';
import {
  agentFromCommand,
  findKnownAgent,
  type AgentEntry,
  type KnownAgent,
} from '../../acp/known-agents.js';
import { act, copyText, notify } from '../actions.js';
import type { AgentService } from '../agents/agent-service.js';
import { text } from '../i18n/index.js';
import { AGENT_PROVIDER } from '../models/model-ref.js';
import type { SettingsHost } from './host.js';

/** Returns the settings page for the agents that answer in the chat. On mobile, it only says why there are none. */
export function chatAgentsPage(host: SettingsHost, update: () => void): SettingDefinitionPage {
  const { name, desc, onlyDesktop, notOpen } = text.agents.settings;
  const service = host.chat.get()?.agents;
  const why = Platform.isDesktop ? notOpen : onlyDesktop;
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
        const agents = await service.find();
        setting.setName('');
        setting.addButton((button) => button.setButtonText(again).onClick(update));
        for (const { agent, program } of agents)
          showAgent(list, { host, service, update }, agent, program);
      });
    },
  };
}

interface RowContext {
  readonly host: SettingsHost;
  readonly service: AgentService;
  readonly update: () => void;
}

function showAgent(
  list: HTMLElement,
  context: RowContext,
  agent: KnownAgent,
  program: string | undefined,
): void {
  const { add, copy, copied, missing, ready, freeCloud } = text.agents.settings;
  const row = list.createDiv({ cls: 'savepoint-agent-row' });
  const about = row.createDiv();
  about.createDiv({ text: agent.title });
  const how = agent.install ?? agent.homepage;
  const note = program === undefined ? missing(how) : ready(program);
  about.createDiv({
    cls: 'setting-item-description',
    text: agent.hasFreeCloud === true ? `${note}. ${freeCloud}` : note,
  });
  const button = row.createEl('button', { text: program === undefined ? copy : add });
  button.setAttr('aria-label', `${button.textContent}: ${agent.title}`);
  button.addEventListener('click', () =>
    act(async () => {
      if (program !== undefined) return addAgent(context, entryOf(agent), button);
      await copyText(how);
      notify(copied);
    }),
  );
}

function entryOf({ id, title, command, args }: KnownAgent): AgentEntry {
  return { id, title, command, args: [...args] };
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
            await addAgent({ host, service, update }, agent, button.buttonEl);
            if (findKnownAgent(agent.id)?.hasFreeCloud === true) notify(freeCloud);
          }),
        ),
      );
    },
  };
}

/** Adds an agent if it starts, and makes it the one that answers in new conversations. */
async function addAgent(
  { host, service, update }: RowContext,
  agent: AgentEntry,
  button: HTMLButtonElement,
): Promise<void> {
  const { add, adding, works } = text.agents.settings;
  button.setText(adding);
  button.disabled = true;
  try {
    await service.verify(agent);
  } finally {
    button.setText(add);
    button.disabled = false;
  }
  host.agents.putFirst(agent);
  await host.change({ ...host.chosen.get(), chatProvider: AGENT_PROVIDER });
  notify(works(agent.title));
  update();
}
