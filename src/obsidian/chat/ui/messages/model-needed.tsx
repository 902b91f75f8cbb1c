import { stateHeads } from '../../../../model/lookup.js';
import type { Message } from '../../../../model/message.js';
import { text } from '../../../i18n/index.js';
import { copyState } from '../../../memory/menus.js';
import { Icon } from '../../../ui/components.js';
import { useStore } from '../../../ui/use-store.js';
import type { ConversationHost } from '../host.js';

/** Offers to set up a model that answers, or to copy the conversation's state for another app. */
export function ModelNeeded({ host }: { host: ConversationHost }) {
  const { models } = host.chat;
  useStore(models.settings);
  useStore(models.chatAgents);
  if (useStore(host.controller.model) ?? models.preferred()) return null;
  const copy = copyAction(host);
  return (
    <div class="savepoint-banner savepoint-context-offer savepoint-model-needed">
      <Icon name="sparkles" />
      <div>
        <p>{text.chat.modelNeeded}</p>
        <div class="savepoint-call-buttons">
          <button type="button" class="mod-cta" onClick={host.openProviderSetup}>
            {text.chat.setUpModel}
          </button>
          {copy && (
            <button type="button" onClick={copy.run}>
              {copy.label}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

/** Returns the action that copies the last state in the branch; undefined if there is none. */
function copyAction({ savepoint, controller }: ConversationHost) {
  const ids = controller.path().flatMap((message) => startedFrom(message) ?? []);
  const heads = stateHeads(savepoint.memory.get(), controller.workspaceId.get());
  const state = heads.find((head) => head.id === ids.at(-1))?.read();
  return state && copyState(savepoint, state);
}

/** Returns the id of the state in a message; undefined if there is none. */
export function startedFrom({ parts }: Message): string | undefined {
  return parts.flatMap((part) => (part.type === 'data' ? (part.stateId ?? []) : []))[0];
}
