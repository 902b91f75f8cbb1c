import { ExtraButtonComponent, Modal } from 'obsidian';
import { clip } from '../../model/refusal.js';
import { checkpointText, type Checkpoint } from '../../model/text/checkpoint.js';
import { checkpointName, isCaptured } from '../checkpoints/captured-trace.js';
import { askToForget } from '../forget/forget-modal.js';
import type { Savepoint } from '../savepoint.js';
import type { Trace } from '../../model/trace.js';
import { visibleText } from '../../model/text/visible-text.js';
import { callTitle } from '../calls/call-sentence.js';
import { displayName } from '../../apps/index.js';
import { parseJson } from '../../model/text/json-fields.js';
import { text } from '../i18n/index.js';
import { exactDate } from '../ui/dates.js';
import { openModal } from '../ui/modals.js';

const MAX_NAME_CHARS = 80;

/** Shows one tool call, logged trace or session with everything stored about it. */
export async function openCall(savepoint: Savepoint, call: Trace): Promise<void> {
  const { kind, createdAt, client, goal = '', memory = '', constraints = '' } = call;
  const { outcome, files = [], isSuccess, input, checkpoint } = call;
  const { callFields, succeeded, traceKinds } = text.memoryView;
  const modal = new Modal(savepoint.app);
  const title = kind ? traceKinds[kind] : callTitle(call);
  modal.setTitle(isCaptured(call) ? await checkpointName(savepoint, call) : title);
  modal.modalEl.addClass('savepoint-call');
  const results: readonly Fact[] = kind
    ? [
        [callFields.content, checkpoint ? checkpointText({ ...checkpoint, turns: [] }) : input],
        [callFields.outcome, outcome],
        [callFields.files, checkpoint ? '' : files.join('\n')],
      ]
    : [isSuccess ? [callFields.outcome, succeeded] : [callFields.outcome, outcome, 'mod-error']];
  addFacts(modal.contentEl, [
    [callFields.when, exactDate(createdAt, text.locale)],
    [callFields.app, displayName(client)],
    [callFields.goal, goal],
    [callFields.memory, memory],
    [callFields.constraints, constraints],
    ...results,
  ]);
  if (checkpoint) addTurns(modal, savepoint, call, checkpoint);
  addDetails(modal.contentEl, call);
  openModal(modal);
}

/** Adds what was said in a session. Each message can be forgotten. */
function addTurns(
  modal: Modal,
  savepoint: Savepoint,
  { ref, workspaceId, sessionId, client = '' }: Trace,
  { turns }: Checkpoint,
): void {
  const list = modal.contentEl.createEl('ol', { cls: 'savepoint-turns' });
  for (const { id, message, answer } of turns) {
    const item = list.createEl('li');
    item.createEl('p', { text: visibleText(message) });
    if (answer !== '') item.createEl('p', { text: visibleText(answer) });
    if (ref === undefined || id === '') continue;
    const name = clip(message, MAX_NAME_CHARS);
    const button = new ExtraButtonComponent(item).setIcon('trash');
    button.setTooltip(text.memoryView.forgetMessage(name)).onClick(() =>
      askToForget(savepoint, {
        kind: 'session',
        id: sessionId,
        name,
        workspaceId,
        client,
        turn: id,
        done: () => modal.close(),
      }),
    );
  }
}

/** Adds the ids and the raw data, collapsed. */
function addDetails(content: HTMLElement, { tool, kind, toolset, sessionId, input }: Trace): void {
  const { callFields, details } = text.memoryView;
  const box = content.createEl('details', { cls: 'savepoint-advanced' });
  box.createEl('summary', { text: details });
  addFacts(box, [
    [callFields.tool, tool],
    [callFields.toolset, toolset],
    [callFields.session, sessionId],
    ...(kind ? [] : ([[callFields.input, readable(input), 'savepoint-code']] as const)),
  ]);
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
