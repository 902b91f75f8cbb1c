/** A decision as a person or a model words it. */
export interface PairedDecision {
  readonly title: string;
  readonly body?: string;
  readonly files?: readonly string[];
}

/** Two decisions of one workspace, the older one first. */
export type DecisionPair = readonly [PairedDecision, PairedDecision];

const titles = (older: string, newer: string): DecisionPair => [{ title: older }, { title: newer }];

/** Pairs of which both cannot hold at once. */
export const CONTRADICTIONS: readonly DecisionPair[] = [
  titles('Use JWT for auth', 'Use session cookies for auth'),
  titles('Store notes in SQLite', 'Store notes in plain Markdown files'),
  titles('Deploy every Friday', 'No deployments on Fridays'),
  titles('Use PostgreSQL as the main database', 'Switch the main database to MongoDB'),
  titles('Indent with tabs', 'Indent with two spaces'),
  titles('Retry failed uploads three times', 'Retry failed uploads five times'),
  titles('The novel is told in first person', 'Tell the novel in third person'),
  titles('Release under the MIT licence', 'Release under the GPL'),
  titles('Support Node 18 and later', 'Drop support for Node 18'),
  titles('Chapter two stays before the interlude', 'Move chapter two after the interlude'),
  titles('Keep the sidebar open by default', 'The sidebar is closed by default'),
  titles('Cite sources in APA style', 'Cite sources in Chicago style'),
  titles('Plant tomatoes in the north bed', 'Tomatoes go into the south bed'),
  titles('Public API returns XML', 'Our public API will only return JSON'),
  titles('Run the tests with Jest', 'Run all tests with Vitest from now on'),
  titles('The budget for the kitchen is 8,000 euros', 'Kitchen budget raised to 12,000 euros'),
  titles('Meet weekly on Monday mornings', 'Weekly meeting moves to Thursday'),
  titles('Error messages are in German only', 'Write error messages in English'),
  titles('Cache responses for one hour', 'Do not cache responses'),
  titles('Use REST between the services', 'Services talk to each other over gRPC'),
  titles('Passwords are hashed with bcrypt', 'Hash passwords with argon2id'),
  titles('Publish the newsletter on Tuesdays', 'The newsletter comes out on Sundays'),
  titles('Feature branches are squashed on merge', 'Merge feature branches without squashing'),
  titles('No telemetry', 'Collect anonymous telemetry'),
  titles('Ship the beta in March', 'The beta ships in May'),
  titles('Charge customers monthly', 'Customers are charged once a year'),
  titles('Interviews are recorded on video', 'Record interviews as audio only'),
  titles('Use British spelling', 'Spelling is American throughout'),
  titles('The hero dies at the end', 'Let the hero survive at the end'),
  titles('Log to stdout', 'Write logs to a file, not to stdout'),
  titles('Use React for the settings page', 'Settings page: rewrite in Svelte'),
  titles('Limit attachments to 10 MB', 'Allow attachments up to 50 MB'),
  titles('Sync runs every five minutes', 'Sync only when the user asks for it'),
  titles(
    'Exclude pilot participants from the analysis',
    'Include the pilot participants in the analysis',
  ),
  titles('Sample size is 40 participants', 'Recruit a sample of 60 participants'),
  titles('Dates are shown as DD.MM.YYYY', 'Show dates in ISO format'),
  titles('Rent the flat in Lisbon', 'Buy a flat in Lisbon instead of renting'),
  titles('Train leaves at nine', 'Take the train at noon'),
  titles('Use npm workspaces in the monorepo', 'Switch the monorepo to pnpm'),
  titles('Users sign in with a password', 'Users sign in by magic link'),
  titles('All dates are stored in local time', 'Store dates in UTC'),
  titles('Delete inactive accounts after one year', 'Never delete inactive accounts'),
  titles('Anna reviews the grant proposal', 'Ben will review the grant proposal'),
  titles('Images are lazy-loaded', 'Load images eagerly'),
  [
    { title: 'Keep tokens short-lived', files: ['src/auth/token.ts'] },
    { title: 'Refresh only at login', files: ['src/auth/token.ts'] },
  ],
  [
    { title: 'Start with the fire', body: 'See [[Prologue]]: readers need a hook.' },
    { title: 'Open calmly', body: 'The first scene of [[Prologue]] shows the village at rest.' },
  ],
  [
    { title: 'Read settings once', body: 'src/config/load.ts reads them at start and keeps them.' },
    {
      title: 'Reload on every request',
      body: 'Change src/config/load.ts so that edits apply at once.',
    },
  ],
  [
    { title: 'One index per language', files: ['docs/search-format.md'] },
    { title: 'A single index', body: 'Merge the languages, see docs/search-format.md.' },
  ],
  [
    { title: 'Queue: Redis', body: 'Jobs are kept in Redis because it is already running.' },
    { title: 'Queue: Postgres', body: 'Fewer moving parts than a second store.' },
  ],
  [
    { title: 'Walls in the living room will be white' },
    { title: 'Paint the living room green', body: 'The samples looked best in the evening.' },
  ],
];

/** Pairs that can hold together, although they come from the same work and share words. */
export const COMPATIBLE: readonly DecisionPair[] = [
  titles('Use JWT for auth', 'Log failed sign-ins to Sentry'),
  titles('Store notes in SQLite', 'Show the newest notes first'),
  titles('Use PostgreSQL as the main database', 'Back up every night to S3'),
  titles('Deploy every Friday', 'Use feature flags for unfinished work'),
  titles('Indent with tabs', 'Lines have at most 100 characters'),
  titles('Retry failed uploads three times', 'Uploads are scanned for viruses'),
  titles('The novel is told in first person', 'The novel is set in Trieste'),
  titles('Release under the MIT licence', 'Releases are signed'),
  titles('Support Node 18 and later', 'Support phones only with a keyboard layout of their own'),
  titles('Cite sources in APA style', 'Figures get a caption below'),
  titles('Plant tomatoes in the north bed', 'Sow carrots in April'),
  titles('Public API returns JSON', 'API keys expire after a year'),
  titles('Run the tests with Vitest', 'Type-check in the editor only'),
  titles('The budget for the kitchen is 8,000 euros', 'The kitchen gets an induction hob'),
  titles('Meet weekly on Monday mornings', 'Anna takes the minutes'),
  titles('Error messages are in English', 'Log files rotate daily'),
  titles('Cache responses for one hour', 'Compress responses with brotli'),
  titles('Use REST between the services', 'Each service owns its schema'),
  titles('Passwords are hashed with argon2id', 'Ask for a password again before payment'),
  titles('Publish the newsletter on Tuesdays', 'The newsletter has no images'),
  titles('Feature branches are squashed on merge', 'Two reviews per pull request'),
  titles('No telemetry', 'No dark patterns'),
  titles('Ship the beta in March', 'The beta is invitation only'),
  titles('Charge customers monthly', 'Students get half price'),
  titles('Interviews are recorded on video', 'Interviews last forty minutes'),
  titles('Use British spelling', 'Use short sentences'),
  titles('The hero dies at the end', 'The hero has a sister'),
  titles('Log to stdout', 'Exit with 2 on wrong usage'),
  titles('Use React for the settings page', 'Use Zod for validation'),
  titles('Limit attachments to 10 MB', 'Limit titles to 200 characters'),
  titles('Sync runs every five minutes', 'Health checks run every minute'),
  titles('Exclude pilot participants from the analysis', 'Participants are paid 12 euros'),
  titles('Sample size is 40 participants', 'Use a mixed model for repeated measures'),
  titles('Show dates in ISO format', 'Show prices without decimals'),
  titles('Rent a flat in Lisbon', 'Fly to Porto and take the bus'),
  titles('Use pnpm in the monorepo', 'Pin exact versions of dependencies'),
  titles('Users sign in by magic link', 'Users can export their data'),
  titles('Store dates in UTC', 'Store amounts in cents'),
  titles('Never delete inactive accounts', 'Send a reminder to inactive users'),
  titles('Anna reviews the grant proposal', 'Ben books the venue'),
  titles('Load images lazily', 'Serve fonts from our own domain'),
  titles('Keep the sidebar open by default', 'New notes open in the current tab'),
  titles('Use Svelte', 'Use semantic version numbers'),
  titles('Paint the living room green', 'Oak floor in the hallway'),
  titles('Write the docs in Markdown', 'Docs live next to the code'),
  titles('Use one queue per tenant', 'Tenants are billed by seat'),
  [
    { title: 'Keep tokens short-lived', files: ['src/auth/token.ts'] },
    { title: 'Rate-limit sign-ins', files: ['src/auth/limit.ts'] },
  ],
  [
    { title: 'Start with the fire', body: 'Readers need a hook in [[Prologue]].' },
    { title: 'Give every chapter a date', body: 'Readers lost track, see [[Feedback]].' },
  ],
  [
    {
      title: 'Use Redis for the queue',
      body: 'It is already running for the cache, and the team knows it.',
    },
    {
      title: 'Use Playwright for browser tests',
      body: 'The team knows it, and it runs in CI already.',
    },
  ],
  [
    {
      title: 'Read settings once',
      body: 'They are read at start, because users rarely change them.',
    },
    { title: 'Ship a German translation', body: 'Many users asked for it; texts change rarely.' },
  ],
];
