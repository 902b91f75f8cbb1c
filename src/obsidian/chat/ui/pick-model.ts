import { prepareFuzzySearch, SuggestModal, type App } from 'obsidian';
import {
  CHAT_AGENT_PROVIDER,
  formatModelRef,
  parseModelRef,
  type ModelRef,
} from '../../models/model-ref.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import { report } from '../../host/logger.js';
import { text } from '../../i18n/index.js';
import { pickerInstructions, renderRow } from '../../pickers/picker.js';

type Choice =
  | {
      readonly ref: ModelRef;
      readonly title: string;
      readonly note: string;
      readonly isCurrent: boolean;
    }
  | { readonly setUp: true; readonly title: string; readonly note: string };

interface PickModelOptions {
  readonly app: App;
  readonly models: ModelRegistry;
  readonly current: ModelRef | undefined;
  readonly choose: (ref: ModelRef) => void;
  readonly setUp: () => void;
}

/** Picks a model. Offers models in use, then those that providers list, then the typed name. */
export class PickModel extends SuggestModal<Choice> {
  #offered: readonly (ModelRef & { readonly contextLimit: number | undefined })[] = [];
  #isLoading = true;
  readonly #options: PickModelOptions;

  constructor(options: PickModelOptions) {
    super(options.app);
    this.#options = options;
    const { placeholder, enter, empty } = text.chat.pickModel;
    this.setPlaceholder(placeholder);
    this.inputEl.setAttr('aria-label', placeholder);
    this.setInstructions(pickerInstructions(enter));
    this.emptyStateText = empty;
  }

  override onOpen(): void {
    void super.onOpen();
    this.#load().catch(report);
  }

  override getSuggestions(query: string): Choice[] {
    const { models, current } = this.#options;
    const typed = query.trim();
    const { custom, context, loading, setUp, agent } = text.chat.pickModel;
    const ready = models.configured();
    const name = (id: string) =>
      ready.find(({ provider }) => provider.id === id)?.provider.name ?? id;
    const inUse = ready.map(({ ref }) => ({ ...ref, contextLimit: undefined }));
    const all = new Map([...inUse, ...this.#offered].map((ref) => [formatModelRef(ref), ref]));
    const choices = [...all.values()].map(
      ({ provider, model, contextLimit }): Choice & { ref: ModelRef } => ({
        ref: { provider, model },
        title: model,
        note: [
          name(provider),
          ...(contextLimit === undefined
            ? []
            : [context(contextLimit.toLocaleString(text.locale))]),
        ].join(' · '),
        isCurrent:
          current !== undefined && formatModelRef(current) === formatModelRef({ provider, model }),
      }),
    );
    const fits = typed === '' ? undefined : prepareFuzzySearch(typed);
    const agents = models.chatAgents.get().map(({ id, title }): Choice & { ref: ModelRef } => {
      const ref = { provider: CHAT_AGENT_PROVIDER, model: id };
      const isCurrent = current !== undefined && formatModelRef(current) === formatModelRef(ref);
      return { ref, title, note: agent, isCurrent };
    });
    const found = [...agents, ...choices].filter(
      ({ title, note }) => !fits || fits(`${title} ${note}`),
    );
    const isExact = choices.some(({ title }) => title === typed);
    const own =
      typed === '' || isExact
        ? []
        : ready.map(({ provider }): Choice => {
            return {
              ref: { provider: provider.id, model: typed },
              title: custom(typed),
              note: provider.name,
              isCurrent: false,
            };
          });
    return [
      ...found,
      ...own,
      { setUp: true, title: setUp, note: this.#isLoading && ready.length > 0 ? loading : '' },
    ];
  }

  override renderSuggestion(choice: Choice, row: HTMLElement): void {
    const { note, aux } = renderRow(row, choice.title, []);
    note.setText(choice.note);
    if ('isCurrent' in choice && choice.isCurrent) aux.setText(text.commands.pick.current);
  }

  override onChooseSuggestion(choice: Choice): void {
    if ('setUp' in choice) this.#options.setUp();
    else this.#options.choose(choice.ref);
  }

  async #load(): Promise<void> {
    const { models } = this.#options;
    const lists = await Promise.all(
      models.configured().map(async ({ provider }) => {
        // the provider's model in use is offered anyway
        const list = await models.list(provider).catch(() => []);
        return list.map(({ id, contextLimit }) => ({
          provider: provider.id,
          model: id,
          contextLimit,
        }));
      }),
    );
    this.#isLoading = false;
    this.#offered = lists.flat().filter((ref) => parseModelRef(formatModelRef(ref)) !== undefined);
    this.inputEl.dispatchEvent(new Event('input'));
  }
}
