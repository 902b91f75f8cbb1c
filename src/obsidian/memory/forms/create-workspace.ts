import { lookupWorkspace, isNameTaken } from '../../../model/lookup.js';
import { VAULT_SCOPE } from '../../../model/memory.js';
import { findTool } from '../../../toolkit/toolkit.js';
import { notify } from '../../actions.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import { assignError, schemaProblems, type FormProblem } from '../../ui/forms/values.js';
import { WorkspaceForm, type WorkspaceContent, type WorkspaceField } from './workspace-form.js';

const EMPTY: WorkspaceContent = {
  name: '',
  description: '',
  purpose: '',
  rootFolder: '/',
  keyFiles: [],
  workflows: [],
  preferences: {},
};

/** Creates a workspace and makes it the current one. */
export class CreateWorkspaceForm extends WorkspaceForm {
  constructor(savepoint: Savepoint) {
    super(savepoint, { title: text.commands.names.createWorkspace }, EMPTY);
  }

  protected override async submit(): Promise<FormProblem<WorkspaceField>[]> {
    const { labels, taken } = text.commands.createWorkspace;
    const { savepoint } = this;
    const { content, problems } = this.read();
    const params = {
      ...content,
      workflows: [...content.workflows],
      keyFiles: [...content.keyFiles],
    };
    const { input } = findTool(savepoint.toolkit, 'createWorkspace').tool;
    const all = [...schemaProblems<WorkspaceField>(input, params, labels), ...problems];
    if (all.length > 0) return all;
    const { name } = content;
    if (isNameTaken(savepoint.memory.get(), VAULT_SCOPE, name))
      return [{ field: 'name', text: taken(name) }];
    const answer = await savepoint.call('createWorkspace', params);
    if (!answer.success) return [assignError(answer.error ?? text.general.fault, labels)];
    const found = lookupWorkspace(savepoint.memory.get(), name);
    if ('item' in found) savepoint.enterWorkspace(found.item.item.id);
    notify(text.commands.workspaceCreated(name));
    return [];
  }
}
