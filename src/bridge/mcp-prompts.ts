import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type { Named } from '../model/lookup.js';
import type { Memory } from '../model/memory.js';
import type { Workspace } from '../model/workspace.js';
import { clip } from '../model/refusal.js';
import { hiddenCharacterProblem } from '../model/names.js';
import {
  invalidParams,
  newestState,
  stateByName,
  workspaceByName,
  type StateText,
} from './mcp-resources.js';

const WORKSPACE = {
  name: 'workspace',
  title: 'Workspace',
  description: 'Name; default: the current workspace',
};

export const PROMPTS: Prompt[] = [
  {
    name: 'resume',
    title: 'Resume',
    description: 'Continue from a saved state',
    arguments: [
      WORKSPACE,
      { name: 'state', title: 'State', description: 'Name; default: the newest' },
    ],
  },
  {
    name: 'save-state',
    title: 'Save state',
    description: 'Save the state of this conversation, to continue in another',
    arguments: [
      WORKSPACE,
      {
        name: 'name',
        title: 'Name',
        description: 'Name of the state; default: the model chooses one',
      },
    ],
  },
];

export interface PromptContext {
  readonly memory: Memory;
  readonly currentWorkspaceId: string;
  /** How to call the tool that saves a state, as a phrase. */
  readonly howToSave: string;
  readonly stateText: StateText;
  /** Makes a workspace the current one of the session. */
  readonly enterWorkspace: (id: string) => void;
}

/**
 * Returns a prompt with its arguments filled in. Throws a `Refusal` if a named workspace or state does not exist. Throws a
 * `ProtocolError` for an unknown prompt, and for a new name with invisible characters.
 */
export async function getPrompt(
  name: string,
  given: Readonly<Record<string, string>>,
  context: PromptContext,
): Promise<GetPromptResult> {
  const known = PROMPTS.find((prompt) => prompt.name === name);
  if (!known)
    throw invalidParams(
      `There is no prompt "${clip(name)}". Prompts: ${PROMPTS.map((prompt) => prompt.name).join(', ')}.`,
    );
  const problem = name === 'save-state' ? hiddenCharacterProblem(given['name'] ?? '') : undefined;
  if (problem !== undefined) throw invalidParams(`"name" ${problem}.`);
  const workspace = workspaceByName(
    context.memory,
    given['workspace'] || context.currentWorkspaceId,
  );
  const text =
    name === 'resume'
      ? await resumePromptText(workspace, given['state'], context)
      : savePromptText(workspace.displayName, given['name'], context.howToSave);
  context.enterWorkspace(workspace.item.id);
  return {
    description: known.title,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

function resumePromptText(
  workspace: Named<Workspace>,
  stateName: string | undefined,
  { memory, stateText }: PromptContext,
): Promise<string> {
  const state = stateName
    ? stateByName(memory, workspace, stateName)
    : newestState(memory, workspace);
  return stateText(state, workspace.displayName);
}

function savePromptText(
  workspaceName: string,
  stateName: string | undefined,
  howToSave: string,
): string {
  return [
    `Save the state of this conversation with ${howToSave}, so that another conversation, with any model, can continue from it.`,
    stateName
      ? `Name the state ${JSON.stringify(stateName)}.`
      : 'Choose a short, distinctive name for the state.',
    `It belongs to the workspace ${JSON.stringify(workspaceName)}: pass that as workspaceId in the context.`,
    'Include what was decided and why, the current task, the files in use as vault paths, and the next steps, each understandable without this conversation. Leave out passwords and keys. Then say in one sentence what you saved.',
  ].join('\n');
}
