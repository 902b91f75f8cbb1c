/**
 * Walks the README, the guide in the order in which the README links it, and CONTRIBUTING, and runs
 * each shell line that can run, as a reader would: on a vault with spaces and umlauts, in the folder
 * that the text names. Prints each line. Exit code: 0 all succeeded, 1 one did not.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const SERVER_START_MS = 30_000;
/** The note of which the text says that a state names it. */
const NOTE = 'Draft.md';

/** Returns true for the lines that `test:newcomer` and CI run. */
const isNotRun = (line) => /^npm (?:ci|pack|test|run (?!build|new-tool))|^npx /.test(line);

/** What the text says was done before in Obsidian or by an agent, as calls of the program. */
const BEFORE = [
  [/^savepoint search "deposit".*--memory/, ['createWorkspace', workspace('Flat move')]],
  [
    /^savepoint call changesSince/,
    ['createState', { ...state('Draft one'), workspaceId: 'Thesis' }],
  ],
  [/^savepoint restore/, ['archiveState', { name: 'Figures chosen', workspaceId: 'Thesis' }]],
  [/^savepoint forget "Access to/, ['createState', state('Access to the server')]],
];

function workspace(name) {
  return { name, description: name, rootFolder: name, purpose: name };
}

function state(name) {
  const texts = { conversationContext: 'Then.', activeTask: 'This', nextSteps: ['Next'] };
  return { name, ...texts, activeFiles: [NOTE] };
}

/**
 * Returns the shell lines of a page, in order.
 * @param {string} text
 * @returns {string[]}
 */
export function shellLinesOf(text) {
  return [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].flatMap(([, block]) =>
    block
      .split('\n')
      .map((line) => line.replace(/\s# .*$/, '').trim())
      .filter((line) => line !== ''),
  );
}

/** Returns the pages of the guide in the order in which the README links them. */
function guidePages(readme) {
  const links = [...readme.matchAll(/\]\((docs\/guide\/[^)#]+)/g)].map(([, link]) =>
    decodeURIComponent(link),
  );
  return [...new Set(links)];
}

/** Creates the folders of a reader: a home with two AI apps, a vault, a project, this program. */
function createPlace() {
  const folder = mkdtempSync(join(tmpdir(), 'savepoint-walk-'));
  const at = (...names) => join(folder, ...names);
  const place = {
    folder,
    home: at('Jürgen Müller'),
    vault: at('Jürgen Müller', 'Meine Notizen (größer)'),
    project: at('Jürgen Müller', 'Mein Projekt ä'),
    privateProject: at('Jürgen Müller', 'Geheimes Projekt'),
    program: at('save point'),
  };
  const { home, vault, project, privateProject, program } = place;
  const folders = [join(vault, '.obsidian'), join(vault, 'Archive'), project, privateProject];
  const ofApps = ['.config/Claude', '.claude', '.local/bin'].map((name) => join(home, name));
  for (const path of [...folders, ...ofApps, program]) mkdirSync(path, { recursive: true });
  writeFileSync(join(vault, NOTE), 'A draft.\n');
  for (const name of ['main.js', 'manifest.json', 'styles.css', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(program, name));
  for (const name of ['src', 'scripts', 'tests/agents', '.prettierrc.json'])
    cpSync(join(root, name), join(program, name), { recursive: true, force: true });
  const packed = ['pack', '--silent', '--ignore-scripts', '--pack-destination', program];
  const { status } = spawnSync('npm', packed, { cwd: root, shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('npm could not pack the program.');
  symlinkSync(join(root, 'node_modules'), join(program, 'node_modules'), 'junction');
  return place;
}

function environmentOf({ home }) {
  const { PATH = '', SystemRoot, TEMP, TMPDIR } = process.env;
  return {
    ...(SystemRoot && { SystemRoot }),
    ...(TEMP && { TEMP }),
    ...(TMPDIR && { TMPDIR }),
    PATH: [join(home, '.local', 'bin'), join(home, 'npm', 'bin'), PATH].join(delimiter),
    HOME: home,
    npm_config_prefix: join(home, 'npm'),
    USERPROFILE: home,
  };
}

/** Returns the line with the reader's own paths. */
function filledIn(line, { vault, folder, program, privateProject }) {
  return line
    .replace(/^npm run build && /, '')
    .replace(/"?path\/to\/private project"?/g, `"${privateProject}"`)
    .replace(/"\/?path\/to\/(?:your )?vault"|\/path\/to\/vault/g, `"${vault}"`)
    .replace('/path/to/main.js', `"${join(program, 'main.js')}"`)
    .replace(/\/path\/to\/([\w-]+)/g, (_, name) => `"${join(folder, `${name} ü`)}"`);
}

/** Runs a line in the folder that the text names. Returns its code and output. */
function runLine(line, place) {
  const isInProject = line.startsWith('savepoint ');
  const options = {
    cwd: isInProject ? place.project : place.program,
    env: environmentOf(place),
    encoding: 'utf8',
    input: '',
    shell: true,
  };
  const command = filledIn(line, place);
  if (/ mcp .*--http/.test(command)) return serve(command, options);
  const { status, stdout, stderr } = spawnSync(command, options);
  return Promise.resolve({ code: status, output: `${stdout}${stderr}` });
}

/** Starts a server, and ends it once it has printed its address. */
function serve(command, options) {
  return new Promise((resolve) => {
    const child = spawn(`exec ${command}`, options);
    let output = '';
    const timeout = setTimeout(() => child.kill(), SERVER_START_MS);
    const stop = () => /http:\/\//.test(output) && child.kill();
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece) => ((output += piece), stop()));
    child.on('close', () => {
      clearTimeout(timeout);
      resolve({ code: /http:\/\//.test(output) ? 0 : 1, output });
    });
  });
}

/**
 * Runs main.js on the reader's vault. Returns what it prints, and fails if its code is not 0, or for
 * `verify`, which reports requests to forget as problems, neither 0 nor 1.
 */
function runOn({ vault, program, ...place }, ...words) {
  const args = ['main.js', ...words, '--vault', vault];
  const options = { cwd: program, env: environmentOf(place), encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  if (status !== 0 && !(status === 1 && words[0] === 'verify'))
    throw new Error(`"${words.join(' ')}" failed: ${stdout}${stderr}`);
  return stdout;
}

/** Returns what devices have forgotten or asked to forget. */
function forgottenIn(place) {
  return JSON.parse(runOn(place, 'verify', '--json')).forgotten;
}

/** Saves a state that another device then forgets. Returns the id of that. */
function forgetElsewhere(place, name) {
  const ids = () => forgottenIn(place).map(({ key }) => key);
  const known = ids();
  runOn(place, 'call', 'createState', '--json', JSON.stringify(state(name)));
  runOn(place, 'forget', name, '--yes', '--state', join(place.folder, 'other device'));
  return ids().find((key) => !known.includes(key));
}

/**
 * Does what the text says was done before a line. Returns the line with the id that it asks for; a
 * script has to add `--yes` to `--agree`, as the page says.
 */
function prepare(line, place) {
  for (const [, [tool, params]] of BEFORE.filter(([pattern]) => pattern.test(line)))
    runOn(place, 'call', tool, '--json', JSON.stringify(params));
  // an open request is a problem until its user decides
  const open = / doctor\b/.test(line) ? forgottenIn(place).filter(({ isOpen }) => isOpen) : [];
  for (const { key } of open) runOn(place, 'forget', '--refuse', key);
  return line.replace(/ --(agree|refuse) ID/, (_, decision) => {
    const id = forgetElsewhere(place, `To ${decision}`);
    return ` --${decision} ${id}${decision === 'agree' ? ' --yes' : ''}`;
  });
}

/** Returns one sentence per line that does not do what its page promises. */
async function walk() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const place = createPlace();
  const problems = [];
  try {
    for (const page of ['README.md', ...guidePages(readme), 'CONTRIBUTING.md'])
      for (const line of shellLinesOf(readFileSync(join(root, page), 'utf8'))) {
        if (isNotRun(line)) continue;
        process.stdout.write(`${page}: ${line}\n`);
        const { code, output } = await runLine(prepare(line, place), place);
        if (code !== 0)
          problems.push(`${page}: "${line}" ends with ${code}: ${output.trim().slice(0, 1000)}`);
      }
  } finally {
    rmSync(place.folder, { recursive: true, force: true });
  }
  return problems;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = await walk();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(problems.length === 0 ? 'walk: all succeeded\n' : 'walk: FAILED\n');
  process.exitCode = problems.length === 0 ? 0 : 1;
}
