import { renderMatches, SuggestModal, type App } from 'obsidian';
import type { Named } from '../../model/lookup.js';
import { listedTitle, type ProjectRecord } from '../../model/records/record.js';
import type { State } from '../../model/state.js';
import { visibleText } from '../../model/text/visible-text.js';
import type { Trace } from '../../model/trace.js';
import { act } from '../actions.js';
import { faultText } from '../host/logger.js';
import { callTitle } from '../calls/call-sentence.js';
import type { ChatService } from '../chat/chat-service.js';
import { withoutMarkdown, type ConversationHit } from '../chat/search-conversations.js';
import { displayName } from '../../apps/index.js';
import type { Savepoint } from '../savepoint.js';
import { exactKindsFirst, type MemoryHit, type SearchedPart } from './memory-hits.js';
import { searchEverything } from './search-everything.js';
import { wordPlaces } from './word-places.js';
import { text } from '../i18n/index.js';
import { statusText } from '../memory/records/record-content.js';
import { newestOnly } from '../ui/newest-only.js';
import { pickerInstructions, renderAge, renderRow } from '../pickers/picker.js';
import { openNoteHit } from '../pickers/search-notes.js';

export interface SearchMemoryOptions {
  readonly savepoint: Savepoint;
  /** Undefined while the conversations are not open. */
  readonly chat: ChatService | undefined;
  /** Text to search for when the modal opens. */
  readonly query?: string | undefined;
  readonly openState: (state: Named<State>) => void;
  readonly openRecord: (record: ProjectRecord) => void;
  readonly openChat: (hit: ConversationHit) => void;
  readonly openCall: (call: Trace) => void;
}

/** Once hits have been shown this long, later ones are added below them. */
const READING_MS = 300;
const SHOWN_HITS = 100;
const KINDS: readonly MemoryHit['kind'][] = ['state', 'record', 'note', 'chat', 'call'];

/** Searches the states, records, conversations, notes and calls of all workspaces. */
export class SearchMemory extends SuggestModal<MemoryHit> {
  readonly #find = newestOnly((query, signal) => this.#search(query, signal));
  readonly #scopeButtons: { readonly scope: SearchedPart; readonly el: HTMLElement }[] = [];
  #searchedScope: SearchedPart = 'all';
  /** Query and scope of the hits. */
  #key = '';
  /** Hits so far, or a promise of the first ones. */
  #hits: MemoryHit[] | Promise<MemoryHit[]> = [];
  readonly #progressEl: HTMLElement;
  #query = '';
  /** Kind of the last row, because the first row of each kind has a heading. */
  #lastKind: MemoryHit['kind'] | undefined;
  readonly #options: SearchMemoryOptions;

  constructor(app: App, options: SearchMemoryOptions) {
    super(app);
    this.#options = options;
    const { placeholder, start, enter } = text.commands.search;
    this.limit = SHOWN_HITS;
    this.emptyStateText = start;
    this.setPlaceholder(placeholder);
    this.inputEl.setAttr('aria-label', placeholder);
    this.setInstructions(pickerInstructions(enter));
    this.#addScopes();
    this.#progressEl = this.modalEl.createDiv({ cls: 'savepoint-after', attr: { role: 'status' } });
    this.resultContainerEl.after(this.#progressEl);
    // The app leaves it until there are hits.
    this.inputEl.addEventListener('input', () => {
      if (this.inputEl.value === '' || Array.isArray(this.#hits)) return;
      for (const hint of this.resultContainerEl.findAll('.suggestion-empty')) hint.remove();
    });
  }

  override onOpen(): void {
    void super.onOpen();
    const { query = '' } = this.#options;
    if (query === '') return;
    this.inputEl.value = query;
    this.#askAgain();
  }

  override onClose(): void {
    super.onClose();
    void this.#find(''); // ends the search
  }

  override getSuggestions(typed: string): MemoryHit[] | Promise<MemoryHit[]> {
    const query = typed.trim();
    const key = JSON.stringify([query, this.#searchedScope]);
    if (key !== this.#key) this.#hits = this.#find(query);
    this.#key = key;
    this.#query = query;
    this.#lastKind = undefined; // the rows are rendered next
    return this.#hits;
  }

  override renderSuggestion(hit: MemoryHit, row: HTMLElement): void {
    const { kinds, groups } = text.commands.search;
    const { title, parts, createdAt } = describeHit(hit);
    if (this.#lastKind !== hit.kind) {
      const heading = createDiv({ cls: 'savepoint-group', text: groups[hit.kind] });
      heading.setAttr('aria-hidden', 'true'); // each row says its kind
      row.before(heading);
    }
    this.#lastKind = hit.kind;
    const { note, aux } = renderRow(row, title, wordPlaces(title, this.#query));
    for (const part of parts.map(visibleText)) {
      if (part === '') continue;
      if (note.hasChildNodes()) note.appendText(' · ');
      renderMatches(note.createEl('bdi'), part, wordPlaces(part, this.#query));
    }
    if (createdAt !== undefined) renderAge(note, createdAt, this.#options.savepoint.clock.now());
    aux.createSpan({ cls: 'savepoint-unseen', text: kinds[hit.kind] });
  }

  override onChooseSuggestion(hit: MemoryHit, event: MouseEvent | KeyboardEvent): void {
    const { openState, openRecord, openChat, openCall } = this.#options;
    if (hit.kind === 'state') openState(hit.state);
    else if (hit.kind === 'record') openRecord(hit.record);
    else if (hit.kind === 'chat') openChat(hit.hit);
    else if (hit.kind === 'note') act(() => openNoteHit(this.app, hit.hit, event));
    else openCall(hit.call);
  }

  /** Adds the buttons that choose between all workspaces and the current one. */
  #addScopes(): void {
    const { scopes, allWorkspaces } = text.commands.search;
    const { id, name } = this.#options.savepoint.workspace();
    const box = createDiv({
      cls: 'savepoint-scopes',
      attr: { role: 'group', 'aria-label': scopes },
    });
    for (const [scope, label] of [
      ['all', allWorkspaces],
      [{ workspaceId: id }, name],
    ] as const) {
      const el = box.createEl('button', { cls: 'savepoint-scope', attr: { type: 'button' } });
      el.createEl('bdi', { cls: 'savepoint-cut', text: label });
      el.addEventListener('click', () => this.#choose(scope));
      this.#scopeButtons.push({ scope, el });
    }
    this.modalEl.insertBefore(box, this.resultContainerEl);
    this.#showScope();
  }

  #choose(scope: SearchedPart): void {
    this.#searchedScope = scope;
    this.#showScope();
    this.#askAgain();
    this.inputEl.focus();
  }

  #showScope(): void {
    for (const { scope, el } of this.#scopeButtons) {
      const isSelected = scope === this.#searchedScope;
      el.setAttr('aria-pressed', String(isSelected));
      el.toggleClass('is-active', isSelected);
    }
  }

  #askAgain(): void {
    this.inputEl.dispatchEvent(new Event('input'));
  }

  /** Returns the first hits, and shows the others as they come. */
  async #search(query: string, signal: AbortSignal): Promise<MemoryHit[]> {
    const { savepoint, chat } = this.#options;
    this.#progressEl.empty();
    this.emptyStateText = query === '' ? text.commands.search.start : '';
    if (query === '') return [];
    const steps = searchEverything(savepoint, chat, { query, scope: this.#searchedScope, signal });
    const first = await steps.next();
    const hits = this.#inOrder(first.value ?? [], query);
    if (!signal.aborted) act(() => this.#showRest(steps, hits, query, signal));
    this.#lastKind = undefined; // the rows are rendered next
    return hits;
  }

  async #showRest(
    steps: AsyncIterable<MemoryHit[]>,
    first: MemoryHit[],
    query: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { nothing, nothingHere, searching } = text.commands.search;
    const { clock } = this.#options.savepoint;
    const since = clock.now();
    const cancel = clock.after(READING_MS, () => {
      if (!signal.aborted) this.#progressEl.setText(searching);
    });
    let hits = (this.#hits = first);
    try {
      for await (const found of steps) {
        if (signal.aborted) return;
        const isLate = clock.now() - since >= READING_MS;
        hits = isLate ? [...hits, ...found] : this.#inOrder([...hits, ...found], query);
        if (found.length > 0) this.#refresh(hits);
      }
      this.emptyStateText = (this.#searchedScope === 'all' ? nothing : nothingHere)(query);
      this.#progressEl.empty();
    } catch (error) {
      if (!signal.aborted) this.#progressEl.setText(faultText(error));
    } finally {
      cancel();
    }
    if (!signal.aborted && hits.length === 0) this.#refresh(hits);
  }

  #inOrder(hits: MemoryHit[], query: string): MemoryHit[] {
    hits.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
    return exactKindsFirst(hits, query, (hit) => describeHit(hit).title);
  }

  /** Shows the hits, with the selection and the scroll position as they were. */
  #refresh(hits: MemoryHit[]): void {
    this.#hits = hits;
    const { resultContainerEl, inputEl } = this;
    const { scrollTop } = resultContainerEl;
    const rows = resultContainerEl.findAll('.suggestion-item');
    this.#askAgain();
    for (let at = rows.findIndex((row) => row.hasClass('is-selected')); at > 0; at--)
      inputEl.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    resultContainerEl.scrollTop = scrollTop;
  }
}

function describeHit(hit: MemoryHit): { title: string; parts: string[]; createdAt?: string } {
  switch (hit.kind) {
    case 'state': {
      const { state, workspaceName, excerpt } = hit;
      const { createdAt } = state.item;
      return { title: state.displayName, parts: [workspaceName, excerpt], createdAt };
    }
    case 'record': {
      const { record, workspaceName } = hit;
      const { body = '', createdAt, kind } = record;
      const title = listedTitle(record);
      const parts = [workspaceName, text.records.kinds[kind], statusText(record), body];
      return { title, parts: parts.map((part) => part.replace(/\s+/gu, ' ')), createdAt };
    }
    case 'chat': {
      const { conversation, message, excerpt } = hit.hit;
      const { createdAt } = message ?? conversation;
      return { title: conversation.title, parts: [hit.workspaceName, excerpt], createdAt };
    }
    case 'note': {
      const { path, heading, excerpt } = hit.hit;
      const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/iu, '');
      const title = heading === undefined || heading === name ? name : `${name} › ${heading}`;
      return { title, parts: [path, withoutMarkdown(excerpt)] };
    }
    case 'call': {
      const { goal, client, outcome, isSuccess, createdAt } = hit.call;
      const parts = [hit.workspaceName, displayName(client), goal ?? '', isSuccess ? '' : outcome];
      return { title: callTitle(hit.call), parts, createdAt };
    }
  }
}
