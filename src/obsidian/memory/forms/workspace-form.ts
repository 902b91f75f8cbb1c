import { toAppSpelling } from '../../../model/paths.js';
import { findTool } from '../../../toolkit/toolkit.js';
import type { Workspace } from '../../../model/workspace.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import {
  addList,
  addText,
  addTextArea,
  type BuiltList,
  type FormField,
} from '../../ui/forms/fields.js';
import { FormModal, type FormTexts } from '../../ui/forms/form-modal.js';
import {
  filePaths,
  folderPaths,
  offered,
  offeredPaths,
  TextSuggest,
} from '../../ui/forms/text-suggest.js';
import {
  typedLines,
  preferenceLines,
  readPreferences,
  requiredFields,
  type FormProblem,
} from '../../ui/forms/values.js';

export type WorkspaceField =
  'name' | 'description' | 'purpose' | 'rootFolder' | 'keyFiles' | 'workflows' | 'preferences';

/** Fields of a workspace as the form shows and returns them. */
export type WorkspaceContent = Pick<Workspace, WorkspaceField>;

/** The fields of a workspace, to create or edit it. */
export abstract class WorkspaceForm extends FormModal<WorkspaceField> {
  readonly #typed: Record<Exclude<WorkspaceField, 'keyFiles'>, string>;
  readonly #keyFiles: string[];
  #keyFilesField: BuiltList | undefined;
  readonly #untouched: string;
  readonly #before: WorkspaceContent;

  constructor(
    protected readonly savepoint: Savepoint,
    texts: FormTexts,
    before: WorkspaceContent,
  ) {
    super(savepoint.app, texts);
    this.#before = before;
    const { name, description, purpose, rootFolder, keyFiles, workflows, preferences } = before;
    this.#typed = {
      name,
      description,
      purpose,
      rootFolder,
      workflows: workflows.join('\n'),
      preferences: preferenceLines(preferences).join('\n'),
    };
    this.#keyFiles = [...keyFiles];
    this.#untouched = this.#content();
  }

  protected override build(form: HTMLElement): Map<WorkspaceField, FormField> {
    const { labels, hints, examples } = text.commands.createWorkspace;
    const { app, savepoint } = this;
    const typed = this.#typed;
    const textsOf = (field: WorkspaceField) => ({ label: labels[field], hint: hints[field] });
    const bound = (field: keyof typeof typed) => ({
      ...textsOf(field),
      value: typed[field],
      change: (value: string) => (typed[field] = value),
    });
    const fields: [WorkspaceField, FormField][] = [];
    if (this.hasName()) {
      const name = addText(form, { ...bound('name'), placeholder: examples.name });
      fields.push(['name', name]);
    }
    fields.push(['description', addText(form, bound('description'))]);
    fields.push(['purpose', addTextArea(form, bound('purpose'))]);
    const rootFolder = addText(form, { ...bound('rootFolder'), placeholder: examples.rootFolder });
    const folders = folderPaths(savepoint);
    new TextSuggest(
      app,
      rootFolder.input as HTMLInputElement,
      (folder) =>
        offered(new Set(folder.trim() === '' ? folders : [folder.trim(), ...folders]), folder),
      (folder) => (rootFolder.input.value = typed.rootFolder = folder),
    );
    fields.push(['rootFolder', rootFolder]);
    const files = filePaths(savepoint);
    this.#keyFilesField = addList(form, {
      ...textsOf('keyFiles'),
      placeholder: examples.keyFiles,
      app,
      entries: this.#keyFiles,
      suggest: (path: string) => offeredPaths(files, path),
      read: (path: string) => [toAppSpelling(path).trim()],
    });
    fields.push(['keyFiles', this.#keyFilesField]);
    fields.push(['workflows', addTextArea(form, bound('workflows'))]);
    fields.push(['preferences', addTextArea(form, bound('preferences'))]);
    return new Map(fields);
  }

  protected override required() {
    return requiredFields(findTool(this.savepoint.toolkit, 'createWorkspace').tool.input);
  }

  protected override holdsUnsaved(): boolean {
    return this.#content() !== this.#untouched;
  }

  /** Returns false for a workspace whose name cannot change. */
  protected hasName(): boolean {
    return true;
  }

  /** Returns what the form shows now, and the problems of what cannot be read. */
  protected read(): { content: WorkspaceContent; problems: FormProblem<WorkspaceField>[] } {
    this.#keyFilesField?.addTyped();
    const typed = this.#typed;
    const read = readPreferences(typed.preferences, this.#before.preferences);
    const content = {
      name: typed.name.trim(),
      description: typed.description.trim(),
      purpose: typed.purpose.trim(),
      rootFolder: toAppSpelling(typed.rootFolder).trim(),
      keyFiles: this.#keyFiles,
      workflows: typedLines(typed.workflows),
      preferences: 'preferences' in read ? read.preferences : {},
    };
    return {
      content,
      problems: 'problem' in read ? [{ field: 'preferences', text: read.problem }] : [],
    };
  }

  #content(): string {
    return JSON.stringify([this.#typed, this.#keyFiles, this.#keyFilesField?.input.value ?? '']);
  }
}
