import type { ProjectRecord } from '../../../model/records/record.js';
import { setReminder } from '../../record-actions.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import { addDate, type FormField } from '../../ui/forms/fields.js';
import { FormModal } from '../../ui/forms/form-modal.js';
import { dateInput, dateOfInput, type FormProblem } from '../../ui/forms/values.js';

/** Sets or removes the reminder of a record. */
export class ReminderForm extends FormModal<'remindAt'> {
  #typed: string;
  readonly #record: ProjectRecord;

  constructor(savepoint: Savepoint, record: ProjectRecord) {
    super(savepoint, text.records.reminderForm);
    this.#record = record;
    this.#typed = dateInput(record.remindAt);
  }

  protected override build(form: HTMLElement): Map<'remindAt', FormField> {
    const { remindAt: label } = text.records.form.labels;
    const { hint } = text.records.reminderForm;
    const change = (value: string) => (this.#typed = value);
    return new Map([['remindAt', addDate(form, { label, hint, value: this.#typed, change })]]);
  }

  protected override async submit(): Promise<FormProblem<'remindAt'>[]> {
    await setReminder(this.savepoint, this.#record, dateOfInput(this.#typed));
    return [];
  }
}
