import { Modal, type App } from 'obsidian';
import type { Trace } from '../../model/trace.js';
import { visibleText } from '../../model/text/visible-text.js';
import { text } from '../i18n/index.js';
import { exactDate } from '../ui/dates.js';

/** Shows one tool call or logged trace with everything stored about it. */
export class CallModal extends Modal {
  constructor(
    app: App,
    private readonly call: Trace,
  ) {
    super(app);
  }

  override onOpen(): void {
    const {
      tool,
      kind,
      agent,
      createdAt,
      sessionId,
      goal = '',
      memory = '',
      constraints = '',
    } = this.call;
    const { input, outcome, files = [], isSuccess } = this.call;
    const { callFields, succeeded, traceKinds } = text.memoryView;
    this.setTitle(kind ? traceKinds[kind] : visibleText(tool));
    this.modalEl.addClass('savepoint-call');
    const list = this.contentEl.createEl('dl');
    const add = (title: string, body: string, cls?: string) => {
      if (body === '') return;
      list.createEl('dt', { text: title });
      list.createEl('dd', { text: visibleText(body), ...(cls !== undefined && { cls }) });
    };
    add(callFields.when, exactDate(createdAt, text.locale));
    add(callFields.agent, agent);
    add(callFields.session, sessionId);
    add(callFields.goal, goal);
    add(callFields.memory, memory);
    add(callFields.constraints, constraints);
    if (kind) {
      add(callFields.content, input);
      add(callFields.outcome, outcome);
      add(callFields.files, files.join('\n'));
    } else {
      add(callFields.input, readable(input), 'savepoint-code');
      add(callFields.outcome, isSuccess ? succeeded : outcome, isSuccess ? undefined : 'mod-error');
    }
  }

  override onClose(): void {
    this.contentEl.empty();
  }
}

/** Pretty-prints JSON; returns truncated JSON unchanged. */
function readable(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}
