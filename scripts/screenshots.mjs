/** Takes screenshots of the plugin in the simulated Obsidian: dark and light, desktop and phone. */
import { build } from 'esbuild';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { readSampleVault } from './host-page.mjs';

const HELP = `Usage: npm run screenshots [-- options]

Takes the README's screenshots, and one of every view in both themes and
widths. main.js must have been built.

  --to DIR     Folder for the README's pictures. Default: docs/pictures
  --all DIR    Folder for all pictures. Default: a temporary folder
  --only TEXT  Only pictures with this text in their name, such as "palette" or "phone"
  --bare       Without the plugin: the simulated Obsidian alone.
  --help       Show this text.
`;

/** Names of the screenshots that are the README's pictures, by file name. */
const CHOSEN = {
  timeline: 'timeline-light-wide',
  state: 'state-dark-wide',
  palette: 'palette-light-wide',
};

const FORMS = {
  wide: { isMobile: false, width: 1280, height: 800 },
  phone: { isMobile: true, width: 320, height: 640 },
};

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
 * The screenshots, with the steps from the app's start. `model` scripts the model's answers, and `reads` is its context length.
 * With `isEmpty`, nothing has been saved in the vault.
 */
const VIEWS = [
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
      press('All conversations'),
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
      press('Regenerate'),
      answered(),
      seen(/^[12] of 2$/),
    ],
  },
  {
    name: 'chat-resumed',
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
      press('All conversations'),
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
      press('Save state'),
      shown('Fill in again'),
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
    steps: [note('Chapter 3'), command('Open chat'), press('Add a provider')],
  },
];

function note(link) {
  return ({ page }) =>
    page.evaluate((to) => globalThis.__host.host.app.workspace.openLinkText(to, ''), link);
}

function command(title) {
  return (host) => host.runCommand(`Savepoint: ${title}`);
}

/** Types into the chat. */
function type(words) {
  return ({ page }) => page.locator('.savepoint-composer textarea').pressSequentially(words);
}

function say(words) {
  return async (host) => {
    await type(words)(host);
    await host.page.keyboard.press('Enter');
  };
}

function pause(ms) {
  return ({ page }) => page.waitForTimeout(ms);
}

/** Waits for a button of the chat by its label. */
function shown(label) {
  return ({ page }) => page.getByRole('button', { name: label, exact: true }).waitFor();
}

function answered() {
  return async ({ page }) => {
    await page.locator('.savepoint-message.mod-answer').first().waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  };
}

function press(label) {
  return ({ page }) => page.getByRole('button', { name: label, exact: true }).click();
}

/** Chooses in the open picker, then dismisses the confirming notice. */
function choose(text) {
  return async ({ page }) => {
    await page.locator('.prompt-input').fill(text);
    await page.locator('.prompt-results .suggestion-item').getByText(text).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.notice').first().click();
  };
}

/** Chooses in the state picker, which closes. */
function pick(text) {
  return async ({ page }) => {
    await page.locator('.prompt-results .suggestion-item').getByText(text).first().click();
  };
}

function typeInto(selector, words) {
  return ({ page }) => page.locator(selector).fill(words);
}

function seen(text) {
  return ({ page }) => page.getByText(text, { exact: true }).waitFor();
}

/** Passes a file to the open file dialog. */
function bring(text) {
  return async ({ page }) => {
    await page.locator('.modal input[type=file]').setInputFiles({
      name: 'conversations.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
    await page.getByRole('button', { name: 'Show conversations' }).waitFor();
  };
}

/** Clicks the element whose whole text is `text`. */
function click(text) {
  return ({ page }) =>
    page
      .locator('[class*="savepoint-"]')
      .getByText(text, { exact: true })
      .last()
      .click({ timeout: 10_000 });
}

function settings(tab) {
  return ({ page }) =>
    page.evaluate((id) => {
      const { setting } = globalThis.__host.host.app;
      setting.open();
      setting.openTabById(id);
    }, tab);
}

async function main() {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: 'docs/pictures' },
      all: { type: 'string' },
      only: { type: 'string', default: '' },
      bare: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const { openHost } = await loadTestModule('tests/host/chromium.ts');
  const { startModelServer } = await loadTestModule('tests/fakes/model-server.ts');
  const folder =
    values.all === undefined
      ? await mkdtemp(join(tmpdir(), 'savepoint-pictures-'))
      : resolve(values.all);
  await mkdir(folder, { recursive: true });
  await mkdir(resolve(values.to), { recursive: true });
  const sample = await readSampleVault();
  const now = Math.max(...Object.values(sample).map(({ mtime }) => mtime)) + 9 * 60_000;
  for (const view of VIEWS) {
    for (const [form, size] of Object.entries(FORMS)) {
      const themes = ['light', 'dark'].filter((theme) =>
        `${view.name}-${theme}-${form}`.includes(values.only),
      );
      if (themes.length === 0) continue;
      const files = view.isEmpty ? { 'Note.md': 'A note.' } : sample;
      const server =
        view.model &&
        (await startModelServer('chat', structuredClone(view.model), {
          facts: { context_length: view.reads },
        }));
      const host = await openHost({
        now,
        theme: 'light',
        ...size,
        files: server ? { ...files, ...settingsFor(server) } : files,
        ...(server && { connect: [server.origin] }),
        ...(values.bare && { plugin: null }),
      });
      try {
        for (const step of view.steps) await step(host);
      } catch (error) {
        await host.close().catch(() => undefined); // an open browser would keep this process running
        throw error;
      }
      await host.page.mouse.move(1, size.height / 2); // where nothing reacts to hovering
      for (const theme of themes) {
        const name = `${view.name}-${theme}-${form}`;
        await host.setTheme(theme);
        await host.page.waitForTimeout(SETTLED_AFTER_MS);
        const picture = await host.page.screenshot({ path: join(folder, `${name}.png`) });
        for (const [chosen] of Object.entries(CHOSEN).filter(([, of]) => of === name))
          await writeFile(resolve(values.to, `${chosen}.png`), picture);
      }
      const others = host.pageErrors.filter(
        (error) => !error.startsWith('Failed to load resource'),
      ); // from a model answer that is an error by design
      host.pageErrors.splice(0, Infinity, ...others);
      await host.close();
      await server?.close();
    }
  }
  process.stdout.write(`${folder}\n`);
}

/** Longer than any transition. */
const SETTLED_AFTER_MS = 400;

/** Plugin settings with a model server. */
function settingsFor({ origin }) {
  const providers = { compatible: { address: `${origin}/v1`, model: 'small' } };
  return {
    '.obsidian/plugins/savepoint/data.json': JSON.stringify({
      providers,
      chatProvider: 'compatible',
    }),
  };
}

/** Bundles and imports a TypeScript module of the tests; packages and sibling scripts are imported unchanged. */
async function loadTestModule(path) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const outfile = join(root, 'node_modules/.cache/savepoint', `${basename(path, '.ts')}.mjs`);
  const keepScripts = {
    name: 'keep-scripts',
    setup: ({ onResolve }) =>
      onResolve({ filter: /\.mjs$/ }, ({ path, resolveDir }) => ({
        path: pathToFileURL(resolve(resolveDir, path)).href,
        external: true,
      })),
  };
  const form = {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
  };
  await build({ ...form, entryPoints: [path], outfile, plugins: [keepScripts] });
  return import(pathToFileURL(outfile).href);
}

await main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
