import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { PROGRAM, temporaryFolder } from '../../fakes/program.js';
import { startNodeHost, type NodeHost } from '../node-host.js';

/** A vault, and the files of the device outside of it. */
export interface DesktopPlace {
  readonly vault: string;
  readonly state: string;
  readonly storageFile: string;
}

export function createDesktopPlace(settings: object = {}): DesktopPlace {
  const state = temporaryFolder('state');
  const place = { vault: temporaryFolder(), state, storageFile: join(state, 'local-storage.json') };
  saveSettings(place, settings);
  return place;
}

/** Writes the plugin's settings, as a sync service would. */
function saveSettings({ vault }: DesktopPlace, settings: object): void {
  const file = join(vault, '.obsidian/plugins/savepoint/data.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(settings));
}

/** Starts the desktop app with the compiled plugin, for a user to act in. */
export async function startDesktop({ vault, state, storageFile }: DesktopPlace, isMobile = false) {
  const env = { SAVEPOINT_STATE: state, XDG_RUNTIME_DIR: '' };
  const host = await startNodeHost({ vault, plugin: PROGRAM, storageFile, env, isMobile });
  onTestFinished(() => host.kill()); // hooks run in reverse order
  const person = personAt(host);
  if (!isMobile) await expect.poll(() => person.texts('.status-bar-item')).toContain('Default');
  return { host, ...person };
}

/** A new approval ignores clicks for a moment, in case they were meant for something else. */
const CLICK_DELAY_MS = 700;

/** Repeats an action until what it acts on is shown, which may have to load modules first. */
export function whenShown<T>(act: () => Promise<T>): Promise<T> {
  return vi.waitFor(act, { timeout: 60_000 });
}

/** Actions and observations of a user in the app. Copied texts are stored in the window. */
export function personAt(host: NodeHost) {
  const texts = (selector: string) =>
    host.evaluate(
      (_, wanted) => [...document.querySelectorAll(wanted)].map((each) => each.textContent),
      selector,
    );
  const clickNow = (selector: string, label: string) =>
    whenShown(() =>
      host.evaluate(
        (_, [where, wanted]) => {
          const all = [...document.querySelectorAll(where)];
          const found = all
            .filter(
              (each) => each.textContent === wanted || each.getAttribute('aria-label') === wanted,
            )
            .at(-1);
          if (!found)
            throw new Error(
              `There is no "${wanted}" among ${all.map((each) => each.textContent).join(', ')}`,
            );
          (found as HTMLElement).click();
        },
        [selector, label] as const,
      ),
    );
  return {
    texts,
    clickNow,
    /** Waits for a moment, then clicks the last of these elements with this text or label. */
    click: (selector: string, label: string) =>
      sleep(CLICK_DELAY_MS).then(() => clickNow(selector, label)),
    run: (id: string) =>
      host.evaluate((running, command) => running.runCommand(`savepoint:${command}`), id),
    openPage: (page: string) =>
      host.evaluate((running, wanted) => {
        running.app.setting.open();
        running.app.setting.openTabById('savepoint', [wanted]);
      }, page),
    /** Toggles a settings row. */
    turn: (name: string) =>
      whenShown(() =>
        host.evaluate((_, wanted) => {
          const rows = [...document.querySelectorAll('.modal .setting-item')];
          const found = rows.find(
            (each) => each.querySelector('.setting-item-name')?.textContent === wanted,
          );
          const control = found?.querySelector('input');
          if (!control) throw new Error(`There is no switch "${wanted}"`);
          control.click();
        }, name),
      ),
    /** Types into the field with this label. */
    type: (label: string, typed: string) =>
      whenShown(() =>
        host.evaluate(
          (_, [wanted, value]) => {
            const field = document.querySelector<HTMLInputElement>(
              `.modal input[aria-label="${wanted}"]`,
            );
            if (!field) throw new Error(`There is no field "${wanted}"`);
            field.value = value;
            for (const kind of ['input', 'change'])
              field.dispatchEvent(new Event(kind, { bubbles: true }));
          },
          [label, typed] as const,
        ),
      ),
    catchCopies: () =>
      host.evaluate(() => {
        const writeText = (copied: string) =>
          Promise.resolve(void Object.assign(globalThis, { copied }));
        Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
      }),
    copied: () => host.evaluate(() => (globalThis as { copied?: string }).copied ?? ''),
  };
}
