import {
  prepareFuzzySearch,
  renderMatches,
  setIcon,
  SuggestModal,
  type App,
  type Instruction,
} from 'obsidian';
import type { Named } from '../../model/lookup.js';
import { visibleText } from '../../model/text/visible-text.js';
import type { Clock } from '../../platform/clock.js';
import { Scheduler } from '../../platform/scheduler.js';
import { yieldToHost } from '../host/browser-ports.js';
import { text } from '../i18n/index.js';
import { exactDate, relativeDate } from '../ui/dates.js';
import { openModal } from '../ui/modals.js';
import { newestOnly } from '../ui/newest-only.js';
import { findCandidates, type PickerItem, type Match } from './candidates.js';

const SHOWN_ROWS = 50;

type Candidates<T> = readonly PickerItem<T>[] | Promise<readonly PickerItem<T>[]>;

export interface PickerOptions<T> {
  readonly app: App;
  readonly clock: Clock;
  readonly texts: {
    readonly placeholder: string;
    /** Label of the action on Enter. */
    readonly enter: string;
    /** Message if there is nothing to pick. */
    readonly empty?: string;
  };
  readonly candidates: (scheduler: Scheduler) => Candidates<T>;
  readonly choose: (item: Named<T>) => void;
  /** Typed at the start. */
  readonly query?: string | undefined;
}

export type PickerTexts = PickerOptions<unknown>['texts'];

/** Lets the user pick something of the memory. */
export function openPicker<T>(
  { app, clock }: Pick<PickerOptions<T>, 'app' | 'clock'>,
  options: Omit<PickerOptions<T>, 'app' | 'clock'>,
): void {
  openModal(new Picker<T>({ ...options, app, clock }));
}

/** Picks a workspace or state. Fast with thousands, prepared once and searched in slices. */
export class Picker<T> extends SuggestModal<Match<T>> {
  readonly #find = newestOnly((query, signal) => this.#matches(query, signal));
  #candidates: Candidates<T> | undefined;
  readonly #options: PickerOptions<T>;

  constructor(options: PickerOptions<T>) {
    super(options.app);
    this.#options = options;
    const { placeholder, enter } = options.texts;
    this.limit = SHOWN_ROWS;
    this.emptyStateText = text.general.reading;
    this.setPlaceholder(placeholder);
    this.inputEl.setAttr('aria-label', placeholder);
    this.setInstructions(pickerInstructions(enter));
  }

  override onOpen(): void {
    void super.onOpen();
    const { query = '' } = this.#options;
    if (query === '') return;
    this.inputEl.value = query;
    this.inputEl.dispatchEvent(new Event('input'));
  }

  override getSuggestions(query: string): Promise<Match<T>[]> {
    return this.#find(query);
  }

  override renderSuggestion({ candidate, places }: Match<T>, row: HTMLElement): void {
    const { title, notes, createdAt, isCurrent } = candidate;
    const { note, aux } = renderRow(row, title, places);
    let offset = title.length + 1;
    for (const each of notes) {
      if (offset > title.length + 1) note.appendText(' · ');
      renderMatches(note.createEl('bdi'), each, [...places], -offset);
      offset += each.length + 1;
    }
    if (createdAt !== '') renderAge(note, createdAt, this.#options.clock.now());
    if (!isCurrent) return;
    setIcon(aux.createSpan({ cls: 'savepoint-icon', attr: { 'aria-hidden': 'true' } }), 'check');
    aux.createSpan({ text: text.commands.pick.current });
  }

  override onChooseSuggestion({ candidate }: Match<T>): void {
    this.#options.choose(candidate.item);
  }

  async #matches(query: string, signal: AbortSignal): Promise<Match<T>[]> {
    const scheduler = new Scheduler(this.#options.clock, yieldToHost);
    this.#candidates ??= this.#options.candidates(scheduler);
    const candidates = await this.#candidates;
    this.emptyStateText =
      candidates.length === 0
        ? (this.#options.texts.empty ?? text.commands.pick.empty)
        : text.commands.pick.noMatch;
    return findCandidates(candidates, query, {
      prepare: prepareFuzzySearch,
      limit: SHOWN_ROWS,
      scheduler,
      signal,
    });
  }
}

/** Returns the keyboard hints, as in the app's own pickers, with `more` before the last. */
export function pickerInstructions(enter: string, ...more: Instruction[]): Instruction[] {
  const { navigate, dismiss } = text.commands.pick;
  return [
    { command: '↑↓', purpose: navigate },
    { command: '↵', purpose: enter },
    ...more,
    { command: 'esc', purpose: dismiss },
  ];
}

/** Renders a row with matches highlighted. Returns the elements below the title and at the end. */
export function renderRow(
  row: HTMLElement,
  title: string,
  places: readonly [number, number][],
): { note: HTMLElement; aux: HTMLElement } {
  row.addClasses(['mod-complex', 'savepoint-row']);
  const content = row.createDiv({ cls: 'suggestion-content' });
  const titleEl = content.createDiv({ cls: 'suggestion-title', attr: { dir: 'auto' } });
  const shown = visibleText(title);
  renderMatches(titleEl, shown, shown === title ? [...places] : []); // markers move the matches
  return {
    note: content.createDiv({ cls: 'suggestion-note' }),
    aux: row.createDiv({ cls: 'suggestion-aux' }),
  };
}

/** Renders a relative date at the end of a line, with the exact date as tooltip. */
export function renderAge(line: HTMLElement, date: string, now: number): void {
  if (line.hasChildNodes()) line.appendText(' · ');
  const { locale } = text;
  line.createEl('time', {
    text: relativeDate(date, now, locale),
    attr: { datetime: date, title: exactDate(date, locale) },
  });
}
