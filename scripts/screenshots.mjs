/** Takes screenshots of the plugin in the simulated Obsidian: dark and light, desktop and phone. */
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readSampleVault } from './host-page.mjs';
import { loadTestModule, settingsFor, takePicture } from './host-steps.mjs';
import { VIEWS } from './screenshot-views.mjs';

const HELP = `Usage: npm run screenshots [-- options]

Takes the README's screenshots, and one of every view in both themes and
widths. main.js must have been built.

  --to DIR     Folder for the README's pictures. Default: docs/pictures
  --all DIR    Folder for all pictures. Default: a temporary folder
  --only TEXT  Only pictures with this text in their name, such as "palette" or "phone"
  --bare       Without the plugin: the simulated Obsidian alone.
  --store DIR  Only the store's pictures, into DIR: 1200x800 of a desktop and
               900x1600 of a phone
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

/** The store's sizes in pixels. */
const STORE_FORMS = {
  '1200x800': { isMobile: false, width: 1200, height: 800 },
  '900x1600': { isMobile: true, width: 360, height: 640, scale: 2.5 },
};

/** Names of the screenshots that the store gets. */
const STORE_PICTURES = [
  'timeline-light-1200x800',
  'state-dark-1200x800',
  'chat-allowed-light-1200x800',
  'palette-light-1200x800',
  'timeline-light-900x1600',
  'state-dark-900x1600',
  'chat-resumed-light-900x1600',
];

async function main() {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: 'docs/pictures' },
      all: { type: 'string' },
      only: { type: 'string', default: '' },
      bare: { type: 'boolean', default: false },
      store: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const isForStore = values.store !== undefined;
  const folder = await pictureFolder(values.store ?? values.all);
  if (!isForStore) await mkdir(resolve(values.to), { recursive: true });
  const open = await preparedHost({ isBare: values.bare });
  const isWanted = (name) =>
    name.includes(values.only) && (!isForStore || STORE_PICTURES.includes(name));
  for (const view of VIEWS) {
    for (const [form, size] of Object.entries(isForStore ? STORE_FORMS : FORMS)) {
      const themes = ['light', 'dark'].filter((theme) => isWanted(`${view.name}-${theme}-${form}`));
      if (themes.length === 0) continue;
      const { host, close } = await open(view, size);
      // hides its outline
      if (isForStore) await host.page.evaluate(() => globalThis.document.activeElement?.blur());
      for (const theme of themes) {
        const name = `${view.name}-${theme}-${form}`;
        await host.setTheme(theme);
        const picture = await takePicture(host.page);
        await writeFile(join(folder, `${name}.png`), picture);
        if (isForStore) continue;
        for (const [chosen] of Object.entries(CHOSEN).filter(([, of]) => of === name))
          await writeFile(resolve(values.to, `${chosen}.png`), picture);
      }
      await close();
    }
  }
  process.stdout.write(`${folder}\n`);
}

async function pictureFolder(given) {
  if (given === undefined) return mkdtemp(join(tmpdir(), 'savepoint-pictures-'));
  await mkdir(resolve(given), { recursive: true });
  return resolve(given);
}

/** Returns a function that opens the simulated Obsidian and takes the steps of a view. */
async function preparedHost({ isBare }) {
  const { openHost } = await loadTestModule('tests/host/chromium.ts');
  const { startModelServer } = await loadTestModule('tests/fakes/model-server.ts');
  const sample = await readSampleVault();
  const now = Math.max(...Object.values(sample).map(({ mtime }) => mtime)) + 9 * 60_000;
  return async (view, size) => {
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
      ...(isBare && { plugin: null }),
    });
    try {
      for (const step of view.steps) await step(host);
    } catch (error) {
      await host.close().catch(() => undefined); // an open browser would keep this process running
      throw error;
    }
    const close = async () => {
      const others = host.pageErrors.filter(
        (error) => !error.startsWith('Failed to load resource'),
      ); // from a model answer that is an error by design
      host.pageErrors.splice(0, Infinity, ...others);
      await host.close();
      await server?.close();
    };
    return { host, close };
  };
}

await main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
