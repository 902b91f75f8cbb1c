import type { Json, JsonObject } from '../../../model/event.js';
import { clip } from '../../../model/refusal.js';
import { visibleText } from '../../../model/text/visible-text.js';
import { text } from '../../i18n/index.js';
import type { Fact } from '../../ui/elements.js';
import { displayName } from '../../../apps/index.js';
import { labelOf } from '../../calls/labels.js';

/** Returns a client's name for display; it can be any text. Invisible characters become markers. */
export function clientName(client: string): string {
  const shown = clip(displayName(client.trim()), 60);
  return shown === '' ? text.connections.approvals.unnamed : shown;
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
