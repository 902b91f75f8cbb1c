/** The views that npm run screenshots takes, and the scripted answers of the model in them. */
import {
  note,
  command,
  type,
  say,
  pause,
  shown,
  answered,
  press,
  choose,
  pick,
  typeInto,
  seen,
  bring,
  click,
  fromMenu,
  ofAnswer,
  settings,
} from './host-steps.mjs';

const ANSWER =
  'Geometrids fall by a third, noctuids hardly at all ([[Chapter 3]]). Two of the nights after the change were **full moons**:\n\n' +
  '| Park | Before | After |\n|---|---|---|\n| North | 310 | 214 |\n| Quay | 298 | 201 |\n\nShall I save where we are?';
const SAVING = {
  name: 'Moon checked',
  conversationContext: 'We compared the nights.',
  activeTask: 'Write 3.3',
  activeFiles: ['Thesis/Chapter 3.md'],
  nextSteps: ['Take the full moons out'],
};
const ASKING = [
  { says: [{ text: ANSWER }, { call: { id: 'call-1', name: 'createState', args: SAVING } }] },
  { says: [{ text: 'Saved.' }] },
];
const STREAMING = [
  {
    says: [
      { reasoning: 'The table first.' },
      ...ANSWER.split(' ').map((word) => ({ text: `${word} ` })),
    ],
    pace: 40,
  },
];
/** A claude.ai export. */
const OLD_CHATS = JSON.stringify([
  {
    uuid: 'old-1',
    name: 'Moth traps',
    created_at: '2025-06-01T20:00:00Z',
    chat_messages: [
      {
        uuid: '1',
        sender: 'human',
        text: 'How bright may a trap be?',
        attachments: [{ file_name: 'traps.csv', extracted_content: 'trap,lux' }],
      },
      {
        uuid: '2',
        sender: 'assistant',
        text: 'As bright as the **darkest** night allows: compare traps only within one park.',
      },
    ],
  },
  { uuid: 'old-2', name: 'Empty', chat_messages: [] },
]);
const TOO_LONG = [
  { status: 400, body: '{"error":{"message":"The maximum context length is 8192 tokens"}}' },
];

/**
 * The screenshots, with the steps from the app's start. `model` scripts the model's answers, and
 * `reads` is its context length. With `isEmpty`, nothing has been saved in the vault.
 */
export const VIEWS = [
  { name: 'first-run', isEmpty: true, steps: [note('Note'), command('Open chat')] },
  { name: 'first-memory', isEmpty: true, steps: [note('Note'), command('Open memory')] },
  { name: 'note', steps: [note('Chapter 3')] },
  { name: 'palette', steps: [note('Start here'), (host) => host.openPalette('savepoint')] },
  { name: 'settings', steps: [note('Start here'), settings('savepoint')] },
  { name: 'workspaces', steps: [note('Chapter 3'), command('Open memory')] },
  { name: 'timeline', steps: [note('Chapter 3'), command('Open memory'), click('Thesis')] },
  {
    name: 'state',
    steps: [note('Chapter 3'), command('Open memory'), click('Thesis'), click('Moon in the model')],
  },
  {
    name: 'record',
    steps: [
      note('Chapter 3'),
      command('Open memory'),
      click('Thesis'),
      click('Micro-moths go to an appendix with weekly sums'),
    ],
  },
  { name: 'new-decision', steps: [note('Chapter 3'), command('New decision')] },
  { name: 'mark-done', steps: [note('Chapter 3'), command('Mark done')] },
  { name: 'notes-pane', steps: [note('Chapter 3'), command('Open memory of this note')] },
  {
    name: 'save-state',
    steps: [
      note('Chapter 3'),
      command('Switch workspace'),
      choose('Thesis'),
      command('Save state'),
    ],
  },
  {
    name: 'search-memory',
    steps: [
      note('Chapter 3'),
      command('Search memory'),
      typeInto('.prompt-input', 'moon'),
      pause(1500),
    ],
  },
  { name: 'resume-state', steps: [note('Start here'), command('Resume state')] },
  { name: 'chat-first', steps: [note('Chapter 3'), command('Open chat')] },
  { name: 'chat-tools', steps: [note('Chapter 3'), command('Open chat'), type('/')] },
  {
    name: 'chat-notes',
    steps: [note('Chapter 3'), command('Open chat'), type('Compare with [[ch')],
  },
  {
    name: 'chat-streaming',
    model: STREAMING,
    steps: [
      note('Chapter 3'),
      command('Open chat'),
      say('What did the lamps change?'),
      pause(2000),
    ],
  },
  {
    name: 'chat-answer',
    model: [{ says: [{ text: ANSWER }] }],
    steps: [note('Chapter 3'), command('Open chat'), say('What did the lamps change?'), answered()],
  },
  {
    name: 'chat-asking',
    model: ASKING,
    steps: [
      note('Chapter 3'),
      command('Open chat'),
      say('What did the lamps change?'),
      shown('Allow once'),
    ],
  },
  {
    name: 'chat-allowed',
    model: ASKING,
    steps: [
      note('Chapter 3'),
      command('Open chat'),
      say('Save it'),
      shown('Allow once'),
      click('Allow once'),
      answered(),
    ],
  },
  {
    name: 'chat-failed',
    model: TOO_LONG,
    steps: [note('Chapter 3'), command('Open chat'), say('And 2027?'), shown('Try again')],
  },
  {
    name: 'chat-list',
    model: [{ says: [{ text: ANSWER }] }],
    steps: [
      note('Chapter 3'),
      command('Open chat'),
      say('What did the lamps change?'),
      answered(),
      fromMenu('All conversations'),
    ],
  },
  {
    name: 'chat-branch',
    model: [
      { says: [{ text: ANSWER }] },
      {
        says: [
          { text: 'In short: by a third, moths of the night hardly at all. See [[Chapter 3]].' },
        ],
      },
    ],
    steps: [
      note('Chapter 3'),
      command('Open chat'),
      say('What did the lamps change?'),
      answered(),
      ofAnswer('Regenerate'),
      answered(),
      seen(/^[12] of 2$/),
    ],
  },
  {
    name: 'chat-resumed',
    model: [{ says: [{ text: ANSWER }] }],
    steps: [
      note('Chapter 3'),
      command('Switch workspace'),
      choose('Thesis'),
      command('Resume state'),
      pick('Moon in the model'),
    ],
  },
  {
    name: 'chat-search',
    model: [{ says: [{ text: ANSWER }] }],
    steps: [
      note('Chapter 3'),
      command('Open chat'),
      say('What did the lamps change?'),
      answered(),
      fromMenu('All conversations'),
      typeInto('.savepoint-view input[type=search]', 'full moons'),
      pause(500),
    ],
  },
  {
    name: 'chat-near-limit',
    model: [{ says: [{ text: ANSWER }] }],
    reads: 140,
    steps: [
      note('Chapter 3'),
      command('Open chat'),
      say('What did the lamps change?'),
      answered(),
      shown('Not now'),
    ],
  },
  {
    name: 'chat-drafted',
    model: [
      { says: [{ text: ANSWER }] },
      {
        says: [
          {
            text: JSON.stringify({
              ...SAVING,
              description: 'What the full moons do to the counts.',
            }),
          },
        ],
      },
    ],
    steps: [
      note('Chapter 3'),
      command('Open chat'),
      say('What did the lamps change?'),
      answered(),
      fromMenu('Save state'),
      press('Fill in'),
      pause(1500),
      shown('Fill in'),
    ],
  },
  {
    name: 'chat-imported',
    steps: [
      note('Chapter 3'),
      command('Import chats'),
      bring(OLD_CHATS),
      press('Show conversations'),
      click('Moth traps'),
    ],
  },
  { name: 'chat-import', steps: [note('Chapter 3'), command('Import chats'), bring(OLD_CHATS)] },
  {
    name: 'chat-provider',
    steps: [note('Chapter 3'), command('Open chat'), press('Set up a model')],
  },
];
