/** Steps that scripts take in the simulated Obsidian, and what they need to open it. */
import { build } from 'esbuild';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Longer than any transition. */
const SETTLED_AFTER_MS = 400;

/**
 * Returns a screenshot with the mouse where nothing reacts to it, taken after all transitions have
 * ended.
 */
export async function takePicture(page) {
  await page.mouse.move(1, page.viewportSize().height - 2);
  await page.waitForTimeout(SETTLED_AFTER_MS);
  return page.screenshot();
}

/** Plugin settings with a model server. */
export function settingsFor({ origin }) {
  const providers = { compatible: { address: `${origin}/v1`, model: 'small' } };
  return {
    '.obsidian/plugins/savepoint/data.json': JSON.stringify({
      providers,
      chatProvider: 'compatible',
    }),
  };
}

/**
 * Bundles and imports a TypeScript module of the tests; packages and sibling scripts are imported
 * unchanged.
 */
export async function loadTestModule(path) {
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

export function note(link) {
  return ({ page }) =>
    page.evaluate((to) => globalThis.__host.host.app.workspace.openLinkText(to, ''), link);
}

export function command(title) {
  return (host) => host.runCommand(`Savepoint: ${title}`);
}

/** Types into the chat. */
export function type(words) {
  return ({ page }) => page.locator('.savepoint-composer textarea').pressSequentially(words);
}

export function say(words) {
  return async (host) => {
    await type(words)(host);
    await host.page.keyboard.press('Enter');
  };
}

export function pause(ms) {
  return ({ page }) => page.waitForTimeout(ms);
}

/** Waits for a button of the chat by its label. */
export function shown(label) {
  return ({ page }) => page.getByRole('button', { name: label, exact: true }).waitFor();
}

export function answered() {
  return async ({ page }) => {
    await page.locator('.savepoint-message.mod-answer').first().waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  };
}

export function press(label) {
  return ({ page }) => page.getByRole('button', { name: label, exact: true }).click();
}

/** Chooses an entry of the conversation's menu. */
export function fromMenu(label) {
  return async ({ page }) => {
    await page.locator('.savepoint-chat .savepoint-header button').click();
    await page.locator('.menu-item', { hasText: label }).click();
  };
}

/** Presses an icon of the last answer, which is a menu item on a phone. */
export function ofAnswer(label) {
  return async ({ page }) => {
    const buttons = page.locator('.savepoint-message.mod-answer').last().getByRole('button');
    const icon = buttons.and(page.getByRole('button', { name: label, exact: true }));
    if ((await icon.count()) > 0) return icon.click();
    await buttons.last().click();
    await page.locator('.menu-item', { hasText: label }).click();
  };
}

/** Chooses in the open picker, then dismisses the confirming notice. */
export function choose(text) {
  return async ({ page }) => {
    await page.locator('.prompt-input').fill(text);
    await page.locator('.prompt-results .suggestion-item').getByText(text).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.notice').first().click();
  };
}

/** Chooses in the state picker, which closes. */
export function pick(text) {
  return async ({ page }) => {
    await page.locator('.prompt-results .suggestion-item').getByText(text).first().click();
  };
}

export function typeInto(selector, words) {
  return ({ page }) => page.locator(selector).fill(words);
}

export function seen(text) {
  return ({ page }) => page.getByText(text, { exact: true }).waitFor();
}

/** Passes a file to the open file dialog. */
export function bring(text) {
  return async ({ page }) => {
    await page.locator('.modal input[type=file]').setInputFiles({
      name: 'conversations.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
    await page.getByRole('button', { name: 'Show conversations' }).waitFor();
  };
}

/** Clicks the visible element whose whole text is `text`. */
export function click(text) {
  return ({ page }) =>
    page
      .locator('[class*="savepoint-"]')
      .getByText(text, { exact: true })
      .filter({ visible: true })
      .last()
      .click({ timeout: 10_000 });
}

export function settings(tab) {
  return ({ page }) =>
    page.evaluate((id) => {
      const { setting } = globalThis.__host.host.app;
      setting.open();
      setting.openTabById(id);
    }, tab);
}
