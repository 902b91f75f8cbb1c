import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Json } from '../../src/model/event.js';
import { createFolderFiles } from '../../src/node/ports/folder-files.js';
import { readLogLines, type LogLine } from '../../src/storage/log-lines.js';
import { commandInProcess, connectInProcess } from '../fakes/in-process.js';
import { CLOCK, runProgram, type Connection, type RunResult } from '../fakes/program.js';
import { stateNamed } from '../fakes/test-vault.js';
import { node } from '../node/folders.js';
import { Partner, PARTNER_FILE } from '../storage/forget/partner.js';
import { BLANK_CONTENTS } from './blank-contents.js';
import { filesBelow } from './commands/forgotten-text.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * A vault with two core files: one of this device (states Plan, Access and After), and one of
 * another (Elsewhere), whose watermark mentions the first. It is prepared once and copied back
 * into the same folders, because copies are found by the path of a vault.
 */
export class AgreementVault {
  readonly vault: string;
  /** State folder of the device that is asked: the one that saved, or one without copies. */
  state = '';
  /** Somebody else who can write into the vault. */
  #partner = new Partner(() => 0);
  readonly #prepared: string;
  readonly #ownState: string;
  readonly #emptyState: string;

  private constructor(folder: string) {
    const within = (name: string) => join(folder, name);
    this.vault = within('vault');
    this.#prepared = within('prepared');
    this.#ownState = within('state');
    this.#emptyState = within('empty');
    mkdirSync(join(this.vault, '.obsidian'), { recursive: true });
  }

  /** Saves the states as two devices do. */
  static async prepare(): Promise<AgreementVault> {
    const at = new AgreementVault(mkdtempSync(join(tmpdir(), 'savepoint-agreement-')));
    const other = join(at.vault, '..', 'other');
    for (const [state, names] of [
      [at.#ownState, ['Plan', 'Access', 'After']],
      [other, ['Elsewhere']],
    ] as const) {
      const { call, client } = await connectInProcess(at.vault, state);
      for (const name of names) await call('createState', stateNamed(name));
      await client.close();
    }
    at.state = at.#ownState;
    await at.list(); // copies the lines of the other device
    cpSync(join(at.vault, 'Savepoint'), join(at.#prepared, 'Savepoint'), { recursive: true });
    cpSync(at.#ownState, join(at.#prepared, 'state'), { recursive: true });
    return at;
  }

  /** Brings back the vault as it was prepared, for this device or for one without copies. */
  reset(hasCopies: boolean): void {
    for (const name of readdirSync(this.vault))
      if (name !== '.obsidian') rmSync(join(this.vault, name), { recursive: true });
    for (const folder of [this.#ownState, this.#emptyState])
      rmSync(folder, { recursive: true, force: true });
    const copy = (name: string, to: string) =>
      cpSync(join(this.#prepared, name), to, { recursive: true, preserveTimestamps: true });
    copy('Savepoint', this.path('Savepoint'));
    copy('state', this.#ownState);
    for (const file of filesBelow(this.#ownState))
      if (basename(dirname(dirname(file))) === 'writers') this.#followFile(file);
    this.#partner = new Partner(() => Date.now() - 10 * DAY_MS);
    this.state = hasCopies ? this.#ownState : this.#emptyState;
  }

  /** A writer is continued only in the same file, which a copy of it is not. */
  #followFile(record: string): void {
    const stored = JSON.parse(readFileSync(record, 'utf8')) as { path: string };
    const fileId = String(statSync(this.path(stored.path)).ino);
    writeFileSync(record, JSON.stringify({ ...stored, fileId }));
  }

  remove(): void {
    rmSync(dirname(this.vault), { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.vault, name);
  }

  /** Runs a command on this device. */
  run(command: string, ...args: string[]): Promise<RunResult> {
    return commandInProcess([command, ...args, '--vault', this.vault, '--state', this.state]);
  }

  /** Begins a session on this device. */
  connect(): Promise<Connection> {
    return connectInProcess(this.vault, this.state);
  }

  /** Runs doctor, on a device without any AI app. */
  doctor(): Promise<RunResult> {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: this.state,
      SAVEPOINT_STATE: this.state,
    };
    return commandInProcess(['doctor', '--vault', this.vault, '--json'], { env });
  }

  /** Lists the states in a process whose clock is some days off. */
  list(days = 0): Promise<RunResult> {
    const env = {
      ...process.env,
      NODE_OPTIONS: `--require ${JSON.stringify(CLOCK)}`,
      SAVEPOINT_TEST_CLOCK_SHIFT_MS: String(days * DAY_MS),
    };
    const args = ['call', 'listStates', '--vault', this.vault, '--state', this.state];
    return runProgram([...args, '--json', '{}'], { env });
  }

  /** Returns the core file that has a state. */
  fileWith(name: string): string {
    const files = filesBelow(this.path('Savepoint/core'));
    const found = files.find((file) => readFileSync(file, 'utf8').includes(`"name":"${name}"`));
    if (found === undefined) throw new Error(`No file has the state ${name}`);
    return found;
  }

  /** Removes the line of a state. */
  cut(name: string): void {
    this.#edit(name, () => '');
  }

  /** Replaces the line of a state by another one. */
  replace(name: string, line: Uint8Array): void {
    this.#edit(name, () => new TextDecoder().decode(line));
  }

  #edit(name: string, change: () => string): void {
    const file = this.fileWith(name);
    const lines = readFileSync(file, 'utf8').split(/(?<=\n)/u);
    const isOfState = (line: string) => line.includes(`"name":"${name}"`);
    writeFileSync(file, lines.map((line) => (isOfState(line) ? change() : line)).join(''));
  }

  delete(name: string): void {
    rmSync(this.fileWith(name));
  }

  /** Replaces the file with a state as iCloud does before it is downloaded. */
  evict(name: string): void {
    const file = this.fileWith(name);
    rmSync(file);
    writeFileSync(join(dirname(file), `.${basename(file)}.icloud`), '');
  }

  /** Adds the placeholder of a file that an unknown device has written into a lane. */
  announce(lane: string): void {
    const folder = this.path(`Savepoint/${lane}/2026-11`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '.20261120-qqqqqqqqqqqq-0001.jsonl.icloud'), '');
  }

  /** Replaces the content of the file with a state, a while ago. */
  blank(name: string, how: string): void {
    const file = this.fileWith(name);
    writeFileSync(file, BLANK_CONTENTS[how]!(readFileSync(file).length));
    const past = Date.now() / 1000 - 60;
    utimesSync(file, past, past);
  }

  rename(to: string): void {
    renameSync(this.path('Savepoint'), this.path(to));
  }

  /** Adds the data folder of another vault under a name. */
  async addForeign(name: string): Promise<void> {
    const [vault, state] = ['foreign', 'foreign-state'].map((each) => join(this.vault, '..', each));
    const json = JSON.stringify(stateNamed('Foreign'));
    const where = ['--vault', vault!, '--state', state!, '--create'];
    mkdirSync(vault!, { recursive: true });
    await commandInProcess(['call', 'createState', ...where, '--json', json]);
    cpSync(join(vault!, 'Savepoint'), this.path(name), { recursive: true });
  }

  /** Returns the lines of states, in the order of the names. */
  async linesOf(...names: string[]): Promise<LogLine[]> {
    const { lines } = await readLogLines(createFolderFiles(node, this.vault), 'Savepoint');
    return names.flatMap((name) => lines.filter(({ event }) => event.d['name'] === name));
  }

  /** Lets the partner ask to remove lines, once per entry, each with further data of its own. */
  ask(...requests: (readonly [readonly LogLine[], Readonly<Record<string, Json>>?])[]): void {
    for (const [lines, more] of requests) this.#partner.forget(lines, more);
    const path = this.path(PARTNER_FILE);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, this.#partner.bytes);
  }
}
