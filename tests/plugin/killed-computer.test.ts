import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allWorkspaces } from '../../src/model/lookup.js';
import { folderIdentity } from '../../src/node/folder-identity.js';
import { createFolderFiles } from '../../src/node/ports/folder-files.js';
import { createIdbIdentities } from '../../src/obsidian/host/idb-identities.js';
import { createWriterMirror } from '../../src/obsidian/host/writer-mirror.js';
import { verify } from '../../src/storage/integrity/verify.js';
import { createLog } from '../../src/storage/vault-log.js';
import { createTestClock, createTestRandom, START_TIME } from '../fakes/deterministic.js';
import { createLocalStorage } from '../fakes/local-storage.js';
import { DeviceLocks } from '../fakes/locks.js';
import { Phone } from '../fakes/phone.js';
import { createFolder, node } from '../node/folders.js';
import { putWorkspace } from '../storage/helpers.js';

/** Some disks store no time of creation, so that no home folder can be told from its copy. */
const hasIdentity = (await folderIdentity(node, createFolder())) !== '';

const CORE = join('Savepoint', 'core', '2026-11');

/** The app's storage on a computer whose home folder has this name in `parent`. */
class Profile {
  readonly #home: string;
  readonly #values = new Map<string, string>();
  readonly #locks = new DeviceLocks();
  readonly #random = createTestRandom(++seeds);

  constructor(parent: string, home: string) {
    this.#home = join(parent, home);
    mkdirSync(join(this.#home, 'vault'), { recursive: true });
  }

  get vault(): string {
    return join(this.#home, 'vault');
  }

  /** Copies the local storage, with which a database would be copied. */
  copyFrom(other: Profile): void {
    for (const [key, value] of other.#values) this.#values.set(key, value);
  }

  /** Starts the app without its database, since local storage must be enough. */
  start(vault = this.vault) {
    const window = this.#locks.open();
    const database = new Phone().openDatabase();
    const log = createLog({
      files: createFolderFiles(node, vault),
      identities: createIdbIdentities({
        database,
        locks: window.locks,
        mirror: createWriterMirror(createLocalStorage(this.#values)),
        machine: folderIdentity(node, this.#home),
        report: (error) => expect.fail(String(error)),
      }),
      root: 'Savepoint',
      clock: createTestClock(),
      random: this.#random,
      app: 'savepoint/test',
      device: 'computer',
      warn: () => undefined,
    });
    return { log, kill: window.end };
  }

  async startAndSave(name: string, vault?: string) {
    const app = this.start(vault);
    await app.log.memory();
    await putWorkspace(app.log, name);
    return app;
  }
}

let seeds = 0;

const segmentsIn = (vault: string) => readdirSync(join(vault, CORE)).sort();

it.runIf(hasIdentity)(
  'continues one segment through a hundred killed starts without a database',
  async () => {
    const profile = new Profile(createFolder(), 'home');
    for (let start = 0; start < 100; start++) {
      const { kill } = await profile.startAndSave(`Plan ${start}`);
      kill();
    }
    expect(segmentsIn(profile.vault)).toHaveLength(1);
    expect(allWorkspaces(await profile.start().log.memory())).toHaveLength(101);
  },
);

it.runIf(hasIdentity)(
  'begins a segment on a computer with a copy of the home folder, in the same vault',
  async () => {
    const parent = createFolder();
    const profile = new Profile(parent, 'home');
    await profile.startAndSave('One');
    cpSync(join(parent, 'home'), join(parent, 'copy'), {
      recursive: true,
      preserveTimestamps: true,
    });
    const copy = new Profile(parent, 'copy');
    copy.copyFrom(profile);
    const before = readFileSync(join(profile.vault, CORE, segmentsIn(profile.vault)[0]!), 'utf8');
    await copy.startAndSave('Two', profile.vault);
    const texts = segmentsIn(profile.vault).map((name) =>
      readFileSync(join(profile.vault, CORE, name), 'utf8'),
    );
    expect(texts).toHaveLength(2);
    expect(texts).toContain(before);
  },
);

it('loses nothing to a copied profile that is in use on the same computer', async () => {
  const parent = createFolder();
  const profile = new Profile(parent, 'home');
  const first = await profile.startAndSave('One');
  const copied = new Profile(parent, 'home');
  copied.copyFrom(profile);
  const second = await copied.startAndSave('Two');
  for (let save = 0; save < 5; save++)
    await Promise.all([first, second].map(({ log }, at) => putWorkspace(log, `${save} ${at}`)));
  expect(allWorkspaces(await profile.start().log.memory())).toHaveLength(13);
  const files = createFolderFiles(node, profile.vault);
  const { isWhole, problems } = await verify(files, 'Savepoint', { now: START_TIME });
  expect([isWhole, problems]).toEqual([true, []]);
});
