/** Makes pictures of the plugin in the stand-in for Obsidian: dark and light, wide and on a phone. */
import { build } from 'esbuild';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { readSampleVault } from './host-page.mjs';

const HELP = `Usage: npm run screenshots [-- options]

Makes the pictures of the README, and one of every view in both themes and
widths. main.js must have been built.

  --to DIR     Where the README's pictures go. Default: docs/pictures
  --all DIR    Where all pictures go. Default: a temporary folder
  --only TEXT  Only pictures with this in their name, such as "palette" or "phone"
  --bare       Without the plugin: the stand-in alone.
  --help       Show this text.
`;

/** The README's pictures: name of the file, and of the picture that it is. */
const CHOSEN = { timeline: 'timeline-light-wide', state: 'state-dark-wide', palette: 'palette-light-wide' };

const FORMS = {
  wide: { isMobile: false, width: 1280, height: 800 },
  phone: { isMobile: true, width: 320, height: 640 },
};

/** What is to be seen: its name, and the steps from the start of the app. A new view is a new line. */
const VIEWS = [
  { name: 'note', steps: [note('Chapter 3')] },
  { name: 'palette', steps: [note('Start here'), (host) => host.openPalette('savepoint')] },
  { name: 'settings', steps: [note('Start here'), settings('savepoint')] },
  { name: 'workspaces', steps: [note('Chapter 3'), command('Open memory')] },
  { name: 'timeline', steps: [note('Chapter 3'), command('Open memory'), click('Thesis')] },
  { name: 'state', steps: [note('Chapter 3'), command('Open memory'), click('Thesis'), click('Moon in the model')] },
  { name: 'notes-pane', steps: [note('Chapter 3'), command('Open memory of this note')] },
  { name: 'save-state', steps: [note('Chapter 3'), command('Switch workspace'), choose('Thesis'), command('Save state')] },
  { name: 'resume-state', steps: [note('Start here'), command('Resume state')] },
];

function note(link) {
  return ({ page }) => page.evaluate((to) => globalThis.__host.host.app.workspace.openLinkText(to, ''), link);
}

function command(title) {
  return (host) => host.runCommand(`Savepoint: ${title}`);
}

/** Chooses in the picker that is open; the notice that says so is waited for and clicked away. */
function choose(text) {
  return async ({ page }) => {
    await page.locator('.prompt-input').fill(text);
    await page.locator('.prompt-results .suggestion-item').getByText(text).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.notice').first().click();
  };
}

/** Clicks what the plugin shows under this name: `text` is all of it. */
function click(text) {
  return ({ page }) => page.locator('[class*="savepoint-"]').getByText(text, { exact: true }).last().click({ timeout: 10_000 });
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
  const openHost = await loadOpenHost();
  const folder = values.all === undefined ? await mkdtemp(join(tmpdir(), 'savepoint-pictures-')) : resolve(values.all);
  await mkdir(folder, { recursive: true });
  await mkdir(resolve(values.to), { recursive: true });
  const files = await readSampleVault();
  const now = Math.max(...Object.values(files).map(({ mtime }) => mtime)) + 9 * 60_000;
  for (const view of VIEWS) {
    for (const [form, size] of Object.entries(FORMS)) {
      const themes = ['light', 'dark'].filter((theme) => `${view.name}-${theme}-${form}`.includes(values.only));
      if (themes.length === 0) continue;
      const host = await openHost({ files, now, theme: 'light', ...size, ...(values.bare && { plugin: null }) });
      for (const step of view.steps) await step(host);
      await host.page.mouse.move(1, size.height / 2); // where nothing is to be hovered over
      for (const theme of themes) {
        const name = `${view.name}-${theme}-${form}`;
        await host.setTheme(theme);
        await host.page.waitForTimeout(SETTLED_AFTER_MS);
        const picture = await host.page.screenshot({ path: join(folder, `${name}.png`) });
        for (const [chosen] of Object.entries(CHOSEN).filter(([, of]) => of === name))
          await writeFile(resolve(values.to, `${chosen}.png`), picture);
      }
      await host.close();
    }
  }
  process.stdout.write(`${folder}\n`);
}

/** Longer than any transition. */
const SETTLED_AFTER_MS = 400;

/** The tests' way into the browser is TypeScript, so it is bundled first; packages and the scripts beside this one stay what they are. */
async function loadOpenHost() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const outfile = join(root, 'node_modules/.cache/savepoint/chromium.mjs');
  const keepScripts = {
    name: 'keep-scripts',
    setup: ({ onResolve }) =>
      onResolve({ filter: /\.mjs$/ }, ({ path, resolveDir }) => ({ path: pathToFileURL(resolve(resolveDir, path)).href, external: true })),
  };
  const form = { absWorkingDir: root, bundle: true, format: 'esm', platform: 'node', target: 'node20', packages: 'external' };
  await build({ ...form, entryPoints: ['tests/host/chromium.ts'], outfile, plugins: [keepScripts] });
  const { openHost } = await import(pathToFileURL(outfile).href);
  return openHost;
}

await main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
