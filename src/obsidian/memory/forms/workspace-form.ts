import { toAppSpelling } from '../../../model/paths.js';
import { findTool } from '../../../toolkit/toolkit.js';
import type { Workspace } from '../../../model/workspace.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import {
  addText,
  addTextArea,
  bindTo,
  type BuiltList,
  type FormField,
} from '../../ui/forms/fields.js';
import { addFileList } from '../../ui/forms/file-list.js';
import { addFold } from '../../ui/forms/fold.js';
import { FormModal, type FormTexts } from '../../ui/forms/form-modal.js';
import { folderPaths, offered, TextSuggest } from '../../ui/forms/text-suggest.js';
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

  constructor(savepoint: Savepoint, texts: FormTexts, before: WorkspaceContent) {
    super(savepoint, texts);
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
    const { labels, folderHint } = text.commands.createWorkspace;
    const examples: Partial<typeof labels> = text.commands.createWorkspace.examples;
    const { app, savepoint } = this;
    const typed = this.#typed;
    const bound = (field: keyof typeof typed) => ({
      ...bindTo(typed, labels)(field),
      placeholder: examples[field],
    });
    const name = this.hasName() ? addText(form, bound('name')) : undefined;
    const description = addText(form, bound('description'));
    const purpose = addTextArea(form, bound('purpose'));
    const { box, setParts } = addFold(form);
    const rootFolder = addText(box, { ...bound('rootFolder'), hint: folderHint });
    const folders = folderPaths(savepoint);
    new TextSuggest(
      app,
      rootFolder.input as HTMLInputElement,
      (folder) =>
        offered(new Set(folder.trim() === '' ? folders : [folder.trim(), ...folders]), folder),
      (folder) => (rootFolder.input.value = typed.rootFolder = folder),
    );
    const keyFiles = addFileList(box, savepoint, {
      label: labels.keyFiles,
      entries: this.#keyFiles,
    });
    this.#keyFilesField = keyFiles;
    const workflows = addTextArea(box, bound('workflows'));
    const preferences = addTextArea(box, bound('preferences'));
    const hidden = { rootFolder, keyFiles, workflows, preferences };
    setParts(Object.values(hidden).map((field) => [field]));
    return new Map<WorkspaceField, FormField>([
      ...(name ? [['name', name] as const] : []),
      ['description', description],
      ['purpose', purpose],
      ...(Object.entries(hidden) as [keyof typeof hidden, FormField][]),
    ]);
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
