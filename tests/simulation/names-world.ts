import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openVaultLog, type OpenVaultLog } from '../../src/cli/vault-log.js';
import type { ProgramHost } from '../../src/cli/program.js';
import { allWorkspaces } from '../../src/model/lookup.js';
import { findingsOf } from '../../src/storage/integrity/findings.js';
import { verify } from '../../src/storage/integrity/verify.js';
import { workspaceDraft } from '../fakes/events.js';
import { createFolder, node } from '../node/folders.js';
import { createDice } from './dice.js';

/** A vault of the user, wherever its folder is. */
interface Vault {
  readonly id: string;
  path: string;
  /** False if its folder is new, so that only its lines can tell which vault it is. */
  isSeen: boolean;
  /** Names that were acknowledged. */
  readonly saved: string[];
}

interface NamesWorldResult {
  readonly violation: string | undefined;
  readonly story: readonly string[];
  /** Number of acknowledged names, and of those that were lost and are restored or reported. */
  readonly acknowledged: number;
  readonly lost: number;
}

/** File systems note times once per tick of the kernel, and people create no two vaults in one. */
const TICK_MS = 12;

const NAMES = ['Work', 'Home', 'Archive', 'Notes'];

/**
 * Runs the program over vaults whose folders are renamed, swapped and replaced, on the real disk,
 * with one state folder. Nothing that was acknowledged is lost untold, and no vault shows what is
 * of another. What happens depends only on the seed.
 */
export async function runNamesWorld(seed: number): Promise<NamesWorldResult> {
  const dice = createDice(seed);
  const folder = createFolder();
  const vaults: Vault[] = [];
  const story: string[] = [];
  let violation: string | undefined;
  const blame = (what: string) => void (violation ??= what);
  const free = () => NAMES.map((name) => join(folder, name)).filter((path) => !existsSync(path));

  async function createVault(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    const [path] = dice.shuffle(free());
    if (path === undefined) return;
    mkdirSync(join(path, '.obsidian'), { recursive: true });
    const vault = { id: `v${vaults.length + 1}`, path, isSeen: true, saved: [] };
    vaults.push(vault);
    story.push(`${vault.id} is created at ${path.slice(folder.length)}`);
  }

  async function run<T>(vault: Vault, task: (open: OpenVaultLog) => Promise<T>): Promise<T> {
    vault.isSeen = true;
    const options = {
      vault: vault.path,
      state: join(folder, 'state'),
      isReadOnly: false,
      create: false,
    };
    const program = { node, platform: process.platform, env: {}, version: '0.0.0' };
    const open = await openVaultLog(program as unknown as ProgramHost, {
      ...options,
      report: () => undefined,
    });
    try {
      await open.log.memory();
      return await task(open);
    } finally {
      await open.log.close();
    }
  }

  const steps: readonly (readonly [number, (vault: Vault) => Promise<void> | void])[] = [
    [
      8,
      async (vault) => {
        const name = `${vault.id} ${vault.saved.length + 1}`;
        story.push(`${name} is saved`);
        const draft = workspaceDraft(name, `ws-${name.replaceAll(' ', '-')}`);
        await run(vault, ({ log }) => log.write(() => ({ drafts: [draft], answer: undefined })));
        vault.saved.push(name);
      },
    ],
    [
      3,
      async (vault) => {
        const [path] = dice.shuffle(free());
        if (path === undefined) return;
        story.push(`${vault.id} is moved to ${path.slice(folder.length)}`);
        renameSync(vault.path, path);
        vault.path = path;
        if (dice.chance(0.5)) await createVault();
      },
    ],
    [
      3,
      (vault) => {
        const other = dice.pick(vaults);
        if (other === vault) return;
        story.push(`${vault.id} and ${other.id} swap their names`);
        const between = join(folder, 'between');
        renameSync(vault.path, between);
        renameSync(other.path, vault.path);
        renameSync(between, other.path);
        [vault.path, other.path] = [other.path, vault.path];
      },
    ],
    [
      3,
      (vault) => {
        const core = join(vault.path, 'Savepoint', 'core');
        if (!existsSync(core) || !vault.isSeen) return;
        const isWhole = dice.chance(0.5);
        story.push(`${vault.id} loses ${isWhole ? 'its core folder' : 'a core file'}`);
        const files = readdirSync(core, { recursive: true, encoding: 'utf8' });
        const [file] = dice.shuffle(files.filter((each) => each.endsWith('.jsonl')));
        rmSync(isWhole || file === undefined ? core : join(core, file), { recursive: true });
      },
    ],
    [
      2,
      async (vault) => {
        story.push(`${vault.id} is opened and healed`);
        await run(vault, ({ log }) => log.heal());
      },
    ],
    [
      1,
      async (vault) => {
        await new Promise((resolve) => setTimeout(resolve, TICK_MS));
        const core = join(vault.path, 'Savepoint', 'core');
        const isNamed = existsSync(core) && readdirSync(core, { recursive: true }).length > 1;
        if (!isNamed && vault.saved.length > 0) return; // nothing would tell which vault it is
        story.push(`${vault.id} is restored into a new folder`);
        const backup = join(folder, 'backup');
        cpSync(vault.path, backup, { recursive: true });
        rmSync(vault.path, { recursive: true });
        renameSync(backup, vault.path);
        vault.isSeen = false;
      },
    ],
  ];
  const total = steps.reduce((sum, [weight]) => sum + weight, 0);

  let lost = 0;
  try {
    await createVault();
    await createVault();
    for (let step = 8 + dice.below(8); step > 0; step--) {
      let left = dice.below(total);
      await steps.find(([weight]) => (left -= weight) < 0)![1](dice.pick(vaults));
    }
    for (const vault of vaults) {
      const [before, names, report] = await run(vault, async (open) => {
        const shown = async () =>
          allWorkspaces(await open.log.memory()).map(({ item }) => item.name);
        const first = await shown();
        await open.log.heal();
        const { files, dataFolder, copies } = open;
        return [first, await shown(), await verify(files, dataFolder, { now: Date.now(), copies })];
      });
      for (const name of names)
        if (/^v\d/.test(name) && !name.startsWith(`${vault.id} `))
          blame(`${vault.id} shows ${name}, which is of another vault`);
      for (const name of vault.saved) {
        if (!before.includes(name)) lost++;
        if (!names.includes(name) && report.isWhole && report.restorable !== undefined)
          blame(`${vault.id} has lost ${name} without a word`);
        if (!names.includes(name) && report.restorable === undefined)
          blame(`${vault.id} has lost ${name}, and has no copies of it`);
      }
      const writers = report.writers.flatMap(({ missing }) => missing).length;
      if (vault.saved.every((name) => names.includes(name)) && (writers > 0 || !report.isWhole))
        blame(`${vault.id} has everything, but verify finds ${JSON.stringify(findingsOf(report))}`);
    }
  } catch (error) {
    blame(`threw ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const acknowledged = vaults.reduce((sum, { saved }) => sum + saved.length, 0);
  return { violation, story, acknowledged, lost };
}
