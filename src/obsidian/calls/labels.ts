import { isJsonObject, type Json } from '../../model/event.js';
import { clip } from '../../model/refusal.js';
import { textAt } from '../../model/text/json-fields.js';
import type { Tool } from '../../toolkit/define-tool.js';
import { allTools } from '../../toolkit/toolkit.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';

/** Returns a parameter's or tool's label: that of its field in a form, else its words. */
export function labelOf(name: string): string {
  const { createWorkspace, saveState } = text.commands;
  const labels = { ...createWorkspace.labels, ...saveState.labels, ...text.records.form.labels };
  const label = new Map(Object.entries(labels)).get(name);
  const words = name.replace(
    /([a-z])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  );
  return label ?? text.calls.label(name, `${words.charAt(0).toUpperCase()}${words.slice(1)}`);
}

/** Returns the enabled tool with a name. */
export function toolNamed({ toolkit }: Pick<Savepoint, 'toolkit'>, name: string) {
  return allTools(toolkit).find(({ tool }) => tool.name === name)?.tool;
}

/** Returns a tool's title, or that of a call with these parameters, such as `Record decision`. */
export function toolTitle(
  { name, title, kinds }: Pick<Tool<never>, 'name' | 'title' | 'kinds'>,
  params: Json = {},
): string {
  const { label } = text.calls;
  const given = isJsonObject(params) ? params : {};
  const kind = kinds?.params.map((each) => textAt(given, each)).find((each) => each !== '');
  if (!kinds || kind === undefined) return label(name, title);
  return label(kinds.title, kinds.title).replace('{kind}', label(kind, clip(kind)));
}
