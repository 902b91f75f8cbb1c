import * as z from 'zod';
import { isNameTaken } from '../../model/lookup.js';
import { stateData, stateText } from '../../model/state.js';
import { createEntityId } from '../../platform/random.js';
import { sha256 } from '../../platform/sha256.js';
import { filePaths, filledText, newName, texts } from '../shared/inputs.js';
import { defineTool } from '../services.js';

export const createState = defineTool({
  name: 'createState',
  title: 'Save state',
  access: 'write',
  action: { resource: 'state', name: 'create' },
  description:
    'Save where the work stands, to resume it in another conversation. Never changes afterwards.',
  input: z.strictObject({
    name: newName.describe('Unique in the workspace, for ever'),
    conversationContext: filledText.describe('What was happening'),
    activeTask: filledText.describe('The task in hand'),
    activeFiles: filePaths.describe('Vault paths in use'),
    nextSteps: texts.describe('What to do first when resuming'),
    description: filledText.optional().describe('One line for lists'),
    tags: texts.optional(),
  }),
  failures: {
    taken: {
      error: 'State "{name}" already exists.',
      advice: 'States are immutable - use a unique name like "{name}-v2" or "{name}-{month}".',
    },
  },
  examples: [
    {
      title: 'Save before the conversation ends',
      params: {
        name: 'Auth Module Progress',
        conversationContext: 'We decided on JWT tokens for auth and set up the basic structure.',
        activeTask: 'Implementing token refresh logic',
        activeFiles: ['src/auth/jwt.ts', 'src/auth/middleware.ts'],
        nextSteps: ['Add refresh token endpoint', 'Test token expiration', 'Add logout flow'],
        description: 'JWT in place, refresh open',
        tags: ['auth', 'in-progress'],
      },
      answer: { success: true },
    },
  ],
  async run(content, { services: { log, clock, random }, workspace, key, fail }) {
    const sha = await sha256(stateText(content));
    await log.write((memory) => {
      const month = new Date(clock.now()).toISOString().slice(0, 7);
      if (isNameTaken(memory, workspace.id, content.name))
        fail('taken', { name: content.name, month });
      return {
        drafts: [
          { t: 'state.new', e: createEntityId(random), d: stateData(workspace.id, content, sha) },
        ],
        answer: undefined,
      };
    }, key);
  },
});
