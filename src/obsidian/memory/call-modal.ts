import { Modal, type App } from 'obsidian';
import type { Trace } from '../../model/trace.js';
import { visibleText } from '../../model/text/visible-text.js';
import { callTitle } from '../calls/call-sentence.js';
import { displayName } from '../../apps/index.js';
import { parseJson } from '../../model/text/json-fields.js';
import { text } from '../i18n/index.js';
import { exactDate } from '../ui/dates.js';

/** Shows one tool call or logged trace with everything stored about it. */
export class CallModal extends Modal {
  readonly #call: Trace;

  constructor(app: App, call: Trace) {
    super(app);
    this.#call = call;
  }

  override onOpen(): void {
    const { contentEl } = this;
    const call = this.#call;
    const { kind, createdAt, client, goal = '', memory = '', constraints = '' } = call;
    const { outcome, files = [], isSuccess, input } = call;
    const { callFields, succeeded, traceKinds } = text.memoryView;
    this.setTitle(kind ? traceKinds[kind] : callTitle(call));
    this.modalEl.addClass('savepoint-call');
    const results: readonly Fact[] = kind
      ? [
          [callFields.content, input],
          [callFields.outcome, outcome],
          [callFields.files, files.join('\n')],
        ]
      : [isSuccess ? [callFields.outcome, succeeded] : [callFields.outcome, outcome, 'mod-error']];
    addFacts(contentEl, [
      [callFields.when, exactDate(createdAt, text.locale)],
      [callFields.app, displayName(client)],
      [callFields.goal, goal],
      [callFields.memory, memory],
      [callFields.constraints, constraints],
      ...results,
    ]);
    this.#addDetails();
  }

  /** Adds the ids and the raw data, collapsed. */
  #addDetails(): void {
    const { tool, kind, toolset, sessionId, input } = this.#call;
    const { callFields, details } = text.memoryView;
    const box = this.contentEl.createEl('details', { cls: 'savepoint-advanced' });
    box.createEl('summary', { text: details });
    addFacts(box, [
      [callFields.tool, tool],
      [callFields.toolset, toolset],
      [callFields.session, sessionId],
      ...(kind ? [] : ([[callFields.input, readable(input), 'savepoint-code']] as const)),
    ]);
  }

  override onClose(): void {
    this.contentEl.empty();
  }
}

type Fact = readonly [label: string, value: string, cls?: string];

function addFacts(box: HTMLElement, facts: readonly Fact[]): void {
  const list = box.createEl('dl');
  for (const [label, value, cls] of facts) {
    if (value === '') continue;
    list.createEl('dt', { text: label });
    list.createEl('dd', { text: visibleText(value), ...(cls !== undefined && { cls }) });
  }
}

/** Pretty-prints JSON; returns truncated JSON unchanged. */
function readable(json: string): string {
  const value = parseJson(json);
  return value === undefined ? json : JSON.stringify(value, undefined, 2);
}
