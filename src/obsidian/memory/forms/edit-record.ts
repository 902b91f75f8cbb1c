import { openRecordTitled } from '../../../model/records/lookup-record.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { findTool } from '../../../toolkit/toolkit.js';
import { correctRecord } from '../../record-actions.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import { addText, addTextArea, type FormField } from '../../ui/forms/fields.js';
import { FormModal } from '../../ui/forms/form-modal.js';
import { schemaProblems, type FormProblem } from '../../ui/forms/values.js';

type Field = 'title' | 'body';

/** Corrects the title and details of a question, task or phase. */
export class EditRecordForm extends FormModal<Field> {
  private readonly typed: Record<Field, string>;

  constructor(
    private readonly savepoint: Savepoint,
    private readonly record: ProjectRecord,
  ) {
    const { form, editRecord } = text.records;
    super(savepoint.app, { ...form, title: editRecord[record.kind] });
    this.typed = { title: record.title, body: record.body ?? '' };
  }

  protected override build(form: HTMLElement): Map<Field, FormField> {
    const { labels, hints, titleHints } = text.records.form;
    const { typed, record } = this;
    const bound = (field: Field, hint: string) => ({
      label: labels[field],
      hint,
      value: typed[field],
      change: (value: string) => (typed[field] = value),
    });
    return new Map<Field, FormField>([
      ['title', addText(form, bound('title', titleHints[record.kind]))],
      ['body', addTextArea(form, bound('body', hints.body))],
    ]);
  }

  protected override required() {
    return new Set(['title']);
  }

  protected override holdsUnsaved(): boolean {
    const { typed, record } = this;
    return typed.title !== record.title || typed.body !== (record.body ?? '');
  }

  protected override async submit(): Promise<FormProblem<Field>[]> {
    const { savepoint, typed, record } = this;
    const { labels, taken } = text.records.form;
    const [title, body] = [typed.title.trim(), typed.body.trim()];
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
