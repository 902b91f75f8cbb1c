import { text } from '../../../i18n/index.js';
import { Icon } from '../../../ui/components.js';
import { useStore } from '../../../ui/use-store.js';
import type { ConversationHost } from '../host.js';

/** Offers to set up a model below a message that no model can answer yet. */
export function ModelNeeded({ host }: { host: ConversationHost }) {
  const { models } = host.chat;
  useStore(models.settings);
  useStore(models.agents);
  if (useStore(host.controller.model) ?? models.preferred()) return null;
  return (
    <div class="savepoint-banner savepoint-context-offer savepoint-model-needed">
      <Icon name="sparkles" />
      <div>
        <p>{text.chat.modelNeeded}</p>
        <div class="savepoint-call-buttons">
          <button type="button" class="mod-cta" onClick={host.openProviderSetup}>
            {text.chat.setUpModel}
          </button>
        </div>
      </div>
    </div>
  );
}
