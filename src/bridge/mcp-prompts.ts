import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type { Memory } from '../model/memory.js';
import { clip } from '../model/refusal.js';
import {
  invalid,
  newestState,
  stateNamed,
  workspaceNamed,
  type StateText,
} from './mcp-resources.js';

const WORKSPACE = {
  name: 'workspace',
  title: 'Workspace',
  description: 'Its name; default: the workspace in use',
};

export const PROMPTS: Prompt[] = [
  {
    name: 'resume',
    title: 'Resume',
    description: 'Carry on from a saved state',
    arguments: [
      WORKSPACE,
      { name: 'state', title: 'State', description: 'Its name; default: the newest' },
    ],
  },
  {
    name: 'save-state',
    title: 'Save state',
    description: 'Save where this conversation is, to carry on in another',
    arguments: [
      WORKSPACE,
      {
        name: 'name',
        title: 'Name',
        description: 'What to call the state; default: the model finds a name',
      },
    ],
  },
];

export interface PromptScene {
  readonly memory: Memory;
  readonly workspaceInUse: string;
  /** How the tool that saves a state is called. */
  readonly howToSave: string;
  readonly stateText: StateText;
  /** Makes a workspace the one that later calls are made in. */
  readonly enterWorkspace: (id: string) => void;
}

/** A prompt with its arguments filled in. Throws a `Refusal` where there is nothing of such a name. */
export async function getPrompt(
  name: string,
  given: Readonly<Record<string, string>>,
  scene: PromptScene,
): Promise<GetPromptResult> {
  const known = PROMPTS.find((prompt) => prompt.name === name);
  if (!known)
    throw invalid(
      `There is no prompt "${clip(name)}". Prompts: ${PROMPTS.map((prompt) => prompt.name).join(', ')}.`,
    );
  const workspace = workspaceNamed(scene.memory, given['workspace'] || scene.workspaceInUse);
  const text =
    name === 'resume'
      ? await scene.stateText(
          given['state']
            ? stateNamed(scene.memory, workspace, given['state'])
            : newestState(scene.memory, workspace),
          workspace.displayName,
        )
      : saveText(workspace.displayName, given['name'], scene.howToSave);
  scene.enterWorkspace(workspace.item.id);
  return {
    description: known.title,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

function saveText(workspaceName: string, stateName: string | undefined, howToSave: string): string {
  return [
    `Save where this conversation is with ${howToSave}, so that another conversation, with any model, can carry on from it.`,
    stateName
      ? `Call the state ${JSON.stringify(stateName)}.`
      : 'Find a short name for the state that tells it from others.',
    `It belongs to the workspace ${JSON.stringify(workspaceName)}: give that as workspaceId in the context.`,
    'Put into it what was decided and why, the task in hand, the files in use as paths in the vault, and the next steps, each so that it is understood without this conversation. Leave out passwords and keys. Then say in one sentence what you saved.',
  ].join('\n');
}
