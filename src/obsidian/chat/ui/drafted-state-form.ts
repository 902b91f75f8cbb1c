import { Setting } from 'obsidian';
import type { StateDraft } from '../../../chat/state-draft.js';
import { faultText } from '../../host/logger.js';
import { ModelFailure } from '../../../chat/language-model.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import type { FormField } from '../../ui/forms/fields.js';
import {
  SaveStateForm,
  type SavedStateActions,
  type StateOrigin,
} from '../../memory/forms/save-state.js';
import type { StateDrafts } from '../../host/state-drafts.js';

/** Model that fills in the form for saving a state. */
export interface ModelDrafting {
  readonly modelName: string;
  /** Throws a `ModelFailure`, or the signal's reason if it was aborted. */
  readonly draft: (signal: AbortSignal) => Promise<DraftedState>;
}

/** A state's fields as a model proposes them. */
export interface DraftedState {
  /** Undefined if its answer is no state. */
  readonly fields: StateDraft | undefined;
  /** Tokens used, if the provider reports them. */
  readonly tokens: number | undefined;
  /** Number of messages that the model read, from the end of the branch. */
  readonly messagesRead: number;
  /** Number of messages in the branch. */
  readonly messagesTotal: number;
}

const DRAFTED_FIELDS = [
  'name',
  'description',
  'conversationContext',
  'nextSteps',
] as const satisfies readonly (keyof StateDraft)[];

/** Form that saves a state, filled in by the model on demand, but not fields the user edited. */
export class DraftedStateForm extends SaveStateForm {
  #running: AbortController | undefined;
  readonly #drafting: ModelDrafting;

  constructor(
    savepoint: Savepoint,
    drafts: StateDrafts,
    actions: SavedStateActions,
    origin: StateOrigin,
    drafting: ModelDrafting,
  ) {
    super(savepoint, drafts, actions, origin);
    this.#drafting = drafting;
  }

  override onClose(): void {
    this.#running?.abort();
    super.onClose();
  }

  protected override build(form: HTMLElement) {
    this.#running?.abort();
    const fields = super.build(form);
    const row = new Setting(form).setClass('savepoint-drafting');
    row.descEl.setAttr('role', 'status');
    const typed = new Set<string>(this.origin.name === undefined ? [] : ['name']);
    for (const [name, { input }] of fields)
      input.addEventListener('input', ({ isTrusted }) => {
        if (isTrusted) typed.add(name);
      });
    const fill = (draft: StateDraft) => {
      for (const name of DRAFTED_FIELDS) if (!typed.has(name)) write(fields.get(name), draft[name]);
    };
    this.#offer(row, text.chat.drafting.offer(this.#drafting.modelName), fill);
    return fields;
  }

  #offer(row: Setting, description: string, fill: (draft: StateDraft) => void): void {
    setAction(row, description, text.chat.drafting.start, () => void this.#start(row, fill));
  }

  async #start(row: Setting, fill: (draft: StateDraft) => void): Promise<void> {
    const { working, stop, stopped, done, partly, refused } = text.chat.drafting;
    const { modelName, draft } = this.#drafting;
    const running = new AbortController();
    this.#running = running;
    setAction(row, working(modelName), stop, () => running.abort());
    try {
      const { fields, tokens, messagesRead, messagesTotal } = await draft(running.signal);
      if (!fields) return this.#offer(row, refused(modelName), fill);
      fill(fields);
      const summary = done(modelName, tokens);
      const isPartial = messagesRead < messagesTotal;
      const limits = isPartial ? ` ${partly(messagesRead, messagesTotal)}` : '';
      this.#offer(row, `${summary}${limits}`, fill);
    } catch (error) {
      if (running.signal.aborted) return this.#offer(row, stopped, fill);
      const reason = error instanceof ModelFailure ? error.message : faultText(error);
      this.#offer(row, reason, fill);
    }
  }
}

/** Shows what the row says and its button, which takes the focus of the one before. */
function setAction(row: Setting, description: string, label: string, run: () => void): void {
  const isFocused = row.controlEl.contains(row.controlEl.doc.activeElement);
  row.setDesc(description).controlEl.empty();
  row.addButton((button) => {
    button.setButtonText(label).onClick(run);
    if (isFocused) button.buttonEl.focus();
  });
}

/** Sets a field as if the user had typed, so that the form notices. */
function write(field: FormField | undefined, value: string | readonly string[] | undefined): void {
  if (!field || value === undefined) return;
  field.input.value = typeof value === 'string' ? value : value.join('\n');
  field.input.dispatchEvent(new Event('input', { bubbles: true }));
}
