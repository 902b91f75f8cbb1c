import type { ExampleSpec } from '../../toolkit/define-tool.js';

type Call = NonNullable<ExampleSpec['before']>[number];

/** Setup calls that the examples of several tools share. */
export const createGarden: Call = {
  tool: 'createWorkspace',
  params: {
    name: 'Garden',
    description: 'The garden',
    rootFolder: 'Garden',
    purpose: 'Plan beds',
    keyFiles: ['Garden/Beds.md'],
  },
};

export const saveOutline: Call = {
  tool: 'createState',
  params: {
    name: 'Outline',
    conversationContext: 'Agreed on chapters.',
    activeTask: 'Outline',
    activeFiles: [],
    nextSteps: ['Draft one'],
    description: 'Chapters fixed',
  },
};

export const saveDraft: Call = {
  tool: 'createState',
  params: {
    name: 'Draft one',
    conversationContext: 'Wrote chapter one.',
    activeTask: 'Draft',
    activeFiles: [],
    nextSteps: ['Revise'],
    tags: ['draft'],
  },
};
