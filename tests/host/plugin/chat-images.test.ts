// Tier full: each wire form, paste and drop
import { expect, test } from 'vitest';
import type { Protocol } from '../../fakes/model-server.js';
import { AXE_THEMES, expectNoViolations } from '../axe.js';
import type { ChromiumHost } from '../chromium.js';
import {
  button,
  composer,
  forgetRefusals,
  messages,
  openChat,
  say,
  settled,
  type ChatOptions,
} from './chat-window.js';

/** A PNG of one red pixel. */
const RED =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

interface GivenFile {
  readonly name: string;
  /** The whole content in Base64; else zeros, as many as `size`. */
  readonly data?: string;
  readonly size?: number;
}

/** Gives files to the composer, as the clipboard or a drag from outside the app does. */
async function give(host: ChromiumHost, way: 'paste' | 'drop', file: GivenFile): Promise<void> {
  await composer(host).evaluate(
    (area, [how, { name, data, size = 0 }]) => {
      const bytes =
        data === undefined
          ? new Uint8Array(size)
          : Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name, { type: 'image/png' }));
      const init = { bubbles: true, cancelable: true };
      area.dispatchEvent(
        how === 'paste'
          ? new ClipboardEvent('paste', { ...init, clipboardData: transfer })
          : new DragEvent('drop', { ...init, dataTransfer: transfer }),
      );
    },
    [way, file] as const,
  );
}

const chips = ({ page }: ChromiumHost) => page.locator('.savepoint-chip:has(.savepoint-cut)');
const problem = ({ page }: ChromiumHost) => page.locator('.savepoint-composer-problem');

/** Returns the paths of the vault's images. */
async function storedImages(host: ChromiumHost): Promise<string[]> {
  return Object.keys(await host.snapshot()).filter((path) => path.endsWith('.png'));
}

/** Returns the log's text. */
async function logged(host: ChromiumHost): Promise<string> {
  const files = Object.entries(await host.snapshot());
  return JSON.stringify(files.filter(([path]) => path.startsWith('Savepoint/')));
}

const ANSWERS = [{ says: [{ text: 'It is red.' }] }, { says: [{ text: 'Still red.' }] }];

/** How each protocol carries the image. */
const WIRE: Record<Protocol, object> = {
  chat: { type: 'image_url', image_url: { url: `data:image/png;base64,${RED}` } },
  anthropic: {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: RED },
  },
  responses: { type: 'input_image', image_url: `data:image/png;base64,${RED}` },
  google: { inlineData: { mimeType: 'image/png', data: RED } },
};

test.each(Object.keys(WIRE) as Protocol[])(
  'a pasted image reaches a %s server, and is a file of the vault',
  async (protocol) => {
    const { host, server } = await openChat([...ANSWERS], { protocol });
    await composer(host).focus();
    await give(host, 'paste', { name: 'image.png', data: RED });
    await expect.poll(() => chips(host).allInnerTexts()).toEqual(['Pasted image.png']);
    await expect
      .poll(() => host.page.locator('[aria-live]').allInnerTexts())
      .toContain('Image Pasted image.png');
    await expectNoViolations(host.page, '.savepoint-chat');
    await say(host, 'Which colour is it?');
    await settled(host);
    expect(server.requests[0]?.text).toContain(JSON.stringify(WIRE[protocol]));
    const [stored = ''] = await storedImages(host);
    expect((await host.snapshot())[stored]).toMatchObject({ base64: RED });
    const log = await logged(host);
    expect(log).toContain(stored);
    expect(log).not.toContain(RED.slice(0, 20));
    const shown = messages(host).first().getByRole('img', { name: stored });
    expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    await expectNoViolations(host.page, '.savepoint-chat');

    await say(host, 'Sure?');
    await settled(host);
    expect(server.requests[1]?.text).toContain(JSON.stringify(WIRE[protocol]));
  },
);

test('a dropped image keeps its name, and a taken name gets a number', async () => {
  const { host, server } = await openChat([...ANSWERS], {
    files: { 'leaf.png': 'another one' },
    shown: null,
  });
  await give(host, 'drop', { name: 'leaf.png', data: RED });
  await expect.poll(() => chips(host).allInnerTexts()).toEqual(['leaf 1.png']);
  await host.press('Enter');
  await settled(host);
  expect(server.requests[0]?.text).toContain(JSON.stringify(WIRE.chat));
  await messages(host).first().getByRole('link', { name: 'leaf 1.png' }).click();
  await expect
    .poll(() => host.page.evaluate(() => window.__host.host.app.workspace.getActiveFile()?.path))
    .toBe('leaf 1.png');
  forgetRefusals(host); // of a server that does not know how to show a model
});

test('an image of the vault is sent from where it is', async () => {
  const { host, server } = await openChat([...ANSWERS], {
    files: { 'Pictures/leaf.png': { base64: RED } },
  });
  await composer(host).evaluate((area) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('text/plain', 'obsidian://open?vault=Vault&file=Pictures%2Fleaf.png');
    area.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await expect.poll(() => chips(host).allInnerTexts()).toEqual(['Pictures/leaf.png']);
  await say(host, 'Which colour is it?');
  await settled(host);
  expect(server.requests[0]?.text).toContain(JSON.stringify(WIRE.chat));
  expect(await storedImages(host)).toEqual(['Pictures/leaf.png']);
});

test('pasted text with an image stays text', async () => {
  const { host } = await openChat([...ANSWERS]);
  const isPrevented = await composer(host).evaluate((area) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '12');
    clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
    const init = { bubbles: true, cancelable: true, clipboardData };
    return !area.dispatchEvent(new ClipboardEvent('paste', init));
  });
  expect(isPrevented).toBe(false);
  expect(await chips(host).count()).toBe(0);
});

/** What servers say about models that take no images. */
const TEXT_ONLY: readonly (readonly [string, ChatOptions])[] = [
  ['OpenRouter', { provider: 'openrouter', facts: inputs('text') }],
  ['Anthropic', { protocol: 'anthropic', facts: supports({ image_input: { supported: false } }) }],
  ['Mistral', { facts: supports({ vision: false }) }],
  ['Ollama', { provider: 'ollama', shown: supports(['completion', 'tools']) }],
];

function inputs(...modalities: string[]) {
  return { architecture: { input_modalities: modalities } };
}

function supports(capabilities: unknown) {
  return { capabilities };
}

test.each(TEXT_ONLY)('an image for a text model of %s is refused', async (_, options) => {
  const { host, server } = await openChat([...ANSWERS], options);
  await give(host, 'paste', { name: 'image.png', data: RED });
  await expect
    .poll(() => problem(host).innerText())
    .toBe("small doesn't take images. Choose another model, or leave the image out.");
  expect(await chips(host).count()).toBe(0);
  expect(await storedImages(host)).toEqual([]);
  await expectNoViolations(host.page, '.savepoint-chat');
  await say(host, 'Then without it');
  await settled(host);
  expect(server.requests).toHaveLength(1);
  forgetRefusals(host);
});

test.each([
  ['OpenRouter', { provider: 'openrouter', facts: inputs('text', 'image') }],
  ['Ollama', { provider: 'ollama', shown: supports(['completion', 'vision']) }],
])('an image for a model of %s with vision is sent', async (_, options) => {
  const { host, server } = await openChat([...ANSWERS], options);
  await give(host, 'paste', { name: 'image.png', data: RED });
  await chips(host).waitFor();
  await host.press('Enter');
  await settled(host);
  expect(server.requests[0]?.text).toContain(JSON.stringify(WIRE.chat));
});

test('the refusal is in German for a German reader', async () => {
  const { host } = await openChat([...ANSWERS], { facts: inputs('text'), language: 'de' });
  await give(host, 'drop', { name: 'leaf.png', data: RED });
  await expect
    .poll(() => problem(host).innerText())
    .toBe('small nimmt keine Bilder an. Ein anderes Modell wählen oder das Bild weglassen.');
});

test.each([
  { name: 'leaf.heic', size: 10 },
  { name: 'leaf.png', size: 3_500_001 },
  { name: 'leaf.png', data: RED, folder: 'Private' },
])('an image that cannot be sent is refused before it is stored: %o', async (file) => {
  const { folder = '/' } = file;
  const { host } = await openChat([...ANSWERS], {
    settings: { excludedFolders: ['Private'] },
    files: { '.obsidian/app.json': JSON.stringify({ attachmentFolderPath: folder }) },
  });
  await give(host, 'drop', file);
  await expect
    .poll(() => problem(host).innerText())
    .toMatch(/^Can't send "(Private\/)?leaf\..*up to 3\.5 MB, outside excluded folders\.$/);
  expect(await storedImages(host)).toEqual([]);
  await composer(host).pressSequentially('x');
  await expect.poll(() => problem(host).count()).toBe(0);
});

test('a refusal of the server is one sentence, and later messages leave the image out', async () => {
  const refusal = { error: { message: 'unknown variant image_url' } };
  const { host, server } = await openChat([
    { status: 400, body: JSON.stringify(refusal) },
    { says: [{ text: 'Gladly.' }] },
  ]);
  await give(host, 'paste', { name: 'image.png', data: RED });
  await chips(host).waitFor();
  await say(host, 'Which colour is it?');
  await settled(host);
  expect(await messages(host).last().innerText()).toContain(
    'OpenAI-compatible refused the message with the image (400): small may not take images. ' +
      'Choose another model, or write again without it. It said: "unknown variant image_url"',
  );
  expect(await button(host, 'Set up a model').count()).toBe(1);
  await say(host, 'Then describe red');
  await settled(host);
  expect(server.requests[1]?.text).not.toContain(RED);
  expect(server.requests[1]?.text).toContain('.png\\". It is not included here.');
  forgetRefusals(host);
});

test('an image that is gone is named to the model, and refused in a new message', async () => {
  const { host, server } = await openChat([...ANSWERS]);
  const remove = () =>
    host.page.evaluate(async () => {
      const { vault } = window.__host.host.app;
      for (const file of vault.getFiles()) if (file.extension === 'png') await vault.delete(file);
    });
  await give(host, 'drop', { name: 'leaf.png', data: RED });
  await chips(host).waitFor();
  await say(host, 'Which colour is it?');
  await settled(host);
  await remove();
  await say(host, 'Sure?');
  await settled(host);
  expect(server.requests[1]?.text).not.toContain(RED);
  expect(server.requests[1]?.text).toContain('the image \\"leaf.png\\". It is not included here.');

  await give(host, 'drop', { name: 'leaf.png', data: RED });
  await chips(host).waitFor();
  await remove();
  await host.press('Enter');
  await expect.poll(() => problem(host).innerText()).toContain('no longer exists in the vault');
  expect(await chips(host).count()).toBe(1);
});

test('the chip is removed by keyboard, and on a phone', async () => {
  const { host, server } = await openChat([...ANSWERS], {
    isMobile: true,
    width: 380,
    height: 420,
  });
  await give(host, 'paste', { name: 'image.png', data: RED });
  await chips(host).waitFor();
  await expectNoViolations(host.page, '.savepoint-chat');
  const { height = 0 } = (await chips(host).getByRole('button').boundingBox()) ?? {};
  expect(height).toBeGreaterThanOrEqual(44);
  await composer(host).focus();
  await host.press('Shift+Tab');
  await expect
    .poll(() => host.page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Remove Pasted image.png');
  await host.press('Enter');
  await expect.poll(() => chips(host).count()).toBe(0);
  await say(host, 'Without it');
  await settled(host);
  expect(server.requests[0]?.text).not.toContain('image_url');
});

test.each([
  [1280, 'ltr', 'en'],
  [380, 'rtl', 'de'],
  [320, 'ltr', 'de'],
] as const)('chip and refusal fit, at %i px, %s, %s', async (width, direction, language) => {
  const { host } = await openChat([...ANSWERS], { width, language, isMobile: width < 400 });
  const { page } = host;
  await page.evaluate((dir) => (document.documentElement.dir = dir), direction);
  await give(host, 'paste', { name: 'image.png', data: RED });
  await chips(host).waitFor();
  await give(host, 'drop', { name: 'a photo of all the beds.png', size: 3_500_001 });
  await problem(host).waitFor();
  expect(await chips(host).count()).toBe(1);
  const chat = page.locator('.savepoint-chat');
  expect(await chat.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
  for (const theme of AXE_THEMES) {
    await host.setTheme(theme);
    await expectNoViolations(page, '.savepoint-chat');
  }
});

test('a message of the image alone survives a restart of the plugin', async () => {
  const { host, server } = await openChat([...ANSWERS]);
  await give(host, 'drop', { name: 'leaf.png', data: RED });
  await chips(host).waitFor();
  await expect
    .poll(() => host.page.evaluate(() => JSON.stringify({ ...window.localStorage })))
    .toContain('leaf.png');
  await host.page.evaluate(async () => {
    const { plugins } = window.__host.host.app;
    await plugins.disablePlugin('savepoint');
    await plugins.enablePlugin('savepoint');
  });
  await host.runCommand('Savepoint: Open chat');
  await expect.poll(() => chips(host).allInnerTexts()).toEqual(['leaf.png']);
  await composer(host).focus();
  await host.press('Enter');
  await settled(host);
  await expect.poll(() => server.requests.length).toBe(1);
  expect(server.requests[0]?.text).toContain(JSON.stringify(WIRE.chat));
});
