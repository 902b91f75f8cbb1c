// Tier full: starts the program for each call
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { lineOf, type EventFields } from '../../fakes/events.js';
import { temporaryFolder } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { toldProject, type ToldProject } from '../../fakes/told-project.js';

const TIME = 120_000;
const RULE = 'Invoice numbers restart every January and never contain the customer.';
const TASK = 'Let the invoice numbers restart every January, without the customer';
const LATER = 'Shipping labels are printed on thermal paper in landscape format.';
const LATER_TASK = 'Print shipping labels in landscape format on thermal paper';

const says = (text: string) =>
  [
    { kind: 'task', text },
    { kind: 'write', path: 'src/a.ts' },
    { kind: 'answer', text: 'Done.' },
  ] as const;

/** Returns a project on this device, and one of another device with the same vault. */
async function twoDevices() {
  const here = await toldProject();
  const { vault, workspace } = here;
  const state = realpathSync(temporaryFolder('there'));
  return { here, there: await toldProject({ vault, workspace, state, isKnown: true }) };
}

const deviceOf = ({ state }: ToldProject) => readFileSync(join(state, 'device'), 'utf8').trim();

const confirm = (here: ToldProject, there: ToldProject, how = '--confirm') =>
  here.run('devices', '--vault', here.vault, how, deviceOf(there), '--yes');

/** Returns the events in a folder of the log. */
function eventsIn({ vault }: ToldProject, lane: string): LogEvent[] {
  const folder = join(vault, 'Savepoint', lane);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as LogEvent);
}

/** Writes a line in the name of this device, which nobody's program has written. */
function forge(at: ToldProject, lane: string, w: string, event: EventFields): void {
  const folder = join(at.vault, 'Savepoint', lane, '2026-11');
  mkdirSync(folder, { recursive: true });
  const d = { fmt: 1, app: 'forged', device: deviceOf(at) };
  const opening = lineOf({ w, t: 'log.seg', d });
  const h = `${new Date().toISOString()}.0000`;
  const line = lineOf({ ...event, w, h, n: 2, p: opening.hash });
  writeFileSync(join(folder, `${w}.jsonl`), Buffer.concat([opening.bytes, line.bytes]));
}

let sessions = 0;
/** Returns what a new session is told at a prompt. */
const asked = (at: ToldProject, prompt: string) => at.prompted('codex', `n${++sessions}`, prompt);

describe('what another device has written', () => {
  it(
    'of sessions is told once that device is confirmed, and not after that is withdrawn',
    async () => {
      const { here, there } = await twoDevices();
      await there.work('claude-code', 'first', ...says(RULE));
      await here.start('codex', 'any');
      expect(await asked(here, TASK)).toBe('');
      expect(await asked(there, TASK)).toContain(RULE);
      await confirm(here, there);
      await here.start('codex', 'any');
      expect(await asked(here, TASK)).toContain(RULE);
      await confirm(here, there, '--withdraw');
      await here.start('codex', 'any');
      expect(await asked(here, TASK)).toBe('');
    },
    TIME,
  );

  it(
    'of decisions is told once that device is confirmed',
    async () => {
      const { here, there } = await twoDevices();
      await there.call('createRecord', { resource: 'decision', title: RULE });
      await here.start('codex', 'any');
      expect(await asked(here, TASK)).toBe('');
      await confirm(here, there);
      await here.start('codex', 'any');
      expect(await asked(here, TASK)).toContain(RULE);
    },
    TIME,
  );

  it(
    'into a question of this one is not told',
    async () => {
      const at = await toldProject();
      await at.call('createRecord', { resource: 'issue', kind: 'question', title: RULE });
      await at.start('codex', 'any');
      expect(await asked(at, TASK)).toContain(RULE);
      const { e = '' } = eventsIn(at, 'core').find(({ t }) => t === 'record.new') ?? {};
      forge(at, 'core', 'forged', { t: 'set', e, d: { '/title': LATER } });
      await at.start('codex', 'any');
      expect(await asked(at, LATER_TASK)).toBe('');
    },
    TIME,
  );

  it(
    'as a newer version of a session hides nothing, and is not told',
    async () => {
      const { here, there } = await twoDevices();
      await here.work('claude-code', 'first', ...says(RULE));
      await there.work('claude-code', 'first', ...says(LATER));
      await here.work('gemini', 'other', ...says('Something else.'));
      expect(await asked(here, LATER_TASK)).toBe('');
      expect(await asked(here, TASK)).toContain(RULE);
    },
    TIME,
  );

  it(
    'as a newer state of a piece of work hides nothing, and is not told',
    async () => {
      const { here, there } = await twoDevices();
      await here.call('createState', stateNamed('Plan', { description: RULE }));
      await there.call(
        'createState',
        stateNamed('Later', { description: LATER, continues: 'Plan' }),
      );
      await here.start('codex', 'any');
      expect(await asked(here, LATER_TASK)).toBe('');
      expect(await asked(here, TASK)).toContain(RULE);
    },
    TIME,
  );
});

describe('forged lines', () => {
  it(
    'of a session are not told, in this workspace or from another one',
    async () => {
      const at = await toldProject();
      await at.call('createWorkspace', {
        name: 'Other',
        description: 'd',
        rootFolder: 'O',
        purpose: 'p',
      });
      await at.work('claude-code', 'first', ...says(RULE));
      const { d = {} } = eventsIn(at, 'session').find(({ t }) => t === 'session.new') ?? {};
      const forged = JSON.parse(JSON.stringify(d).replaceAll(RULE, LATER)) as object;
      const add = (w: string, more: object) =>
        forge(at, 'session', w, { t: 'session.new', e: `e${w}`, d: { ...forged, ...more } });
      add('forgednew', { session: 'new' });
      add('forgedfirst', { session: 'first' });
      add('forgedelse', { session: 'else', ws: 'otherworkspace' });
      await at.start('codex', 'any');
      expect(await asked(at, LATER_TASK)).toBe('');
      expect(await asked(at, TASK)).toContain(RULE);
    },
    TIME,
  );

  it(
    'and true ones of another workspace are not told',
    async () => {
      const at = await toldProject();
      const { vault, state } = at;
      const other = await toldProject({ vault, state, workspace: 'Other' });
      await other.work('claude-code', 'first', ...says(RULE));
      await other.call('createRecord', { resource: 'decision', title: LATER });
      await at.start('codex', 'any');
      await other.start('codex', 'any');
      for (const task of [TASK, LATER_TASK]) {
        expect(await asked(at, task)).toBe('');
        expect(await asked(other, task)).not.toBe('');
      }
    },
    TIME,
  );
});
