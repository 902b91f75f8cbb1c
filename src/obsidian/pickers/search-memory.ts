import { SuggestModal, type App } from 'obsidian';
import { lookupState } from '../../model/lookup.js';
import { Refusal } from '../../model/refusal.js';
import type { State } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import type { Workspace } from '../../model/workspace.js';
import { visibleText } from '../../model/text/visible-text.js';
import { callTool } from '../../toolkit/call-tool.js';
import { act } from '../actions.js';
import type { Savepoint } from '../savepoint.js';
import { text } from '../i18n/index.js';
import { newestOnly } from '../ui/newest-only.js';
import { pickerInstructions, renderAge, renderRow } from './picker.js';

/** A result of `searchMemory`. */
interface Hit {
  readonly content: string;
  readonly type: 'state' | 'trace';
  readonly name?: string;
  readonly tool?: string;
  readonly context?: string;
  readonly createdAt: string;
}

interface SearchOptions {
  readonly savepoint: Savepoint;
  readonly openState: (state: State) => void;
  readonly openTrace: (trace: Trace) => void;
}

const TYPING_DEBOUNCE_MS = 150;
const SHOWN_HITS = 50;

/** Searches the memory of the current workspace while the user types. */
export class SearchMemory extends SuggestModal<Hit> {
  private readonly find = newestOnly((query, signal) => this.search(query, signal));
  private readonly workspace: Workspace;
  /** The running search, for which later ones wait. */
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    app: App,
    private readonly options: SearchOptions,
  ) {
    super(app);
    this.workspace = options.savepoint.workspace();
    const placeholder = text.commands.search.placeholder(this.workspace.name);
    this.limit = SHOWN_HITS;
    this.emptyStateText = text.commands.search.start;
    this.setPlaceholder(placeholder);
    this.inputEl.setAttr('aria-label', placeholder);
    this.setInstructions(pickerInstructions(text.commands.search.enter));
  }

  override getSuggestions(query: string): Promise<Hit[]> {
    return this.find(query.trim());
  }

  override renderSuggestion(
    { type, name, tool, context, content, createdAt }: Hit,
    row: HTMLElement,
  ): void {
    const { search } = text.commands;
    const { note, aux } = renderRow(row, name ?? tool ?? '', []);
    for (const part of [context, content]) {
      if (part === undefined || part === '') continue;
      if (note.hasChildNodes()) note.appendText(' · ');
      note.createEl('bdi', { text: visibleText(part) });
    }
    renderAge(note, createdAt, this.options.savepoint.clock.now());
    aux.createSpan({ text: type === 'state' ? search.state : search.call });
  }

  override onChooseSuggestion(hit: Hit): void {
    act(async () => {
      const { savepoint, openState, openTrace } = this.options;
      if (hit.type === 'trace') return openTrace(await this.traceOf(hit));
      const found = lookupState(savepoint.memory.get(), this.workspace.id, hit.name ?? '');
      if ('item' in found) openState(found.item.item);
    });
  }

  private async search(query: string, signal: AbortSignal): Promise<Hit[]> {
    const { search } = text.commands;
    if (query === '') {
      this.emptyStateText = search.start;
      return [];
    }
    await new Promise<void>(
      (resolve) => void this.options.savepoint.clock.after(TYPING_DEBOUNCE_MS, resolve),
    );
    await this.running;
    const isSuperseded = () => signal.aborted;
    if (isSuperseded()) return [];
    const asked = this.ask(query);
    this.running = asked;
    const { hits, problem } = await asked;
    if (!isSuperseded()) this.emptyStateText = problem ?? search.nothing(query);
    return hits;
  }

  /** Runs the search without a trace, because it runs for every key press. */
  private async ask(query: string): Promise<{ hits: Hit[]; problem?: string }> {
    const { toolset } = this.options.savepoint;
    const unseen = { ...toolset, host: { ...toolset.host, writeTrace: () => Promise.resolve() } };
    const params = { query, workspaceId: this.workspace.id, limit: SHOWN_HITS };
    const answer = await callTool(unseen, {
      tool: 'searchMemory',
      params,
      defaults: { sessionId: '', workspaceId: this.workspace.id },
    });
    return answer.success
      ? { hits: answer.data as Hit[] }
      : { hits: [], problem: answer.error ?? text.general.fault };
  }

  /** Returns the complete call of a hit, which has only its time and tool. Throws a `Refusal` if the call no longer exists. */
  private async traceOf({ createdAt, tool }: Hit): Promise<Trace> {
    const { log } = this.options.savepoint.services;
    const entries = await log.traceEntries(this.workspace.id);
    const traces = await log.readTraces(entries.filter(({ h }) => h.startsWith(createdAt)));
    const found = traces.find((trace) => trace.tool === tool);
    if (!found) throw new Refusal(text.commands.search.gone);
    return found;
  }
}
