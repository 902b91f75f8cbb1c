import { setIcon } from 'obsidian';
import { Scheduler } from '../../../platform/scheduler.js';
import {
  verify,
  type ForgetDecisions,
  type Log,
  type VerifyFinding,
  type VerifyReport,
} from '../../../storage/index.js';
import { yieldToHost } from '../../host/browser-ports.js';
import { platformName } from '../../host/device.js';
import type { Savepoint } from '../../savepoint.js';
import { text } from '../../i18n/index.js';
import { addItems } from '../../ui/elements.js';
import { findingTitle, placeText, type Verdict } from './verify-report.js';

const SHOWN_PLACES = 10;

/** Returns this device's decisions about what was forgotten. */
export async function decisionsIn({
  forgetting,
}: Pick<Log, 'forgetting'>): Promise<ForgetDecisions> {
  const known = await forgetting.list();
  return Object.fromEntries(
    known.flatMap(({ key, decision }) => (decision ? [[key, decision]] : [])),
  );
}

/** Verifies the whole log without caches. */
export async function verifyMemory(
  { services, clock }: Savepoint,
  files = services.files,
): Promise<VerifyReport> {
  return verify(files, services.dataFolder, {
    scheduler: new Scheduler(clock, yieldToHost),
    now: clock.now(),
    copies: services.copies,
    decisions: await decisionsIn(services.log),
    system: platformName(),
  });
}

/** Shows how much was verified, and the start of the digest. */
export function showDigest(line: HTMLElement, { events, writers, digest }: VerifyReport): void {
  const { facts, digest: label, digestHint } = text.commands.verify;
  line.appendText(`${facts(events, writers.length)} · ${label} `);
  line.createEl('code', {
    text: digest.slice(0, 16),
    attr: { title: `${digest}\n${digestHint}` },
  });
}

export function showVerdict(container: HTMLElement, { isGood, title, sentence }: Verdict): void {
  const verdict = container.createDiv({
    cls: `savepoint-verdict ${isGood ? 'is-good' : 'is-bad'}`,
    attr: { role: 'status' },
  });
  setIcon(
    verdict.createDiv({ cls: 'savepoint-verdict-icon', attr: { 'aria-hidden': 'true' } }),
    isGood ? 'shield-check' : 'shield-alert',
  );
  const words = verdict.createDiv();
  words.createDiv({ cls: 'savepoint-verdict-title', text: title });
  words.createDiv({ cls: 'savepoint-verify-note', text: sentence });
}

/** Shows a kind of finding with advice and locations. Returns their element. */
export function showFinding(container: HTMLElement, finding: VerifyFinding): HTMLElement {
  const { whatToDo, more, findings } = text.commands.verify;
  const { kind, places } = finding;
  const box = container.createDiv({ cls: 'savepoint-finding' });
  box.createDiv({ cls: 'savepoint-finding-title', text: findingTitle(finding) });
  const todo = box.createDiv({ cls: 'savepoint-verify-note' });
  todo.createEl('strong', { text: `${whatToDo}: ` });
  todo.appendText(findings[kind].advice);
  const rows = places.map((place) => placeText(finding, place));
  addItems(box.createEl('ul'), rows, SHOWN_PLACES, more);
  return box;
}
