import { openRecordTitled } from '../../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { findTool } from '../../../toolkit/toolkit.js';
import { correctRecord } from '../../record-actions.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import { addText, addTextArea, bindTo, type FormField } from '../../ui/forms/fields.js';
import { FormModal } from '../../ui/forms/form-modal.js';
import { schemaProblems, type FormProblem } from '../../ui/forms/values.js';

type Field = 'title' | 'body';

/** Corrects the title and details of a question, task or phase. */
export class EditRecordForm extends FormModal<Field> {
  readonly #typed: Record<Field, string>;
  readonly #record: ProjectRecord;

  constructor(savepoint: Savepoint, record: ProjectRecord) {
    const { form, kinds } = text.records;
    super(savepoint, { ...form, title: kinds[record.kind] });
    this.#record = record;
    this.#typed = { title: record.title, body: record.body ?? '' };
  }

  protected override build(form: HTMLElement): Map<Field, FormField> {
    const bound = bindTo(this.#typed, text.records.form.labels);
    return new Map<Field, FormField>([
      ['title', addText(form, bound('title'))],
      ['body', addTextArea(form, bound('body'))],
    ]);
  }

  protected override required() {
    return new Set(['title']);
  }

  protected override holdsUnsaved(): boolean {
    return (
      this.#typed.title !== this.#record.title || this.#typed.body !== (this.#record.body ?? '')
    );
  }

  protected override async submit(): Promise<FormProblem<Field>[]> {
    const { savepoint } = this;
    const record = this.#record;
    const { labels, taken } = text.records.form;
    const [title, body] = [this.#typed.title.trim(), this.#typed.body.trim()];
    const { input } = findTool(savepoint.toolkit, 'createRecord').tool;
    const params = { resource: 'phase', title, ...(body !== '' && { body }) };
    const problems = title === record.title ? [] : schemaProblems<Field>(input, params, labels);
    if (problems.length > 0) return problems;
    const { workspaceId, kind, id } = record;
    const namesake = openRecordTitled(savepoint.memory.get(), workspaceId, kind, title);
    if (namesake && namesake.id !== id) return [{ field: 'title', text: taken }];
    await correctRecord(savepoint, record, { title, body });
    return [];
  }
}
