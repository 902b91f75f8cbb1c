/**
 * The calls of Mara's agents in two weeks. Times are UTC; `as` is the device that made the call.
 */
export interface StoryCall {
  readonly at: string;
  readonly as: 'laptop' | 'phone';
  readonly session: string;
  readonly workspace: string;
  readonly tool: string;
  readonly params: Record<string, unknown>;
  readonly goal?: string;
  /** Whether the call is meant to fail: agents make mistakes, and the memory shows them. */
  readonly isRefused: boolean;
}

type Scene = Pick<StoryCall, 'as' | 'session' | 'workspace' | 'goal'> & {
  readonly from: string;
  /** Minutes after `from`, tool, parameters. */
  readonly calls: readonly (readonly [number, string, Record<string, unknown>, 'refused'?])[];
};

const MINUTE = 60_000;

const scenes: readonly Scene[] = [
  {
    from: '2026-11-05T18:12:00Z',
    as: 'laptop',
    session: 'first-evening',
    workspace: 'default',
    goal: 'Give each project its own workspace',
    calls: [
      [
        0,
        'createWorkspace',
        {
          name: 'Flat move',
          description: 'Everything about moving to Majorna',
          rootFolder: 'Archive/Flat move',
          purpose: 'Move without losing a box or a deposit',
        },
      ],
      [
        3,
        'createWorkspace',
        {
          name: 'Allotment',
          description: 'Four beds and a shed',
          rootFolder: 'Garden',
          purpose: 'Enough vegetables from May to October, with two hours a week',
          keyFiles: ['Garden/Beds 2027.md', 'Garden/Seed order.md'],
        },
      ],
      [
        9,
        'createWorkspace',
        {
          name: 'Thesis',
          description: 'Night light and moths in city parks',
          rootFolder: 'Thesis',
          purpose: 'Hand in by 31 March 2027',
          workflows: ['Outline, then figures, then text', 'Every number comes from a script'],
          keyFiles: ['Thesis/Outline.md', 'Thesis/Chapter 3.md'],
          preferences: { tone: 'plain', citations: 'author and year' },
        },
      ],
      [
        14,
        'createWorkspace',
        {
          name: 'Mothlog',
          description: 'The app that counts moths at the light trap',
          rootFolder: 'Mothlog',
          purpose: 'Counting that works with a thumb, in the dark, without a signal',
          keyFiles: ['Mothlog/Roadmap.md'],
        },
      ],
    ],
  },
  {
    from: '2026-11-05T19:02:00Z',
    as: 'laptop',
    session: 'moving-boxes',
    workspace: 'Flat move',
    goal: 'Close the old flat',
    calls: [
      [
        0,
        'createState',
        {
          name: 'Keys handed over',
          conversationContext:
            'The landlord has signed the protocol; two scratches in the hall are noted and accepted.',
          activeTask: 'Waiting for the deposit',
          activeFiles: ['Archive/Flat move/Protocol.pdf'],
          nextSteps: ['Deposit is due on 30 November', 'Cancel the old electricity contract'],
          tags: ['done'],
        },
      ],
    ],
  },
  {
    from: '2026-11-09T08:40:00Z',
    as: 'laptop',
    session: 'chapter-3-figures',
    workspace: 'Thesis',
    goal: 'Decide which figures chapter 3 needs',
    calls: [
      [0, 'loadWorkspace', { name: 'Thesis' }],
      [2, 'listStates', {}],
      [
        51,
        'createState',
        {
          name: 'Figures for chapter 3',
          description: 'Three figures, one message each',
          conversationContext:
            'We went through eight drafts of figures and kept three: catches by brightness, families side by side, and the three parks with new lamps before and after. The map moves to the methods.',
          activeTask: 'Drawing figure 3.2, families side by side',
          activeFiles: ['Thesis/Chapter 3.md', 'Thesis/Outline.md', 'analysis/figures.R'],
          nextSteps: [
            'Same y axis in all panels',
            'Colour-blind safe palette',
            'Caption that can stand alone',
          ],
          tags: ['results', 'figures'],
        },
      ],
    ],
  },
  {
    from: '2026-11-11T20:05:00Z',
    as: 'phone',
    session: 'garlic-on-the-tram',
    workspace: 'Allotment',
    goal: 'What must happen before the frost',
    calls: [
      [0, 'loadWorkspace', { name: 'allotment' }],
      [
        6,
        'createState',
        {
          name: 'Before the frost',
          conversationContext:
            'Garlic is in since October. Fleece for the leeks is in the shed, the water must be turned off by the 20th.',
          activeTask: 'Closing the beds for winter',
          activeFiles: ['Garden/Beds 2027.md'],
          nextSteps: ['Turn off the water', 'Cover the leeks', 'Leaves on the north bed'],
          tags: ['winter'],
        },
      ],
    ],
  },
  {
    from: '2026-11-12T17:20:00Z',
    as: 'laptop',
    session: 'sync-or-sum',
    workspace: 'Mothlog',
    goal: 'Choose how two phones share one night',
    calls: [
      [0, 'loadWorkspace', { name: 'Mothlog' }],
      [
        4,
        'searchMemory',
        { query: 'offline counts two phones', workspaceId: 'Mothlog', memoryTypes: ['states'] },
      ],
      [
        48,
        'createState',
        {
          name: 'Counts are added',
          description: 'Each phone its own list; a night is the sum',
          conversationContext:
            'In August two people overwrote each other at one trap. We compared last-writer-wins, locking and adding. Adding won: each phone writes its own list and a night is the sum of the lists.',
          activeTask: 'Writing the decision down',
          activeFiles: ['Mothlog/Sync decisions.md', 'src/night/sum.ts'],
          nextSteps: [
            'Property test: any order gives the same sum',
            'What of a moth counted on both phones?',
          ],
          tags: ['decision', 'offline'],
          decisions: ['Each phone writes its own list, and a night is the sum of the lists'],
          questions: ['How do we count a moth that was counted on both phones?'],
        },
      ],
      [
        49,
        'createState',
        {
          name: 'Counts are added',
          conversationContext: 'Saved once more.',
          activeTask: 'Writing the decision down',
          activeFiles: ['Mothlog/Sync decisions.md'],
          nextSteps: [],
        },
        'refused',
      ],
    ],
  },
  {
    from: '2026-11-14T09:10:00Z',
    as: 'laptop',
    session: 'mixed-model',
    workspace: 'Thesis',
    goal: 'Fit the family models',
    calls: [
      [0, 'loadState', { name: 'figures for chapter 3' }],
      [
        75,
        'createState',
        {
          name: 'Family models fitted',
          description: 'Geometrids yes, noctuids hardly, micro-moths open',
          conversationContext:
            'Negative binomial with park and night as random effects converges for geometrids and noctuids. Micro-moths have too few warm nights; the model is singular.',
          activeTask: 'Deciding what to do with the micro-moths',
          activeFiles: ['Thesis/Chapter 3.md', 'Thesis/Methods.md', 'analysis/families.R'],
          nextSteps: [
            'Try micro-moths with a weekly sum',
            'Table of estimates, with intervals',
            'Send section 3.2 to Prof. Lindqvist',
          ],
          tags: ['results', 'model'],
        },
      ],
    ],
  },
  {
    from: '2026-11-15T13:30:00Z',
    as: 'phone',
    session: 'seed-catalogue',
    workspace: 'Allotment',
    goal: 'Make the seed order',
    calls: [
      [0, 'loadState', { name: 'Before the frost' }],
      [
        22,
        'createState',
        {
          name: 'Seed order drafted',
          conversationContext:
            'Beds turn by one: potatoes go south, cabbage north. The order follows from that. Broad beans are sown in February.',
          activeTask: 'Checking what is left in the tin before ordering',
          activeFiles: ['Garden/Seed order.md', 'Garden/Beds 2027.md'],
          nextSteps: [
            'Look into the seed tin',
            'Order before 15 January',
            'Ask Ingrid whether she shares the potatoes',
          ],
          tags: ['seeds', '2027'],
        },
      ],
    ],
  },
  {
    from: '2026-11-16T18:45:00Z',
    as: 'laptop',
    session: 'red-night-mode',
    workspace: 'Mothlog',
    goal: 'Ship the night mode',
    calls: [
      [0, 'loadWorkspace', { name: 'Mothlog' }],
      [
        64,
        'createState',
        {
          name: 'Night mode shipped',
          conversationContext:
            'Pure red on black, nothing blinks. Tested on the balcony with two phones; eyes stay adapted.',
          activeTask: 'Release 0.9',
          activeFiles: ['Mothlog/Roadmap.md'],
          nextSteps: ['Write the release note', 'Begin offline counting'],
          tags: ['release'],
        },
      ],
      [
        70,
        'updateWorkspace',
        { name: 'Mothlog', keyFiles: ['Mothlog/Roadmap.md', 'Mothlog/Sync decisions.md'] },
      ],
    ],
  },
  {
    from: '2026-11-17T07:55:00Z',
    as: 'laptop',
    session: 'tidying-up',
    workspace: 'Flat move',
    goal: 'Put away what is done',
    calls: [
      [
        0,
        'createState',
        {
          name: 'Deposit is back',
          conversationContext: 'The deposit arrived in full. Nothing is left to do.',
          activeTask: 'None',
          activeFiles: [],
          nextSteps: [],
          tags: ['done'],
        },
      ],
      [2, 'archiveWorkspace', { name: 'Flat move' }],
    ],
  },
  {
    from: '2026-11-17T16:10:00Z',
    as: 'laptop',
    session: 'lamps-in-may',
    workspace: 'Thesis',
    goal: 'Write section 3.3',
    calls: [
      [0, 'loadState', { name: 'Family models fitted' }],
      [5, 'searchMemory', { query: 'new lamps before after', workspaceId: 'Thesis' }],
      [
        90,
        'createState',
        {
          name: 'Lamps in May, first try',
          conversationContext:
            'The three parks with new lamps look recovered within one season, but two of the nights were full moon.',
          activeTask: 'Section 3.3, first paragraph',
          activeFiles: ['Thesis/Chapter 3.md', 'Thesis/Trap nights 2026.md'],
          nextSteps: ['Check the moon before writing on'],
          tags: ['results'],
        },
      ],
    ],
  },
  {
    from: '2026-11-18T19:30:00Z',
    as: 'laptop',
    session: 'moon-in-the-model',
    workspace: 'Thesis',
    goal: 'Put the moon into the model',
    calls: [
      [0, 'loadState', { name: 'lamps in may, first try' }],
      [
        95,
        'createState',
        {
          name: 'Moon in the model',
          description: 'The effect of the lamps holds, a little smaller',
          conversationContext:
            'Prof. Lindqvist asked for the moon. As a share of the disc it explains a fifth of what the lamps seemed to do; the rest holds (ratio 1.24, interval 1.08 to 1.43). All three figures have been redrawn with it.',
          activeTask: 'Rewriting section 3.3 with the new estimates',
          activeFiles: [
            'Thesis/Chapter 3.md',
            'Thesis/Methods.md',
            'Thesis/Trap nights 2026.md',
            'analysis/moon.R',
          ],
          nextSteps: [
            'Replace the estimates in 3.3',
            'One sentence on the moon in the methods',
            'Micro-moths: weekly sums or an appendix?',
            'Send the chapter to Prof. Lindqvist on Friday',
          ],
          tags: ['results', 'model', 'moon'],
          decisions: ['The moon enters the models as the lit share of its disc'],
          questions: ['Micro-moths: weekly sums or an appendix?'],
        },
      ],
      [
        97,
        'createRecord',
        { resource: 'phase', title: 'Chapter 3', body: 'To Prof. Lindqvist on Friday.' },
      ],
      [
        98,
        'createRecord',
        {
          resource: 'issue',
          title: 'Replace the estimates in 3.3',
          phase: 'Chapter 3',
          files: ['Thesis/Chapter 3.md'],
        },
      ],
      [96, 'archiveState', { name: 'Lamps in May, first try' }],
    ],
  },
  {
    from: '2026-11-19T17:40:00Z',
    as: 'laptop',
    session: 'offline-counting',
    workspace: 'Mothlog',
    goal: 'Offline counting',
    calls: [
      [0, 'loadState', { name: 'Counts are added' }],
      [1, 'loadState', { name: 'Sync prototype' }, 'refused'],
      [
        83,
        'createState',
        {
          name: 'Offline counting, half way',
          description: 'Lists merge; the trap page still waits for the server',
          conversationContext:
            'Each phone keeps its list in the browser and merges by adding. The property test found one mistake: a correction was counted twice. Fixed. The trap page still asks the server before it opens.',
          activeTask: 'Opening the trap page without a signal',
          activeFiles: [
            'Mothlog/Sync decisions.md',
            'Mothlog/Roadmap.md',
            'src/night/sum.ts',
            'src/pages/trap.tsx',
          ],
          nextSteps: [
            'Open the trap page from the cache',
            'Show what is not sent yet',
            'Try it in the cellar',
          ],
          tags: ['offline', 'in-progress'],
        },
      ],
    ],
  },
  {
    from: '2026-11-20T07:15:00Z',
    as: 'phone',
    session: 'breakfast',
    workspace: 'Allotment',
    goal: 'What is left for the weekend',
    calls: [
      [0, 'loadState', { name: 'Seed order drafted' }],
      [
        4,
        'createState',
        {
          name: 'Weekend list',
          conversationContext: 'First frost tonight. The water is off, the leeks are covered.',
          activeTask: 'One visit on Saturday',
          activeFiles: ['Garden/Beds 2027.md', 'Journal/2026-11-18.md'],
          nextSteps: ['Leaves on the north bed', 'Bring the seed tin home'],
          tags: ['winter'],
        },
      ],
    ],
  },
  {
    from: '2026-11-20T08:20:00Z',
    as: 'laptop',
    session: 'friday-morning',
    workspace: 'Thesis',
    goal: 'Finish chapter 3 for Prof. Lindqvist',
    calls: [
      [0, 'loadState', { name: 'moon in the model' }],
      [3, 'searchMemory', { query: 'micro-moths weekly sum', workspaceId: 'Thesis' }],
      [
        36,
        'createState',
        {
          name: 'Chapter 3 ready to send',
          description: 'Micro-moths go to the appendix',
          conversationContext:
            'Section 3.3 has the new estimates and one sentence on the moon. The micro-moths go to an appendix with weekly sums, said plainly as a limit.',
          activeTask: 'Last reading before it goes out',
          activeFiles: ['Thesis/Chapter 3.md', 'Thesis/Outline.md'],
          nextSteps: ['Read it aloud once', 'Send it', 'Then begin the discussion'],
          tags: ['results', 'milestone'],
        },
      ],
      [
        37,
        'createRecord',
        {
          resource: 'decision',
          title: 'Micro-moths go to an appendix with weekly sums',
          body: 'The model with nights is singular: there are too few warm nights.',
          files: ['Thesis/Chapter 3.md'],
        },
      ],
      [
        38,
        'updateRecord',
        {
          title: 'Micro-moths: weekly sums or an appendix?',
          status: 'done',
        },
      ],
      [39, 'updateRecord', { title: 'Replace the estimates in 3.3', status: 'done' }],
      [
        40,
        'createRecord',
        {
          resource: 'issue',
          title: 'Send chapter 3 to Prof. Lindqvist',
          phase: 'Chapter 3',
          files: ['Thesis/Chapter 3.md'],
          remindAt: '2026-11-20',
        },
      ],
      [
        41,
        'createRecord',
        {
          resource: 'issue',
          title: 'Begin the discussion',
          needs: ['Send chapter 3 to Prof. Lindqvist'],
        },
      ],
    ],
  },
];

/** All calls in the order in which they were made. */
export const story: readonly StoryCall[] = scenes.flatMap(({ from, calls, ...scene }) =>
  calls.map(([minutes, tool, params, outcome]) => ({
    ...scene,
    at: new Date(Date.parse(from) + minutes * MINUTE).toISOString(),
    tool,
    params,
    isRefused: outcome === 'refused',
  })),
);

const changed: Readonly<Record<string, string>> = {
  'Thesis/Outline.md': '2026-11-09T09:30:00Z',
  'Thesis/Chapter 1.md': '2026-10-02T10:00:00Z',
  'Thesis/Chapter 3.md': '2026-11-20T08:50:00Z',
  'Thesis/Methods.md': '2026-11-18T20:40:00Z',
  'Thesis/Trap nights 2026.md': '2026-10-01T19:00:00Z',
  'Garden/Beds 2027.md': '2026-11-15T13:45:00Z',
  'Garden/Seed order.md': '2026-11-18T06:30:00Z',
  'Mothlog/Roadmap.md': '2026-11-16T19:40:00Z',
  'Mothlog/Sync decisions.md': '2026-11-12T18:02:00Z',
  'Journal/2026-11-18.md': '2026-11-18T22:15:00Z',
};

/**
 * Modification times of notes (milliseconds since 1970). Some are newer than a state that names
 * them, some named files are not in this vault, and all other notes are as old as the story.
 */
export const noteTimes: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(changed).map(([path, time]) => [path, Date.parse(time)]),
);

export const STORY_START = Date.parse('2026-11-05T18:00:00Z');
