import { isJsonObject, type Json, type JsonObject } from '../../../model/event.js';
import { clip } from '../../../model/refusal.js';
import { visibleText } from '../../../model/text/visible-text.js';
import { text } from '../../i18n/index.js';
import type { Fact } from '../../ui/elements.js';
import { displayName } from '../../../apps/index.js';
import { parseJson, textAt } from '../../../model/text/json-fields.js';
import { labelOf } from '../../calls/labels.js';

/** Returns a client's name for display; it can be any text. Invisible characters become markers. */
export function clientName(client: string): string {
  const shown = clip(displayName(client.trim()), 60);
  return shown === '' ? text.connections.approvals.unnamed : shown;
}

/** Returns a call's action and subject, such as `Save state: Plan`. */
export function actionText(title: string, params: JsonObject): string {
  const subject = clip(textAt(params, 'name'), 60);
  return subject === '' ? title : text.connections.approvals.action(title, subject);
}

/** Returns the parameters as labels and values for display. Invisible characters become markers. */
export function shownParams(params: JsonObject): Fact[] {
  return Object.entries(params).map(([name, value]) => ({
    label: visibleText(labelOf(name)),
    value: visibleText(valueText(value)),
  }));
}

/** Returns the parameters as JSON for display. */
export function paramsJson(params: JsonObject): string {
  return visibleText(JSON.stringify(params, undefined, 2));
}

function valueText(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value))
    return value.length === 0
      ? text.connections.approvals.nothing
      : value.map(valueText).join('\n');
  return typeof value === 'object' && value !== null
    ? JSON.stringify(value, undefined, 2)
    : String(value);
}

/** Parses the parameters in a trace. If they were truncated, returns only the name, or nothing. */
export function paramsIn(input: string): JsonObject {
  const params = parseJson(input);
  if (params !== undefined) return isJsonObject(params) ? params : {};
  const [, quoted = ''] =
    /^\{(?:"[^"]*":"[^"]{0,200}",)*"name":("(?:[^"\\]|\\.)*")/.exec(input) ?? [];
  const name = parseJson(quoted);
  return name === undefined ? {} : { name };
}
