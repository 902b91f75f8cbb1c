import { Setting } from 'obsidian';
import { Scheduler } from '../../../../platform/scheduler.js';
import { findTool } from '../../../../toolkit/toolkit.js';
import { act } from '../../../actions.js';
import { toolTitle } from '../../../calls/labels.js';
import { yieldToHost } from '../../../host/browser-ports.js';
import { inputSchema } from '../../../../toolkit/schema.js';
import type { ConversationController } from '../../conversation-controller.js';
import type { Savepoint } from '../../../savepoint.js';
import { text } from '../../../i18n/index.js';
import { addText, addTextArea, nameElement, type FormField } from '../../../ui/forms/fields.js';
import { FormModal } from '../../../ui/forms/form-modal.js';
import { offered, TextSuggest } from '../../../ui/forms/text-suggest.js';
import { schemaProblems, type FormProblem } from '../../../ui/forms/values.js';
import { namesFor } from './named-fields.js';
import { parseToolFields, toolFields, paramsToText, type ToolField } from './tool-fields.js';

interface ToolFormOptions {
  readonly savepoint: Savepoint;
  readonly controller: ConversationController;
  readonly tool: string;
  readonly params?: unknown;
  readonly onClosed: () => void;
}

/** Form generated from a tool's schema. It calls the tool without a model. */
export class ToolForm extends FormModal<string> {
  readonly #toolFields: readonly ToolField[];
  readonly #typed: Map<string, string>;
  readonly #before: string;
  readonly #options: ToolFormOptions;

  constructor(options: ToolFormOptions) {
    const { tool } = findTool(options.savepoint.toolkit, options.tool);
    super(options.savepoint, {
      title: toolTitle(tool),
      submit: text.chat.tool.run,
      sending: text.chat.tool.running,
    });
    this.#options = options;
    this.#toolFields = toolFields(inputSchema(tool));
    this.#typed = paramsToText(options.params);
    this.#before = this.#content();
  }

  override onClose(): void {
    super.onClose();
    this.#options.onClosed();
  }

  protected override build(form: HTMLElement): Map<string, FormField> {
    return new Map(this.#toolFields.map((field) => [field.name, this.#addField(form, field)]));
  }

  protected override required() {
    return new Set(this.#toolFields.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])));
  }

  protected override submit(): Promise<FormProblem<string>[]> {
    const { savepoint, controller, tool: name } = this.#options;
    const { tool } = findTool(savepoint.toolkit, name);
    const { params, problems } = parseToolFields(this.#toolFields, this.#typed);
    const labels = Object.fromEntries(this.#toolFields.map((field) => [field.name, field.label]));
    const all = [...problems, ...schemaProblems<string>(tool.input, params, labels)];
    if (all.length > 0) return Promise.resolve(all);
    return controller.callTool(name, params).then(() => []);
  }

  protected override holdsUnsaved(): boolean {
    return this.#content() !== this.#before;
  }

  #addField(form: HTMLElement, field: ToolField): FormField {
    const { name, kind, label, hint, choices } = field;
    const change = (value: string) => {
      this.#typed.set(name, value);
    };
    const given = { label, hint, value: this.#typed.get(name) ?? '', change };
    if (kind === 'switch') return addSwitch(form, given);
    if (kind === 'lines' || kind === 'pairs') return addTextArea(form, given);
    const built = addText(form, given);
    if (kind === 'number') built.input.setAttr('inputmode', 'decimal');
    const suggest = (offer: (typed: string) => string[]) =>
      new TextSuggest(this.app, built.input as HTMLInputElement, offer, (suggestion) => {
        built.input.value = suggestion;
        change(suggestion);
      });
    if (kind === 'choice') suggest(() => [...choices]);
    else act(() => this.#suggestNames(name, suggest));
    return built;
  }

  /** Suggests existing states or workspaces if the field names one. */
  async #suggestNames(
    field: string,
    suggest: (offer: (typed: string) => string[]) => unknown,
  ): Promise<void> {
    const { savepoint, controller, tool } = this.#options;
    const names = await namesFor({
      memory: savepoint.memory.get(),
      tool,
      field,
      workspaceId: controller.workspaceId.get(),
      scheduler: new Scheduler(savepoint.clock, yieldToHost),
    });
    if (names) suggest((typed) => offered(names, typed));
  }

  #content(): string {
    return JSON.stringify([...this.#typed].filter(([, value]) => value !== ''));
  }
}

interface SwitchField {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

function addSwitch(form: HTMLElement, { label, hint, value, change }: SwitchField): FormField {
  const setting = new Setting(form).setDesc(hint);
  const input = setting.controlEl.createEl('input', { type: 'checkbox' });
  input.checked = value === 'true';
  input.addEventListener('change', () => change(input.checked ? 'true' : ''));
  setting.nameEl.createEl('label', { text: label, attr: { for: nameElement(input) } });
  input.setAttr('aria-describedby', nameElement(setting.descEl));
  return { setting, input };
}
