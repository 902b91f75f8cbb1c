import { OpenDecisions } from '../../../agents/shared/records/related-decisions.js';
import { allRecords, openRecordTitled } from '../../../model/records/lookup-record.js';
import { workspaceById, workspaceOfNote } from '../../../model/lookup.js';
import type { RecordKind } from '../../../model/records/record-kinds.js';
import { listedTitle, type ProjectRecord } from '../../../model/records/record.js';
import { findTool } from '../../../toolkit/toolkit.js';
import { noticeWithButtons } from '../../actions.js';
import { supersedeRecord } from '../../record-actions.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import {
  addDate,
  addText,
  addTextArea,
  bindTo,
  type BuiltList,
  type FormField,
} from '../../ui/forms/fields.js';
import { addFileList, shownFiles } from '../../ui/forms/file-list.js';
import { addFold } from '../../ui/forms/fold.js';
import { FormModal } from '../../ui/forms/form-modal.js';
import { isOffered } from '../../ui/forms/offered-path.js';
import {
  assignError,
  dateOfInput,
  schemaProblems,
  type FormProblem,
} from '../../ui/forms/values.js';
import { addWorkspaceField } from '../../ui/forms/workspace-field.js';

type Field = 'title' | 'body' | 'files' | 'remindAt';

export interface NewRecord {
  readonly kind: RecordKind;
  /** Undefined for the current workspace. */
  readonly workspaceId?: string | undefined;
  /** Path of the note that it is about, whose workspace comes first. */
  readonly note?: string | undefined;
  /** Filled in. */
  readonly title?: string;
  /** The decision that it replaces, which then needs a reason. */
  readonly replaces?: ProjectRecord;
  readonly open: (record: ProjectRecord) => Promise<unknown>;
}

/** Saves a decision, question, task or phase, by default in the current workspace. */
export class CreateRecordForm extends FormModal<Field> {
  readonly #typed = { title: '', body: '', remindAt: '' };
  readonly #files: string[];
  readonly #untouched: string;
  #workspaceId: string;
  #filesField: BuiltList | undefined;
  readonly #record: NewRecord;

  constructor(savepoint: Savepoint, record: NewRecord) {
    const { newRecord, form } = text.records;
    const title = record.replaces ? text.records.replaceDecision : newRecord[record.kind];
    super(savepoint, { ...form, title });
    this.#record = record;
    this.#workspaceId =
      record.replaces?.workspaceId ??
      workspaceOfNote(savepoint.memory.get(), record.note)?.id ??
      record.workspaceId ??
      savepoint.workspaceId.get();
    const active = savepoint.app.workspace.getActiveFile()?.path;
    this.#files = active !== undefined && isOffered(savepoint, active) ? [active] : [];
    this.#untouched = this.#content();
    this.#typed.title = record.replaces?.title ?? record.title ?? '';
  }

  protected override build(form: HTMLElement): Map<Field, FormField> {
    const { labels, remindHint } = text.records.form;
    const { note, replaces } = this.#record;
    const bound = bindTo(this.#typed, labels);
    const title = addText(form, bound('title'));
    const reason = replaces && addTextArea(form, { ...bound('body'), ...text.records.reason });
    const { box, setParts } = addFold(form);
    const { savepoint } = this;
    const workspace = replaces
      ? undefined
      : addWorkspaceField(box, {
          savepoint,
          value: this.#workspaceId,
          note,
          change: (id) => (this.#workspaceId = id),
        });
    const body = reason ?? addTextArea(box, bound('body'));
    const files = addFileList(box, savepoint, {
      label: labels.files,
      entries: this.#files,
    });
    this.#filesField = files;
    const remindAt = addDate(box, { ...bound('remindAt'), hint: remindHint });
    const { name } = workspaceById(savepoint.memory.get(), this.#workspaceId);
    setParts([
      ...(workspace ? [[workspace, name] as const] : []),
      [files, shownFiles(this.#files)],
      ...(reason ? [] : [[body] as const]),
      [remindAt],
    ]);
    return new Map<Field, FormField>([
      ['title', title],
      ['body', body],
      ['files', files],
      ['remindAt', remindAt],
    ]);
  }

  protected override required() {
    return new Set(this.#record.replaces ? ['title', 'body'] : ['title']);
  }

  protected override holdsUnsaved(): boolean {
    return this.#content() !== this.#untouched;
  }

  protected override async submit(): Promise<FormProblem<Field>[]> {
    this.#filesField?.addTyped();
    const { savepoint } = this;
    const typed = this.#typed;
    const workspaceId = this.#workspaceId;
    const record = this.#record;
    const { labels, taken } = text.records.form;
    const { kind } = record;
    const [title, body] = [typed.title.trim(), typed.body.trim()];
    const remindAt = dateOfInput(typed.remindAt);
    const params = {
      ...resourceOf(kind),
      title,
      ...(body !== '' && { body }),
      ...(this.#files.length > 0 && { files: this.#files }),
      ...(remindAt !== undefined && { remindAt }),
    };
    const { input } = findTool(savepoint.toolkit, 'createRecord').tool;
    const problems = schemaProblems<Field>(input, params, labels);
    if (record.replaces && body === '')
      problems.push({ field: 'body', text: text.records.reason.missing });
    if (problems.length > 0) return problems;
    if (openRecordTitled(savepoint.memory.get(), workspaceId, kind, title))
      return [{ field: 'title', text: taken }];
    const older =
      kind === 'decision' && !record.replaces ? this.#relatedDecision(title) : undefined;
    const answer = await savepoint.call('createRecord', params, workspaceId);
    if (!answer.success) return [assignError(answer.error ?? text.general.fault, labels)];
    const created = openRecordTitled(savepoint.memory.get(), workspaceId, kind, title);
    if (created && record.replaces) await supersedeRecord(savepoint, record.replaces, created);
    else if (created) this.#tellSaved(created, older);
    return [];
  }

  #relatedDecision(title: string): ProjectRecord | undefined {
    const workspaceId = this.#workspaceId;
    const records = allRecords(this.savepoint.memory.get(), workspaceId);
    return new OpenDecisions(records, { workspaceId, session: '' }).relatedTo(title)[0];
  }

  /** Says that the record is saved, and offers to open it or to replace the related decision. */
  #tellSaved(record: ProjectRecord, older: ProjectRecord | undefined): void {
    const { saved, savedRelated, replaceOlder } = text.records;
    const open = { label: text.general.open, run: () => this.#record.open(record) };
    if (!older) {
      noticeWithButtons(saved(record.title), [open]);
      return;
    }
    const replace = () => supersedeRecord(this.savepoint, older, record);
    noticeWithButtons(savedRelated(record.title, older.title), [
      { label: replaceOlder(listedTitle(older)), run: replace },
      open,
    ]);
  }

  #content(): string {
    return JSON.stringify([this.#typed, this.#files, this.#filesField?.input.value ?? '']);
  }
}

function resourceOf(kind: RecordKind) {
  if (kind === 'decision' || kind === 'phase') return { resource: kind };
  return { resource: 'issue', kind };
}
