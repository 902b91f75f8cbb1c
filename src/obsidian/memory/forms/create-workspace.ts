import { lookupWorkspace, isNameTaken } from '../../../model/lookup.js';
import { VAULT_SCOPE } from '../../../model/memory.js';
import { toAppSpelling } from '../../../model/paths.js';
import { findTool } from '../../../toolkit/toolkit.js';
import { notify } from '../../actions.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import {
  addList,
  addText,
  addTextArea,
  type BuiltList,
  type FormField,
} from '../../ui/forms/fields.js';
import { FormModal } from '../../ui/forms/form-modal.js';
import {
  filePaths,
  folderPaths,
  offered,
  offeredPaths,
  TextSuggest,
} from '../../ui/forms/text-suggest.js';
import {
  linesOf,
  assignError,
  readPreferences,
  schemaProblems,
  type FormProblem,
} from '../../ui/forms/values.js';

type Field =
  'name' | 'description' | 'purpose' | 'rootFolder' | 'keyFiles' | 'workflows' | 'preferences';

/** Creates a workspace and makes it the current one. */
export class CreateWorkspaceForm extends FormModal<Field> {
  private readonly typed = {
    name: '',
    description: '',
    purpose: '',
    rootFolder: '/',
    workflows: '',
    preferences: '',
  };
  private readonly keyFiles: string[] = [];
  private keyFilesField: BuiltList | undefined;
  private readonly untouched: string;

  constructor(private readonly savepoint: Savepoint) {
    super(savepoint.app, text.commands.createWorkspace);
    this.untouched = this.content();
  }

  protected override build(form: HTMLElement): Map<Field, FormField> {
    const { labels, hints, examples } = text.commands.createWorkspace;
    const { app, savepoint, typed, keyFiles } = this;
    const textsOf = (field: Field) => ({ label: labels[field], hint: hints[field] });
    const bound = (field: keyof typeof typed) => ({
      ...textsOf(field),
      value: typed[field],
      change: (value: string) => (typed[field] = value),
    });
    const name = addText(form, { ...bound('name'), placeholder: examples.name });
    const description = addText(form, bound('description'));
    const purpose = addTextArea(form, bound('purpose'));
    const rootFolder = addText(form, { ...bound('rootFolder'), placeholder: examples.rootFolder });
    const folders = folderPaths(savepoint);
    new TextSuggest(
      app,
      rootFolder.input as HTMLInputElement,
      (folder) =>
        offered(new Set(folder.trim() === '' ? folders : [folder.trim(), ...folders]), folder),
      (folder) => (rootFolder.input.value = typed.rootFolder = folder),
    );
    const files = filePaths(savepoint);
    this.keyFilesField = addList(form, {
      ...textsOf('keyFiles'),
      placeholder: examples.keyFiles,
      app,
      entries: keyFiles,
      suggest: (path: string) => offeredPaths(files, path),
      read: (path: string) => [toAppSpelling(path).trim()],
    });
    const workflows = addTextArea(form, bound('workflows'));
    const preferences = addTextArea(form, bound('preferences'));
    return new Map<Field, FormField>(
      Object.entries({
        name,
        description,
        purpose,
        rootFolder,
        keyFiles: this.keyFilesField,
        workflows,
        preferences,
      }) as [Field, FormField][],
    );
  }

  protected override holdsUnsaved(): boolean {
    return this.content() !== this.untouched;
  }

  protected override async submit(): Promise<FormProblem<Field>[]> {
    this.keyFilesField?.addTyped();
    const { labels, taken } = text.commands.createWorkspace;
    const { savepoint, typed, keyFiles } = this;
    const name = typed.name.trim();
    const read = readPreferences(typed.preferences);
    const params = {
      name,
      description: typed.description.trim(),
      purpose: typed.purpose.trim(),
      rootFolder: toAppSpelling(typed.rootFolder).trim(),
      keyFiles,
      workflows: linesOf(typed.workflows),
      preferences: 'preferences' in read ? read.preferences : {},
    };
    const problems = [
      ...schemaProblems<Field>(
        findTool(savepoint.toolkit, 'createWorkspace').tool.input,
        params,
        labels,
      ),
      ...('problem' in read ? [{ field: 'preferences' as const, text: read.problem }] : []),
    ];
    if (problems.length > 0) return problems;
    if (isNameTaken(savepoint.memory.get(), VAULT_SCOPE, name))
      return [{ field: 'name', text: taken(name) }];
    const answer = await savepoint.call('createWorkspace', params);
    if (!answer.success) return [assignError(answer.error ?? text.general.fault, labels)];
    const found = lookupWorkspace(savepoint.memory.get(), name);
    if ('item' in found) savepoint.enterWorkspace(found.item.item.id);
    notify(text.commands.workspaceCreated(name));
    return [];
  }

  private content(): string {
    return JSON.stringify([this.typed, this.keyFiles, this.keyFilesField?.input.value ?? '']);
  }
}
