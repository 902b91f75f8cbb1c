import * as z from 'zod';
import { isNameTaken } from '../../model/lookup.js';
import { stateData, stateText } from '../../model/state.js';
import { createEntityId } from '../../platform/random.js';
import { sha256 } from '../../platform/sha256.js';
import { readProvenance } from '../shared/provenance.js';
import { filePaths, nonEmptyText, newName, textList } from '../shared/inputs.js';
import { defineTool } from '../services.js';

export const createState = defineTool({
  name: 'createState',
  title: 'Save state',
  access: 'write',
  action: { resource: 'state', name: 'create' },
  description:
    'Save the current state of the work so another conversation can resume it. A saved state is immutable.',
  input: z.strictObject({
    name: newName.describe('Unique within the workspace; names are never reused.'),
    conversationContext: nonEmptyText.describe('What happened so far'),
    activeTask: nonEmptyText.describe('The current task'),
    activeFiles: filePaths.describe('Vault paths in use'),
    nextSteps: textList.describe('What to do first when resuming'),
    description: nonEmptyText.optional().describe('One line for lists'),
    tags: textList.optional(),
  }),
  failures: {
    nameTaken: {
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
  async run(content, call) {
    const { services, workspace, key, fail } = call;
    const { log, clock, random } = services;
    const bytes = new TextEncoder().encode(stateText(content));
    const hash = services.device.sha256 ?? sha256;
    const sha = await hash(bytes);
    const provenance = await readProvenance(call, content.activeFiles, bytes.length);
    await log.write((memory) => {
      const month = new Date(clock.now()).toISOString().slice(0, 7);
      if (isNameTaken(memory, workspace.id, content.name))
        fail('nameTaken', { name: content.name, month });
      return {
        drafts: [
          {
            t: 'state.new',
            e: createEntityId(random),
            d: stateData(workspace.id, content, sha, provenance),
          },
        ],
        answer: undefined,
      };
    }, key);
  },
});
