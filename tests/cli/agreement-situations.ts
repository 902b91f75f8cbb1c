import { cpSync, rmSync } from 'node:fs';
import type { FindingKind } from '../../src/storage/integrity/findings.js';
import { encodeStub } from '../../src/storage/format/stub.js';
import { PARTNER_FILE } from '../storage/forget/partner.js';
import type { AgreementVault } from './agreement-vault.js';
import { BLANK_CONTENTS } from './blank-contents.js';

/** What an answer can say about the memory. */
export type Notice = 'waiting' | 'sibling' | 'missing' | 'gaps' | 'asked';

/** What verify, doctor and an agent's answers have to say. */
export interface Expected {
  /** Kinds of findings of verify, in its order. */
  readonly kinds: readonly FindingKind[];
  /** True if verify exits with 0. */
  readonly isWhole: boolean;
  /** The checks of doctor that fail. */
  readonly failed: readonly ('memory' | 'requests')[];
  /** Number of open requests that doctor counts. */
  readonly requests: number;
  /** Days on which this device has told its user of the first one. */
  readonly toldDays: number;
  /** Notices in the first answer of a session. */
  readonly first: readonly Notice[];
  /** Those in its second answer: of files that may have lines which no copy has. */
  readonly second: readonly Notice[];
}

export interface Situation {
  readonly what: string;
  /** True for the device that saved; false for one that has no copies. */
  readonly hasCopies: boolean;
  readonly prepare: (at: AgreementVault) => void | Promise<unknown>;
  /** The tool that answers; listStates by default. */
  readonly tool?: string;
  readonly expected: Expected;
}

/** Nothing is wrong, whatever is listed. */
const fine = (...kinds: FindingKind[]): Expected => ({
  kinds,
  isWhole: true,
  failed: [],
  requests: 0,
  toldDays: 0,
  first: [],
  second: [],
});

/** Lines are hidden until the user decides. */
const asked = (requests: number, toldDays = 0): Expected => ({
  ...fine('asked'),
  isWhole: false,
  failed: ['requests'],
  requests,
  toldDays,
  first: ['asked'],
});

const ASKED = asked(1);

/** Something is missing, damaged, forged or elsewhere. */
const broken = (kinds: FindingKind[], first: Notice[], second: Notice[] = []): Expected => ({
  kinds,
  isWhole: false,
  failed: ['memory'],
  requests: 0,
  toldDays: 0,
  first,
  second,
});

/** The same while a request is open. */
const alsoAsked = (expected: Expected): Expected => ({
  ...expected,
  failed: ['memory', 'requests'],
  requests: 1,
});

const row = (
  what: string,
  hasCopies: boolean,
  prepare: Situation['prepare'],
  expected: Expected,
): Situation => ({ what, hasCopies, prepare, expected });

/** A situation that is the same on both devices. */
const onBoth = (what: string, prepare: Situation['prepare'], expected: Expected) =>
  [true, false].map((hasCopies) => row(what, hasCopies, prepare, expected));

const nothing = () => undefined;

/** Asks once to remove a state. */
async function ask(at: AgreementVault, ...names: string[]): Promise<void> {
  at.ask([await at.linesOf(...names)]);
}

/** Asks in a way that only a forger does: the hash of the line is another. */
async function forge(at: AgreementVault): Promise<void> {
  const lines = await at.linesOf('Access');
  at.ask([lines.map((line) => ({ ...line, hash: '0'.repeat(32) }))]);
}

/** Asks for lines that nobody has. */
async function askElsewhere(at: AgreementVault, count: number): Promise<void> {
  const lines = await at.linesOf('Access');
  const unknown = lines.map((line) => ({ ...line, event: { ...line.event, w: 'qqqqqqqqqqqq' } }));
  for (let note = 0; note < count; note++) at.ask([unknown, { note }]);
}

async function askFrom(at: AgreementVault, ...requests: (readonly [string, string])[]) {
  const all = requests.map(async ([device, name], index) => {
    return [await at.linesOf(name), { device, note: index }] as const;
  });
  at.ask(...(await Promise.all(all)));
}

/** Replaces the line of a state by its stub, as a device does that removes it. */
async function stub(at: AgreementVault, isAsked = false): Promise<void> {
  const [line] = await at.linesOf('Access');
  if (isAsked) at.ask([[line!]]);
  at.replace('Access', encodeStub(line!.event, line!.hash).bytes);
}

/** Replaces a part of the line of a state. */
async function change(at: AgreementVault, from: string | RegExp, to: string): Promise<void> {
  const [line] = await at.linesOf('Access');
  const text = new TextDecoder().decode(line!.bytes);
  at.replace('Access', new TextEncoder().encode(`${text.replace(from, to)}\n`));
}

const decide = (at: AgreementVault, ...args: string[]) => at.run('forget', ...args, '--yes');

/** Lets answers tell of a request on successive days, of which yesterday is the last. */
async function tell(at: AgreementVault, days: number): Promise<void> {
  await ask(at, 'Access');
  for (let day = -days; day < 0; day++) await at.list(day);
}

/** Forgets a state, and then restores the vault from a backup that has it. */
async function forgetAndRestore(at: AgreementVault): Promise<void> {
  const backup = at.path('.backup');
  cpSync(at.path('Savepoint'), backup, { recursive: true });
  await decide(at, 'Access');
  cpSync(backup, at.path('Savepoint'), { recursive: true, force: true });
  rmSync(backup, { recursive: true });
}

async function dismissAll(at: AgreementVault): Promise<void> {
  const { stdout } = await at.run('verify', '--json');
  const { writers } = JSON.parse(stdout) as { writers: { writer: string; missing: unknown[] }[] };
  for (const { writer, missing } of writers)
    if (missing.length > 0) await at.run('verify', '--dismiss', writer);
}

function removeFolder(at: AgreementVault): void {
  rmSync(at.path('Savepoint'), { recursive: true });
}

const REQUESTS: readonly Situation[] = [
  ...onBoth('nothing is wrong', nothing, fine()),
  ...onBoth('a device has asked to remove a state', (at) => ask(at, 'Access'), ASKED),
  ...onBoth('a device has asked to remove several states', (at) => ask(at, 'Plan', 'After'), ASKED),
  ...onBoth(
    'a device has asked with a wrong hash',
    forge,
    alsoAsked(broken(['forgery', 'asked'], ['asked'])),
  ),
  row(
    'a request with a wrong hash was refused',
    true,
    async (at) => {
      await forge(at);
      await decide(at, '--refuse', 'partner');
    },
    fine('refused'),
  ),
  ...onBoth(
    'a device has asked for lines that are not here',
    (at) => askElsewhere(at, 1),
    fine('forgotten'),
  ),
  row(
    '150 requests are for lines that are not here',
    true,
    (at) => askElsewhere(at, 150),
    fine('forgotten'),
  ),
  row(
    'a state was removed in the vault, and there are no copies',
    false,
    (at) => stub(at, true),
    fine('forgotten'),
  ),
  ...onBoth(
    'two devices have asked to remove one state each',
    (at) => askFrom(at, ['laptop', 'Plan'], ['phone', 'After']),
    asked(2),
  ),
  row(
    'two devices have asked to remove the same state',
    true,
    (at) => askFrom(at, ['laptop', 'Access'], ['phone', 'Access']),
    asked(2),
  ),
  row(
    'a device has asked 150 times',
    true,
    (at) => askFrom(at, ...Array.from({ length: 150 }, () => ['laptop', 'Access'] as const)),
    asked(150),
  ),
  row(
    'a request was refused',
    true,
    async (at) => {
      await ask(at, 'Access');
      await decide(at, '--refuse', 'partner');
    },
    fine('refused'),
  ),
  row(
    'a request was agreed to',
    true,
    async (at) => {
      await ask(at, 'Access');
      await decide(at, '--agree', 'partner');
    },
    fine('forgotten'),
  ),
  row(
    'the same lines are asked for again after a refusal',
    true,
    async (at) => {
      const lines = await at.linesOf('Access');
      at.ask([lines]);
      await decide(at, '--refuse', 'partner');
      at.ask([lines, { note: 1 }]);
    },
    fine('refused'),
  ),
  row(
    'the same lines and others are asked for after a refusal',
    true,
    async (at) => {
      const lines = await at.linesOf('Access', 'After');
      at.ask([lines.slice(0, 1)]);
      await decide(at, '--refuse', 'partner');
      at.ask([lines]);
    },
    { ...ASKED, kinds: ['asked', 'refused'] },
  ),
  row(
    'the same lines are asked for again after they were removed',
    true,
    async (at) => {
      const lines = await at.linesOf('Access');
      at.ask([lines]);
      await decide(at, '--agree', 'partner');
      at.ask([lines, { note: 1 }]);
    },
    fine('forgotten'),
  ),
  row('this device has forgotten a state', true, (at) => decide(at, 'Access'), fine('forgotten')),
  row('this device has only hidden a state', true, (at) => at.run('forget', 'Access'), ASKED),
  row(
    'a backup has brought back what this device has forgotten',
    true,
    forgetAndRestore,
    broken(['restorable', 'missing'], ['missing']),
  ),
  row(
    'what a backup has brought back was removed again',
    true,
    async (at) => {
      await forgetAndRestore(at);
      await at.run('verify', '--heal');
    },
    fine('forgotten'),
  ),
  row(
    'the file with a request is lost',
    true,
    async (at) => {
      await ask(at, 'Access');
      await at.list();
      rmSync(at.path(PARTNER_FILE));
    },
    broken(['restorable'], ['asked']),
  ),
  ...[3, 7].map((days) =>
    row(
      `answers have told of a request on ${days} days`,
      true,
      (at) => tell(at, days),
      asked(1, days),
    ),
  ),
  row(
    'answers have told of a request on eight days, and the memory was read again',
    true,
    async (at) => {
      await tell(at, 8);
      await at.list();
    },
    fine('forgotten'),
  ),
  row(
    'a request was refused on a device without copies',
    false,
    async (at) => {
      await ask(at, 'Access');
      await decide(at, '--refuse', 'partner');
    },
    fine('refused'),
  ),
];

const MISSING: readonly Situation[] = [
  row(
    'a stub is there that nobody asked for',
    false,
    (at) => stub(at),
    broken(['missing', 'stub'], ['gaps']),
  ),
  row(
    'a stub is there that nobody asked for, and its line in the copies',
    true,
    (at) => stub(at),
    broken(['restorable', 'missing', 'stub'], ['gaps']),
  ),
  row(
    'a line in the middle is cut',
    false,
    (at) => at.cut('Access'),
    broken(['missing'], ['gaps']),
  ),
  row(
    'a line in the middle is cut that is in the copies',
    true,
    (at) => at.cut('Access'),
    broken(['restorable', 'missing'], ['missing']),
  ),
  row(
    'a last line is cut that a watermark knows',
    false,
    (at) => at.cut('After'),
    broken(['missing'], ['gaps']),
  ),
  row(
    'a last line is cut that a watermark knows and that is in the copies',
    true,
    (at) => at.cut('After'),
    broken(['restorable', 'missing'], ['missing']),
  ),
  row('a last line is cut that nothing knows', false, (at) => at.cut('Elsewhere'), fine()),
  row(
    'a last line is cut that is only in the copies',
    true,
    (at) => at.cut('Elsewhere'),
    broken(['restorable'], ['missing']),
  ),
  row(
    'a line is edited',
    false,
    (at) => change(at, 'Talking', 'Walking'),
    broken(['missing', 'edited'], ['gaps']),
  ),
  row(
    'a line is edited that is in the copies',
    true,
    (at) => change(at, 'Talking', 'Walking'),
    broken(['restorable', 'missing', 'edited'], ['missing']),
  ),
  row(
    'an edited line was restored',
    true,
    async (at) => {
      await change(at, 'Talking', 'Walking');
      await at.run('verify', '--heal');
    },
    fine('healed'),
  ),
  row(
    'a line has lost its end',
    false,
    (at) => change(at, /"activeTask".*/u, ''),
    broken(['missing', 'damaged'], ['gaps']),
  ),
  row(
    'a line was cut, and dismissed',
    false,
    async (at) => {
      at.cut('Access');
      await dismissAll(at);
    },
    fine('dismissed'),
  ),
  row(
    'a file is deleted that a watermark knows',
    false,
    (at) => at.delete('Access'),
    broken(['missing'], ['gaps']),
  ),
  row(
    'a file is deleted that is in the copies',
    true,
    (at) => at.delete('Access'),
    broken(['restorable', 'missing'], ['missing']),
  ),
  row(
    'a file was deleted, and restored',
    true,
    async (at) => {
      at.delete('Access');
      await at.run('verify', '--heal');
    },
    fine(),
  ),
  row(
    'all core files are deleted',
    true,
    (at) => rmSync(at.path('Savepoint/core'), { recursive: true }),
    broken(['restorable'], ['missing']),
  ),
  row('the data folder is deleted', true, removeFolder, broken(['removed'], [])),
  row('the data folder is deleted, and nobody has copies', false, removeFolder, fine()),
  ...onBoth(
    'the traces are deleted',
    (at) => rmSync(at.path('Savepoint/trace'), { recursive: true }),
    fine(),
  ),
  row(
    'a line is cut, and a request is open',
    false,
    async (at) => {
      await ask(at, 'Plan');
      at.cut('Access');
    },
    alsoAsked(broken(['missing', 'asked'], ['gaps', 'asked'])),
  ),
];

const WAITING: readonly Situation[] = [
  row(
    'a file is not downloaded that a watermark knows',
    false,
    (at) => at.evict('Access'),
    broken(['missing', 'waiting'], ['waiting'], ['waiting']),
  ),
  row(
    'a file is not downloaded that nothing knows',
    false,
    (at) => at.evict('Elsewhere'),
    broken(['waiting'], ['waiting'], ['waiting']),
  ),
  row(
    'a file is not downloaded that is in the copies',
    true,
    (at) => at.evict('Access'),
    broken(['restorable', 'missing', 'waiting'], ['waiting']),
  ),
  row(
    'a file of an unknown writer is not downloaded',
    true,
    (at) => at.announce('core'),
    broken(['waiting'], ['waiting'], ['waiting']),
  ),
  row(
    'a file is not downloaded, and a request is open',
    false,
    async (at) => {
      await ask(at, 'Access');
      at.evict('Elsewhere');
    },
    alsoAsked(broken(['waiting', 'asked'], ['waiting', 'asked'], ['waiting'])),
  ),
  row(
    'two files are not downloaded',
    false,
    (at) => {
      at.evict('Access');
      at.evict('Elsewhere');
    },
    broken(['waiting'], ['waiting'], ['waiting']),
  ),
  row(
    'a file is not downloaded, and a line of another one is cut',
    false,
    (at) => {
      at.cut('Access');
      at.evict('Elsewhere');
    },
    broken(['missing', 'waiting'], ['waiting'], ['waiting']),
  ),
  row(
    'a file is not downloaded whose lines are dismissed',
    false,
    async (at) => {
      at.evict('Access');
      await dismissAll(at);
    },
    broken(['waiting', 'dismissed'], ['waiting'], ['waiting']),
  ),
  row(
    'a file of conversations is not downloaded, which no list of states is from',
    true,
    (at) => at.announce('chat'),
    broken(['waiting'], []),
  ),
  ...['trace', 'session'].map((lane) => ({
    ...row(
      `a file of the lane ${lane} is not downloaded, and the timeline is listed`,
      true,
      (at) => at.announce(lane),
      broken(['waiting'], []),
    ),
    tool: 'timeline',
  })),
  ...Object.keys(BLANK_CONTENTS).flatMap((how) => {
    const damaged: FindingKind[] = ['NULs', 'nothing'].includes(how) ? [] : ['damaged'];
    const prepare = (at: AgreementVault) => at.blank('Access', how);
    return [
      row(
        `a file contains ${how}`,
        false,
        prepare,
        broken(['missing', ...damaged, 'waiting'], ['waiting'], ['waiting']),
      ),
      row(
        `a file contains ${how}, and its lines are in the copies`,
        true,
        prepare,
        broken(['restorable', 'missing', ...damaged, 'waiting'], ['waiting', 'missing']),
      ),
    ];
  }),
  row(
    'a file of NULs was restored',
    true,
    async (at) => {
      at.blank('Access', 'NULs');
      await at.run('verify', '--heal');
    },
    fine(),
  ),
];

const RENAMED: readonly Situation[] = [
  ...['Savepoint 2', 'Savepoint (1)', 'savepoint', 'Savepoint-HOST'].flatMap((name) => [
    row(
      `the data folder is called "${name}"`,
      false,
      (at) => at.rename(name),
      broken(['apart'], ['sibling']),
    ),
    row(
      `the data folder is called "${name}", and its lines are in the copies`,
      true,
      (at) => at.rename(name),
      broken(['removed', 'apart'], ['sibling']),
    ),
  ]),
  ...onBoth(
    'a renamed data folder was merged',
    async (at) => {
      at.rename('Savepoint 2');
      await at.run('verify', '--recover', 'Savepoint 2');
    },
    fine(),
  ),
  ...onBoth(
    'a copy of the data folder is next to it',
    (at) => cpSync(at.path('Savepoint'), at.path('Savepoint 2'), { recursive: true }),
    fine(),
  ),
  row(
    'the data folder of another vault is next to it',
    true,
    (at) => at.addForeign('Export'),
    fine(),
  ),
  row(
    'the data folder of another vault is next to it, with a name like its own',
    true,
    (at) => at.addForeign('Savepoint 2'),
    broken(['apart'], []),
  ),
  row(
    'the data folder of another vault is there alone',
    false,
    async (at) => {
      removeFolder(at);
      await at.addForeign('Export');
    },
    broken(['apart'], ['sibling']),
  ),
  row(
    'another memory has begun after the data folder was renamed',
    false,
    async (at) => {
      at.rename('Savepoint 2');
      const state = { name: 'New', conversationContext: 'x', activeTask: 'x', nextSteps: ['x'] };
      const json = JSON.stringify({ ...state, activeFiles: [] });
      await at.run('call', 'createState', '--json', json);
    },
    broken(['apart'], []),
  ),
  row(
    'the data folder is there under two other names',
    false,
    (at) => {
      cpSync(at.path('Savepoint'), at.path('Savepoint 2'), { recursive: true });
      at.rename('Savepoint 3');
    },
    broken(['apart'], ['sibling']),
  ),
  row(
    'a file of the renamed data folder is not downloaded',
    false,
    (at) => {
      at.evict('Access');
      at.rename('Savepoint 2');
    },
    broken(['apart', 'waiting'], ['sibling']),
  ),
  row(
    'a request is in the renamed data folder',
    false,
    async (at) => {
      await ask(at, 'Access');
      at.rename('Savepoint 2');
    },
    broken(['apart'], ['sibling']),
  ),
];

export const SITUATIONS: readonly Situation[] = [...REQUESTS, ...MISSING, ...WAITING, ...RENAMED];

export function titleOf({ what, hasCopies }: Situation): string {
  return `${what} (${hasCopies ? 'device with copies' : 'device without copies'})`;
}
