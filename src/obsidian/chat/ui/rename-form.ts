import type { Conversation } from '../../../model/conversation.js';
import { findHiddenCharacter } from '../../../model/text/visible-text.js';
import type { ChatService } from '../chat-service.js';
import { text } from '../../i18n/index.js';
import { addText, type FormField } from '../../ui/forms/fields.js';
import { FormModal } from '../../ui/forms/form-modal.js';
import type { FormProblem } from '../../ui/forms/values.js';

/** Renames a conversation. */
export class RenameForm extends FormModal<'title'> {
  #title: string;
  readonly #chat: ChatService;
  readonly #conversation: Conversation;

  constructor(chat: ChatService, conversation: Conversation) {
    super(chat.savepoint, { title: text.chat.rename, submit: text.chat.save });
    this.#chat = chat;
    this.#conversation = conversation;
    this.#title = conversation.title;
  }

  protected override build(form: HTMLElement): Map<'title', FormField> {
    const change = (value: string) => (this.#title = value);
    const field = { label: text.chat.rename, value: this.#title, change };
    return new Map([['title', addText(form, field)]]);
  }

  protected override async submit(): Promise<FormProblem<'title'>[]> {
    const title = this.#title.replace(/\s+/gu, ' ').trim();
    if (title === '') return [{ field: 'title', text: text.chat.noTitle }];
    const hidden = findHiddenCharacter(title);
    if (hidden !== undefined) return [{ field: 'title', text: text.chat.hiddenInTitle(hidden) }];
    await this.#chat.change(this.#conversation.id, { title });
    return [];
  }
}
