import { Setting } from 'obsidian';
import type { StateDraft } from '../../../chat/state-draft.js';
import { faultText } from '../../actions.js';
import { ModelFailure } from '../../../chat/language-model.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import type { FormField } from '../../ui/forms/fields.js';
import {
  SaveStateForm,
  type StateDrafts,
  type StateOrigin,
} from '../../memory/forms/save-state.js';

/** How a model fills in the form. */
export interface ModelDrafting {
  readonly modelName: string;
  /** Whether it begins when the form opens: not where the person has typed there before, or no model has answered yet. */
  readonly startsAtOnce: boolean;
  /** Throws a `ModelFailure`, or what `signal` was aborted with. */
  readonly draft: (signal: AbortSignal) => Promise<DraftedState>;
}

export interface DraftedState {
  readonly fields: StateDraft;
  /** What it has used, as the provider says. */
  readonly tokens: number | undefined;
  /** So many messages of the end were read, of so many. */
  readonly messagesRead: number;
  readonly messagesTotal: number;
}

const FILLED = [
  'name',
  'description',
  'conversationContext',
  'activeTask',
  'nextSteps',
] as const satisfies readonly (keyof StateDraft)[];

/** The form that saves a state, filled in by the model of a conversation. What the person has typed is never written over. */
export class DraftedStateForm extends SaveStateForm {
  private underWay: AbortController | undefined;
  private mayStart: boolean;

  constructor(
    savepoint: Savepoint,
    drafts: StateDrafts,
    origin: StateOrigin,
    private readonly drafting: ModelDrafting,
  ) {
    super(savepoint, drafts, origin);
    this.mayStart = drafting.startsAtOnce;
  }

  override onClose(): void {
    this.underWay?.abort();
    super.onClose();
  }

  protected override build(form: HTMLElement) {
    this.underWay?.abort();
    const row = new Setting(form).setClass('savepoint-drafting');
    row.descEl.setAttr('role', 'status');
    const fields = super.build(form);
    const typed = new Set<string>();
    for (const [name, { input }] of fields)
      input.addEventListener('input', ({ isTrusted }) => {
        if (isTrusted) typed.add(name);
      });
    const fill = (draft: StateDraft) => {
      for (const name of FILLED) if (!typed.has(name)) write(fields.get(name), draft[name]);
    };
    if (this.mayStart) void this.start(row, fill);
    else
      this.offer(
        row,
        text.chat.drafting.offer(this.drafting.modelName),
        text.chat.drafting.start,
        fill,
      );
    this.mayStart = false;
    return fields;
  }

  private offer(
    row: Setting,
    says: string,
    label: string,
    fill: (draft: StateDraft) => void,
  ): void {
    row.setDesc(says).controlEl.empty();
    row.addButton((button) =>
      button.setButtonText(label).onClick(() => void this.start(row, fill)),
    );
  }

  private async start(row: Setting, fill: (draft: StateDraft) => void): Promise<void> {
    const { working, stop, stopped, done, partly, start, again } = text.chat.drafting;
    const { modelName, draft } = this.drafting;
    const underWay = new AbortController();
    this.underWay = underWay;
    row.setDesc(working(modelName)).controlEl.empty();
    row.addButton((button) => button.setButtonText(stop).onClick(() => underWay.abort()));
    try {
      const { fields, tokens, messagesRead: read, messagesTotal: of } = await draft(underWay.signal);
      fill(fields);
      this.offer(
        row,
        [done(modelName, tokens), ...(read < of ? [partly(read, of)] : [])].join(' '),
        again,
        fill,
      );
    } catch (error) {
      const why = underWay.signal.aborted
        ? stopped
        : error instanceof ModelFailure
          ? error.message
          : faultText(error);
      this.offer(row, why, underWay.signal.aborted ? start : again, fill);
    }
  }
}

/** As if it had been typed, so that the form takes it in. */
function write(field: FormField | undefined, value: string | readonly string[] | undefined): void {
  if (!field || value === undefined) return;
  field.input.value = typeof value === 'string' ? value : value.join('\n');
  field.input.dispatchEvent(new Event('input', { bubbles: true }));
}
