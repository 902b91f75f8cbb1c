import { FuzzySuggestModal, type App, type FuzzyMatch } from 'obsidian';
import type { AppChoice } from '../connections.js';
import { text } from '../../i18n/index.js';
import { pickerInstructions, renderRow } from '../../pickers/picker.js';

export class AppPicker extends FuzzySuggestModal<AppChoice> {
  readonly #choices: readonly AppChoice[];
  readonly #choose: (choice: AppChoice) => void;

  constructor(app: App, choices: readonly AppChoice[], choose: (choice: AppChoice) => void) {
    super(app);
    this.#choices = choices;
    this.#choose = choose;
    const { placeholder, enter } = text.connections.pick;
    this.setPlaceholder(placeholder);
    this.inputEl.setAttr('aria-label', placeholder);
    this.setInstructions(pickerInstructions(enter));
    this.emptyStateText = text.commands.pick.noMatch;
  }

  override getItems(): AppChoice[] {
    return [...this.#choices];
  }

  override getItemText({ title }: AppChoice): string {
    return title;
  }

  override renderSuggestion({ item, match }: FuzzyMatch<AppChoice>, row: HTMLElement): void {
    const { note } = renderRow(row, item.title, match.matches);
    note.appendText(`${statusOf(item)} · `);
    note.createEl('bdi', { text: item.file });
  }

  override onChooseItem(choice: AppChoice): void {
    this.#choose(choice);
  }
}

function statusOf({ existing, problem }: AppChoice): string {
  const { free, broken, held: say, heldReadOnly } = text.connections.pick;
  if (problem !== '') return broken;
  if (!existing) return free;
  return existing.isReadOnly ? heldReadOnly(existing.name) : say(existing.name);
}
