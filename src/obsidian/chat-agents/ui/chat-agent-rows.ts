import type { ChatAgent, KnownChatAgent } from '../../../acp/known-chat-agents.js';
import { act, copyText, notify } from '../../actions.js';
import { text } from '../../i18n/index.js';
import type { ChatAgentService } from '../chat-agent-service.js';

export interface ChatAgentRowsHost {
  readonly service: ChatAgentService;
  /** Adds an agent to those of this device, and lets it answer in new conversations. */
  readonly use: (agent: ChatAgent) => Promise<void>;
  readonly onAdded: () => void;
}

/** Looks for the known agents, and shows a row for each. */
export async function showChatAgents(list: HTMLElement, host: ChatAgentRowsHost): Promise<void> {
  for (const { agent, program } of await host.service.find())
    showChatAgent(list, host, agent, program);
}

/** Adds an agent if it starts. */
export async function addChatAgent(
  { service, use, onAdded }: ChatAgentRowsHost,
  agent: ChatAgent,
  button: HTMLButtonElement,
): Promise<void> {
  const { add, adding, works } = text.chatAgents.settings;
  button.setText(adding);
  button.disabled = true;
  try {
    await service.verify(agent);
  } finally {
    button.setText(add);
    button.disabled = false;
  }
  await use(agent);
  notify(works(agent.title));
  onAdded();
}

function showChatAgent(
  list: HTMLElement,
  host: ChatAgentRowsHost,
  agent: KnownChatAgent,
  program: string | undefined,
): void {
  const { add, copy, copied, missing, ready, freeCloud } = text.chatAgents.settings;
  const { id, title, command, args } = agent;
  const row = list.createDiv({ cls: 'savepoint-chat-agent-row' });
  const about = row.createDiv();
  about.createDiv({ text: title });
  const how = agent.install ?? agent.homepage;
  const note = program === undefined ? missing(how) : ready(program);
  about.createDiv({
    cls: 'setting-item-description',
    text: agent.hasFreeCloud === true ? `${note}. ${freeCloud}` : note,
  });
  const button = row.createEl('button', { text: program === undefined ? copy : add });
  button.setAttr('aria-label', `${button.textContent}: ${title}`);
  button.addEventListener('click', () =>
    act(async () => {
      if (program !== undefined)
        return addChatAgent(host, { id, title, command, args: [...args] }, button);
      await copyText(how, copied);
    }),
  );
}
