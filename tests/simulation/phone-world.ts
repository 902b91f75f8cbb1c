import { entityOf } from '../../src/model/memory.js';
import { messageData } from '../../src/model/message.js';
import { traceData } from '../../src/model/trace.js';
import { createVaultFiles } from '../../src/obsidian/host/vault-files.js';
import { LANES, type LaneName } from '../../src/storage/format/lanes.js';
import { verify } from '../../src/storage/integrity/verify.js';
import { workspaceDraft } from '../fakes/events.js';
import { Phone, type PhoneApp, type PhoneBackup, type PhoneSabotage } from '../fakes/phone.js';
import { CapacitorAdapter } from '../host/obsidian/adapter.js';
import { createDice, type Dice } from './dice.js';
import { ROOT } from './disk.js';
import type { WorldResult } from './run-world.js';
import { DAY, MINUTE, SECOND } from './world.js';

type Step = (world: PhoneWorld) => Promise<void>;

/** Steps with their weights. */
const STEPS: readonly (readonly [number, Step])[] = [
  [24, saveOnce],
  [8, saveAtOnce],
  [16, killInWrite],
  [8, killOne],
  [4, hide],
  [4, killWhileHiding],
  [4, quit],
  [4, openSecondWindow],
  [8, wait],
  [2, backUp],
  [2, restore],
  [6, evict],
];

/** A segment that ends with a seal. */
const SEALED = /"t":"log\.seal"[^\n]*\n$/;

/** Runs of the app on one phone, which kills it at any time, and all that it has acknowledged. */
class PhoneWorld {
  readonly dice: Dice;
  readonly phone: Phone;
  readonly story: string[] = [];
  readonly tally = new Map<string, number>();
  readonly acknowledged: { readonly lane: LaneName; readonly id: string }[] = [];
  apps: PhoneApp[] = [];
  backup: PhoneBackup | undefined;
  violation: string | undefined;
  /** Number of events after which a new writer is due. */
  anomalies = 0;
  /** Number of times that the app was killed during a write. */
  killedWrites = 0;
  #ids = 0;
  #contents = new Map<string, string>();

  constructor(seed: number, sabotage: PhoneSabotage | undefined) {
    this.dice = createDice(seed);
    this.phone = new Phone({ seed, ...(sabotage && { sabotage }) });
  }

  blame(what: string): void {
    this.violation ??= what;
  }

  tell(what: string): void {
    this.story.push(what);
  }

  count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1);
  }

  start(): PhoneApp {
    this.apps = this.apps.filter(({ medium }) => !medium.isDead);
    const app = this.phone.start();
    this.apps.push(app);
    return app;
  }

  /** Returns a running app, and starts one if there is none. */
  app(): PhoneApp {
    this.apps = this.apps.filter(({ medium }) => !medium.isDead);
    return this.apps.length > 0 ? this.dice.pick(this.apps) : this.start();
  }

  async save(app: PhoneApp): Promise<void> {
    const lane = this.dice.pick(LANES);
    const id = `entity${++this.#ids}`;
    const written = write(app, lane, id).then(
      () => 'acknowledged',
      (error: unknown) => `refused: ${String(error)}`,
    );
    const outcome = await Promise.race([written, app.medium.died.then(() => 'unheard')]);
    this.tell(`${lane} ${id}: ${outcome}`);
    this.count(outcome);
    if (outcome === 'acknowledged') this.acknowledged.push({ lane, id });
    else if (outcome !== 'unheard') this.blame(`a write of ${id} was ${outcome}`);
  }

  /** Expects that no two windows use one writer, and that files have only been appended to. */
  check(): void {
    const used = this.apps.flatMap(({ medium, writers }) => (medium.isDead ? [] : [...writers]));
    if (new Set(used).size < used.length) this.blame('two windows use the same writer');
    const contents = new Map<string, string>();
    for (const [path, file] of Object.entries(this.phone.vault.snapshot()))
      if (path.endsWith('.jsonl') && typeof file !== 'string' && 'text' in file)
        contents.set(path, file.text);
    for (const [path, before] of this.#contents) {
      const now = contents.get(path) ?? '';
      if (!now.startsWith(before)) this.blame(`bytes of ${path} were changed or removed`);
      if (SEALED.test(before) && now !== before)
        this.blame(`${path} is sealed, and was written to`);
    }
    this.#contents = contents;
  }

  /** Starts the app once more, and expects everything acknowledged and nothing damaged. */
  async end(): Promise<void> {
    for (const app of this.apps) app.kill();
    const { log } = this.start();
    await log.memory();
    await this.pass(2 * MINUTE); // lets it heal
    const memory = await log.memory();
    const messages = new Set((await log.messages('talk')).map(({ id }) => id));
    const traces = await log.readTraces(await log.traceEntries('default'));
    const held: Record<LaneName, (id: string) => boolean> = {
      core: (id) => entityOf(memory, id).created !== undefined,
      chat: (id) => messages.has(id),
      trace: (id) => traces.some(({ tool }) => tool === id),
      session: (id) => traces.some(({ sessionId }) => sessionId === id),
    };
    for (const { lane, id } of this.acknowledged)
      if (!held[lane](id)) this.blame(`${id} was acknowledged in ${lane} and is lost`);
    await this.#checkReport();
  }

  async pass(ms: number): Promise<void> {
    this.phone.clock.advance(ms);
    for (let turns = 0; turns < 20; turns++) await new Promise((done) => setImmediate(done));
  }

  async #checkReport(): Promise<void> {
    const adapter = new CapacitorAdapter(this.phone.vault, 'Vault', () => Promise.resolve());
    const files = createVaultFiles(adapter, this.phone.clock);
    const report = await verify(files, ROOT, { now: this.phone.clock.now() });
    const problems = report.problems.filter(({ kind }) => kind !== 'future');
    // a file with only the beginning of its first line is pending, and has no event
    if (new Set(problems.map(({ path }) => path)).size > this.killedWrites)
      this.blame(`${this.killedWrites} killed writes left ${JSON.stringify(problems)}`);
    for (const { writer, missing, forks } of report.writers)
      if (missing.length > 0 || forks > 0)
        this.blame(`${writer} lacks ${JSON.stringify(missing)} and has ${forks} forks`);
    for (const lane of LANES) {
      const own = report.writers.filter((each) => each.lane === lane);
      const unended = own.filter(({ writer }) => !this.#hasEnded(writer));
      if (unended.length > 1 + this.anomalies)
        this.blame(`${unended.length} writers of ${lane} after ${this.anomalies} anomalies`);
      this.tally.set('writers', (this.tally.get('writers') ?? 0) + own.length);
    }
  }

  /** Returns true if a writer's last segment is sealed, after which no other process continues. */
  #hasEnded(writer: string): boolean {
    const names = [...this.#contents.keys()].filter((path) => path.includes(`-${writer}-`));
    const last = names.sort((a, b) => (a.slice(-10) < b.slice(-10) ? -1 : 1)).at(-1);
    return last !== undefined && SEALED.test(this.#contents.get(last) ?? '');
  }
}

/** Runs the world of a seed and checks it at the end. The result depends only on the seed. */
export async function runPhoneWorld(seed: number, sabotage?: PhoneSabotage): Promise<WorldResult> {
  const world = new PhoneWorld(seed, sabotage);
  const planned = 15 + world.dice.below(16);
  let steps = 0;
  try {
    for (; steps < planned && world.violation === undefined; steps++) {
      await takeStep(world);
      world.check();
    }
    if (world.violation === undefined) await world.end();
    world.check();
  } catch (error) {
    world.blame(`threw ${error instanceof Error ? error.stack : String(error)}`);
  }
  for (const app of world.apps) app.kill();
  const { violation, story, tally } = world;
  return { violation, story, steps, tally };
}

async function takeStep(world: PhoneWorld): Promise<void> {
  let left = world.dice.below(STEPS.reduce((sum, [weight]) => sum + weight, 0));
  const [, step] = STEPS.find(([weight]) => (left -= weight) < 0)!;
  world.tell(`- ${step.name}`);
  world.count(step.name);
  await world.pass(world.dice.below(SECOND));
  await step(world);
}

async function write({ log }: PhoneApp, lane: LaneName, id: string): Promise<void> {
  if (lane === 'core') await log.write(() => ({ drafts: [workspaceDraft(id, id)], answer: true }));
  else if (lane === 'chat') {
    const parts = [{ type: 'text' as const, text: id }];
    const d = messageData({ conversationId: 'talk', parentId: undefined, role: 'user', parts });
    await log.writeChat({ t: 'msg.new', e: id, d });
  } else if (lane === 'session') {
    const d = { ws: 'default', session: id, checkpoint: {} };
    await log.writeTrace({ t: 'session.new', e: id, d });
  } else {
    const call = { workspaceId: 'default', sessionId: 's', toolset: 'a', tool: id };
    const d = traceData({ ...call, input: '{}', outcome: 'ok', isSuccess: true });
    await log.writeTrace({ t: 'trace.new', e: id, d });
  }
}

function saveOnce(world: PhoneWorld): Promise<void> {
  return world.save(world.app());
}

/** Saves several times at once, in all windows. */
async function saveAtOnce(world: PhoneWorld): Promise<void> {
  const app = world.app();
  await Promise.all([app, ...world.apps, app].map((each) => world.save(each)));
}

async function killInWrite(world: PhoneWorld): Promise<void> {
  const { dice } = world;
  const app = world.app();
  app.medium.killInWrite(dice.pick([0, 1, dice.below(1000) / 1000, dice.below(1000) / 1000]));
  world.anomalies++;
  world.killedWrites++;
  await world.save(app);
  if (dice.chance(0.5)) await saveOnce(world);
  app.kill(); // its write may have had nothing to do
}

function killOne(world: PhoneWorld): Promise<void> {
  world.app().kill();
  return Promise.resolve();
}

async function hide(world: PhoneWorld): Promise<void> {
  await world.app().log.releaseWriters();
}

async function killWhileHiding(world: PhoneWorld): Promise<void> {
  const app = world.app();
  const hidden = app.log.releaseWriters();
  for (let ticks = world.dice.below(40); ticks > 0; ticks--) await Promise.resolve();
  app.kill();
  world.anomalies++;
  await Promise.race([hidden, app.medium.died]);
}

async function quit(world: PhoneWorld): Promise<void> {
  await world.app().quit();
}

async function openSecondWindow(world: PhoneWorld): Promise<void> {
  world.app();
  if (world.apps.length > 1) return;
  world.anomalies++;
  world.start();
  await saveAtOnce(world);
}

async function wait(world: PhoneWorld): Promise<void> {
  await world.pass(world.dice.pick([SECOND, MINUTE, 11 * MINUTE, DAY]));
}

async function backUp(world: PhoneWorld): Promise<void> {
  world.backup = await world.phone.backUp();
}

/** Restores the stored writers, while the vault keeps what they have written since. */
async function restore(world: PhoneWorld): Promise<void> {
  if (!world.backup) return;
  for (const app of world.apps) app.kill();
  world.anomalies += 1 + world.backup.writers.length;
  await world.phone.restore(world.backup);
}

/** Deletes the database. The local storage may lack what was stored last. */
async function evict(world: PhoneWorld): Promise<void> {
  for (const app of world.apps) app.kill();
  await world.phone.evict();
  if (!world.backup || world.dice.chance(0.5)) return;
  world.anomalies += 1 + world.backup.writers.length;
  world.phone.restoreLocalStorage(world.backup);
}
