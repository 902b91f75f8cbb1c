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
import { report } from '../host/logger.js';
import type { Savepoint } from '../savepoint.js';
import { exactKindsFirst, type MemoryHit, type SearchedPart } from './memory-hits.js';
import { searchChats, searchMemory } from './search-everything.js';
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
  readonly query?: string;
  readonly openState: (state: Named<State>) => void;
  readonly openRecord: (record: ProjectRecord) => void;
  readonly openChat: (hit: ConversationHit) => void;
  readonly openCall: (call: Trace) => void;
}

const TYPING_DEBOUNCE_MS = 150;
/** Conversations that are found later are added below the hits that are already shown. */
const CHATS_WAIT_MS = 300;
const SHOWN_HITS = 100;

/** Hits of the conversations for one query and scope. */
interface ChatSearch {
  readonly key: string;
  readonly hits: Promise<MemoryHit[]>;
  /** True if other hits were shown before these were known. */
  isLate: boolean;
}

/** Searches the states, records, conversations, notes and calls of all workspaces. */
export class SearchMemory extends SuggestModal<MemoryHit> {
  readonly #find = newestOnly((query, signal) => this.#search(query, signal));
  readonly #scopeButtons: { readonly scope: SearchedPart; readonly el: HTMLElement }[] = [];
  #searchedScope: SearchedPart = 'all';
  /** The running search, for which later ones wait. */
  #running: Promise<unknown> = Promise.resolve();
  #chats: ChatSearch | undefined;
  #stopChats = new AbortController();
  /** The query whose hits are shown. */
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
    // The app leaves it until there are hits.
    this.inputEl.addEventListener('input', () => {
      if (this.inputEl.value === '') return;
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

  override async getSuggestions(query: string): Promise<MemoryHit[]> {
    const hits = await this.#find(query.trim());
    this.#query = query;
    this.#lastKind = undefined; // the rows are rendered next
    return hits;
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

  async #search(query: string, signal: AbortSignal): Promise<MemoryHit[]> {
    const { savepoint } = this.#options;
    const { start, nothing, nothingHere } = text.commands.search;
    if (query === '') {
      this.emptyStateText = start;
      return [];
    }
    const scope = this.#searchedScope;
    await new Promise<void>((resolve) => void savepoint.clock.after(TYPING_DEBOUNCE_MS, resolve));
    await this.#running;
    const isSuperseded = () => signal.aborted;
    if (isSuperseded()) return [];
    const request = { query, scope, signal };
    const searching = searchMemory(savepoint, request);
    this.#running = searching.catch(() => undefined);
    try {
      const hits = await searching;
      const chats = await this.#findChats(query, scope);
      if (!isSuperseded()) this.emptyStateText = (scope === 'all' ? nothing : nothingHere)(query);
      const isLate = this.#chats?.isLate === true;
      const above = isLate
        ? hits.length
        : hits.findLastIndex(({ kind }) => kind === 'state' || kind === 'record') + 1;
      const all = [...hits.slice(0, above), ...chats, ...hits.slice(above)];
      return isLate ? all : exactKindsFirst(all, query, (hit) => describeHit(hit).title);
    } catch (error) {
      if (!isSuperseded()) this.emptyStateText = faultText(error);
      return [];
    }
  }

  /** Returns the conversations found in time. If they are late, the query is repeated with them. */
  async #findChats(query: string, scope: SearchedPart): Promise<MemoryHit[]> {
    const { chat, savepoint } = this.#options;
    if (!chat) return [];
    const key = JSON.stringify([query, scope]);
    const isNew = this.#chats?.key !== key;
    if (isNew) {
      this.#stopChats.abort();
      this.#stopChats = new AbortController();
      const { signal } = this.#stopChats;
      this.#chats = { key, hits: searchChats(chat, { query, scope, signal }), isLate: false };
    }
    const { hits } = this.#chats!;
    const inTime = await Promise.race([
      hits,
      new Promise<undefined>((resolve) => {
        savepoint.clock.after(CHATS_WAIT_MS, () => resolve(undefined));
      }),
    ]);
    if (!inTime && isNew) {
      this.#chats!.isLate = true;
      hits.then((found) => this.#addLate(key, found)).catch(report);
    }
    return inTime ?? [];
  }

  #addLate(key: string, found: readonly MemoryHit[]): void {
    if (found.length > 0 && this.#chats?.key === key && this.modalEl.isConnected) this.#askAgain();
  }
}

interface HitDescription {
  readonly title: string;
  readonly parts: readonly string[];
  readonly createdAt?: string;
}

function describeHit(hit: MemoryHit): HitDescription {
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
