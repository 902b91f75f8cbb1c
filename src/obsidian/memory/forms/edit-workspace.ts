import { isNameTaken, type Named } from '../../../model/lookup.js';
import { resetWorkspace } from '../../../agents/memory-manager/shared/reset-workspace.js';
import type { JsonObject } from '../../../model/event.js';
import { DEFAULT_WORKSPACE, VAULT_SCOPE } from '../../../model/memory.js';
import { nameKey } from '../../../model/names.js';
import type { Workspace } from '../../../model/workspace.js';
import { findTool } from '../../../toolkit/toolkit.js';
import { noticeWithUndo, workspaceCallName } from '../../actions.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import { assignError, schemaProblems, type FormProblem } from '../../ui/forms/values.js';
import { WorkspaceForm, type WorkspaceField } from './workspace-form.js';

/** Changes the fields of a workspace. Those that the user leaves as they are are not written. */
export class EditWorkspaceForm extends WorkspaceForm {
  readonly #workspace: Named<Workspace>;

  constructor(savepoint: Savepoint, workspace: Named<Workspace>) {
    super(savepoint, text.memoryView.editWorkspace, workspace.item);
    this.#workspace = workspace;
  }

  protected override hasName(): boolean {
    return this.#workspace.item.id !== DEFAULT_WORKSPACE;
  }

  /** Leaves out what was empty before, as in the built-in workspace. */
  protected override required() {
    const { item } = this.#workspace;
    return new Set([...super.required()].filter((field) => item[field as WorkspaceField] !== ''));
  }

  protected override async submit(): Promise<FormProblem<WorkspaceField>[]> {
    const { labels, taken } = text.commands.createWorkspace;
    const { savepoint } = this;
    const { item } = this.#workspace;
    const { content, problems } = this.read();
    const isChanged = ([field, value]: [string, unknown]) =>
      JSON.stringify(value) !== JSON.stringify(item[field as WorkspaceField]);
    const changes = Object.entries(content).filter(isChanged);
    const { name: newName, ...changed } = Object.fromEntries(changes) as JsonObject;
    const params: JsonObject = {
      name: workspaceCallName(savepoint, this.#workspace),
      ...(newName !== undefined && { newName }),
      ...changed,
    };
    const { input } = findTool(savepoint.toolkit, 'updateWorkspace').tool;
    const named = { ...labels, newName: labels.name };
    const all = [
      ...schemaProblems<WorkspaceField | 'newName'>(input, params, named).map(atField),
      ...problems,
    ];
    if (all.length > 0) return all;
    if (Object.keys(params).length === 1) return [];
    const isRenamed = nameKey(content.name) !== nameKey(item.name);
    if (isRenamed && isNameTaken(savepoint.memory.get(), VAULT_SCOPE, content.name))
      return [{ field: 'name', text: taken(content.name) }];
    const answer = await savepoint.call('updateWorkspace', params);
    if (!answer.success)
      return [
        atField(assignError<WorkspaceField | 'newName'>(answer.error ?? text.general.fault, named)),
      ];
    const before = Object.fromEntries(
      changes.map(([field]) => [field, item[field as WorkspaceField]]),
    );
    noticeWithUndo(savepoint, text.memoryView.workspaceSaved(content.name), async () => {
      await resetWorkspace(savepoint.services, item.id, before);
      await savepoint.refresh();
    });
    return [];
  }
}

/** Assigns a problem of the new name to the field for the name. */
function atField({
  field,
  text: told,
}: FormProblem<WorkspaceField | 'newName'>): FormProblem<WorkspaceField> {
  if (field === undefined) return { text: told };
  return { field: field === 'newName' ? 'name' : field, text: told };
}
