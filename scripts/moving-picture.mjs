/**
 * Makes the README's moving picture from the real program: a state is saved in the chat on a
 * computer, and resumed on a phone. All apps have the files of the same vault, which is passed on
 * as the one before has left it. Only the answers of the model are scripted.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { animate } from './apng.mjs';
import { readSampleVault } from './host-page.mjs';
import {
  answered,
  choose,
  click,
  command,
  loadTestModule,
  note,
  pick,
  settings,
  settingsFor,
  shown,
  takePicture,
  type,
} from './host-steps.mjs';
import { drawFrame, STAGE } from './moving-picture-stage.mjs';

const HELP = `Usage: npm run moving-picture [-- options]

Makes docs/pictures/moving.png. main.js must have been built.

  --to FILE     Where the picture is written. Default: docs/pictures/moving.png
  --frames DIR  Folder for the single frames. By default they are not kept.
  --help        Show this text.
`;

const STATE = {
  name: 'Moon checked',
  conversationContext: 'Two of the nights were full moons; the effect holds without them.',
  activeTask: 'Write section 3.3',
  activeFiles: ['Thesis/Chapter 3.md'],
  nextSteps: ['Leave the two full moons out', 'Redraw figure 3.3', 'Send the chapter'],
};
const ON_COMPUTER = [
  { says: [{ call: { id: 'call-1', name: 'createState', args: STATE } }] },
  { says: [{ text: `Saved. You can go on with **section 3.3** in any app.` }] },
];
const ON_PHONE = [
  { says: [{ text: 'First leave the **two full moons** out of [[Chapter 3]]. I can begin now.' }] },
];

const COMPUTER = { isMobile: false, ...STAGE.computer };
const PHONE = { isMobile: true, ...STAGE.phone };
const THREE_DAYS_MS = 3 * 86_400_000;
const run = promisify(execFile);

/** Saves the state in the chat and shows it in the timeline. Returns the files of the vault. */
async function onComputer({ openApp, files, now, show }) {
  const app = await openApp({ files, now, size: COMPUTER, answers: ON_COMPUTER });
  const { host } = app;
  const showApp = (caption, milliseconds) => show('computer', caption, host.page, milliseconds);
  await nameDevice('Laptop')(host);
  await note('Chapter 3')(host);
  await host.page.getByLabel('Toggle left sidebar').first().click();
  await command('Switch workspace')(host);
  await choose('Thesis')(host);
  await command('Open chat')(host);
  const caption = 'On your computer, you ask the agent to save';
  for (const words of ['That is enough', ' for today.', ' Save where we are.']) {
    await type(words)(host);
    await showApp(caption, 300);
  }
  await host.page.keyboard.press('Enter');
  await shown('Allow once')(host);
  await showApp('It asks before it writes', 1200);
  await click('Allow once')(host);
  await answered()(host);
  await showApp('The state is saved', 1000);
  await command('Open memory')(host);
  await click('Thesis')(host);
  await click('To do')(host); // collapses them
  await showApp('It is in the timeline of its workspace', 1100);
  const left = await host.snapshot();
  await app.close();
  return left;
}

/**
 * Shows what the program prints about the files of the vault, which are written to a folder first.
 */
async function inTerminal({ files, folder, show }) {
  const vault = join(folder, 'Notes');
  for (const [path, { text, base64 }] of Object.entries(files)) {
    if (path.endsWith('/')) continue; // a folder
    await mkdir(dirname(join(vault, path)), { recursive: true });
    await writeFile(join(vault, path), text ?? Buffer.from(base64, 'base64'));
  }
  const program = fileURLToPath(new URL('../bin/savepoint.cjs', import.meta.url));
  const args = ['brief', '--vault', 'Notes', '--workspace', 'Thesis'];
  const { stdout } = await run(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, SAVEPOINT_STATE: join(folder, 'state') },
  });
  const caption = 'Other AI apps read it as a brief';
  const line = `savepoint ${args.join(' ')}`;
  await show('terminal', caption, { command: line, output: '' }, 400);
  await show('terminal', caption, { command: line, output: stdout }, 1500);
}

/** Resumes the state in the chat. */
async function onPhone({ openApp, files, now, show }) {
  const app = await openApp({ files, now, size: PHONE, answers: ON_PHONE });
  const { host } = app;
  const showApp = (caption, milliseconds) => show('phone', caption, host.page, milliseconds);
  await note('Start here')(host);
  await command('Resume state')(host);
  await showApp('Days later, on your phone: choose the state', 900);
  await pick(STATE.name)(host);
  await host.page.locator('.savepoint-message').first().waitFor();
  await showApp('The chat resumes where you stopped', 1100);
  await type('What is next?')(host);
  await showApp('The chat resumes where you stopped', 400);
  await host.page.keyboard.press('Enter');
  await answered()(host);
  await showApp('And the agent knows what is next', 1500);
  await app.close();
}

/** Types the name of the device in the settings. */
function nameDevice(name) {
  return async (host) => {
    await settings('savepoint')(host);
    const setting = host.page.locator('.setting-item').filter({ hasText: 'Device name' });
    await setting.locator('input').fill(name);
    await host.page.keyboard.press('Escape');
  };
}

/** Returns a function that opens the simulated Obsidian with the plugin and a scripted model. */
async function loadOpener() {
  const { openHost } = await loadTestModule('tests/host/chromium.ts');
  const { startModelServer } = await loadTestModule('tests/fakes/model-server.ts');
  return async ({ files, now, size, answers }) => {
    const server = await startModelServer('chat', structuredClone(answers));
    const host = await openHost({
      ...size,
      now,
      theme: 'light',
      files: { ...files, ...settingsFor(server) },
      connect: [server.origin],
    });
    const close = async () => {
      await host.close();
      await server.close();
    };
    return { host, close };
  };
}

/** Opens the stage and plays the scenes on it. Returns the frames. */
async function takeFrames(folder) {
  const { launch } = await loadTestModule('tests/host/browser.ts');
  const openApp = await loadOpener();
  const files = await readSampleVault();
  const now = Math.max(...Object.values(files).map(({ mtime }) => mtime)) + 9 * 60_000;
  const frames = [];
  const browser = await launch({
    userDataDir: join(folder, 'stage'),
    flags: [],
    isMobile: false,
    width: STAGE.width,
    height: STAGE.height,
  });
  const [stage] = browser.pages();
  const show = async (kind, caption, content, milliseconds) => {
    const shows = kind === 'terminal' ? content : { picture: await takePicture(content) };
    await drawFrame(stage, { kind, caption, ...shows });
    frames.push({ png: await stage.screenshot(), milliseconds });
  };
  const left = await onComputer({ openApp, files, now, show });
  await inTerminal({ files: left, folder, show });
  await onPhone({ openApp, files: left, now: now + THREE_DAYS_MS, show });
  await browser.close();
  return frames;
}

async function main() {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: 'docs/pictures/moving.png' },
      frames: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const folder = await mkdtemp(join(tmpdir(), 'savepoint-moving-'));
  try {
    const frames = await takeFrames(folder);
    if (values.frames !== undefined) {
      await mkdir(resolve(values.frames), { recursive: true });
      for (const [index, { png }] of frames.entries())
        await writeFile(join(values.frames, `${String(index + 1).padStart(2, '0')}.png`), png);
    }
    const picture = animate(frames);
    await mkdir(dirname(resolve(values.to)), { recursive: true });
    await writeFile(resolve(values.to), picture);
    process.stdout.write(`${values.to}: ${frames.length} frames, ${picture.length} bytes\n`);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

await main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1); // an open browser would keep this process running
});
