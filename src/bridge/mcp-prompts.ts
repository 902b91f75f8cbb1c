import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type { Named } from '../model/lookup.js';
import type { Memory } from '../model/memory.js';
import { hiddenCharacterProblem } from '../model/names.js';
import { clip, Refusal } from '../model/refusal.js';
import type { Workspace } from '../model/workspace.js';
import type { CallPlace } from '../toolkit/context.js';
import { invalidParams, workspaceByName, type StateText } from './mcp-resources.js';
import { findStateToResume } from './resume-lookup.js';

const WORKSPACE = {
  name: 'workspace',
  title: 'Workspace',
  description: 'Name; default: the current workspace',
};

export const PROMPTS: Prompt[] = [
  {
    name: 'brief',
    title: 'Brief',
    description: 'What to know before working in a workspace',
    arguments: [
      WORKSPACE,
      { name: 'for', title: 'For', description: 'What comes next, as a query or as paths' },
    ],
  },
  {
    name: 'resume',
    title: 'Resume',
    description: 'Continue from a saved state',
    arguments: [
      {
        name: 'workspace',
        title: 'Workspace or state',
        description: 'Name, or its beginning; default: the workspace of this project',
      },
      { name: 'state', title: 'State', description: 'Name, or its beginning; default: the newest' },
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
  /** The place of calls that name no workspace. */
  readonly place: CallPlace;
  /** Returns what the user should know about the link of an inferred workspace. */
  readonly notice: () => string | undefined;
  /** See `resumeIn`. */
  readonly resumeIn: (workspace: Named<Workspace>) => string | undefined;
  /** How to call the tool that saves a state, as a phrase. */
  readonly howToSave: string;
  /** The same for the tool that loads one. */
  readonly howToLoad: string;
  readonly stateText: StateText;
  readonly briefText: (workspaceId: string, about: string | undefined) => Promise<string>;
}

/**
 * Throws a `Refusal` if a workspace or state is missing or ambiguous, and a `ProtocolError` for an
 * unknown prompt or a new name with invisible characters.
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
  const { memory, place, stateText, howToLoad } = context;
  if (name === 'resume' && Object.values(given).some((value) => PLACEHOLDER.test(value)))
    return promptResult(known, [placeholderText(given, howToLoad)]);
  const named = PLACEHOLDER.test(given['workspace'] ?? '') ? '' : (given['workspace'] ?? '');
  if (named === '' && place.problem !== undefined) throw new Refusal(place.problem);
  const notice = named === '' ? context.notice() : undefined;
  if (name === 'resume') {
    const currentId = place.source === 'default' ? undefined : place.workspace.item.id;
    const { workspace, state } = findStateToResume(memory, given, currentId);
    const text = await stateText(state, workspace.displayName);
    return promptResult(known, [text, notice, context.resumeIn(workspace)]);
  }
  const workspace = named === '' ? place.workspace : workspaceByName(memory, named);
  if (name === 'save-state')
    return promptResult(known, [
      savePromptText(workspace.displayName, given['name'], context.howToSave),
      notice,
    ]);
  const { for: about = '' } = given;
  const isGiven = about !== '' && !PLACEHOLDER.test(about);
  const text = await context.briefText(workspace.item.id, isGiven ? about : undefined);
  return promptResult(known, [text, notice, context.resumeIn(workspace)]);
}

/** Some clients, such as opencode, ask for a template and replace these by what the user types. */
const PLACEHOLDER = /^\$(?:\d+|ARGUMENTS)$/;

function placeholderText(given: Readonly<Record<string, string>>, howToLoad: string): string {
  return [
    `Load a saved state (${howToLoad}), and continue from it. Its name, or the name of its workspace and then its own: ${Object.values(given).join(' ')}`,
    'If no name follows the colon, load the newest state of the current workspace.',
  ].join('\n');
}

function promptResult(
  { title }: Prompt,
  paragraphs: readonly (string | undefined)[],
): GetPromptResult {
  const text = paragraphs.filter((paragraph) => paragraph !== undefined).join('\n\n');
  return {
    ...(title !== undefined && { description: title }),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

function savePromptText(
  workspaceName: string,
  stateName: string | undefined,
  howToSave: string,
): string {
  return [
    `Save the state of this conversation (${howToSave}), so that another conversation, with any model, can continue from it.`,
    stateName
      ? `Name the state ${JSON.stringify(stateName)}.`
      : 'Choose a short, distinctive name for the state.',
    `It belongs to the workspace ${JSON.stringify(workspaceName)}: pass that as workspaceId in the context.`,
    'Include what was decided and why, the current task, the files in use as vault paths, and the next steps, each understandable without this conversation. Leave out passwords and keys. Then say in one sentence what you saved.',
  ].join('\n');
}
