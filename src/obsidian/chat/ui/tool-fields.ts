import { isJsonObject, type Json, type JsonObject } from '../../../model/event.js';
import { text } from '../../i18n/index.js';
import { linesOf, readPreferences, type FormProblem } from '../../ui/forms/values.js';

/** A field of a form that is made from a tool's schema. */
export interface ToolField {
  readonly name: string;
  readonly kind: 'text' | 'lines' | 'pairs' | 'number' | 'switch' | 'choice';
  readonly label: string;
  readonly hint: string;
  readonly isRequired: boolean;
  /** Of a choice, or of a list of choices. */
  readonly choices: readonly string[];
}

/** The fields of a flat JSON schema, those that are required first. */
export function toolFields(schema: JsonObject): ToolField[] {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = Object.entries(properties).flatMap(([name, property]) =>
    isJsonObject(property) ? [fieldOf(name, property, required.includes(name))] : [],
  );
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
  ];
}

function fieldOf(name: string, property: JsonObject, isRequired: boolean): ToolField {
  const kind = kindOf(property);
  const items = isJsonObject(property['items']) ? property['items'] : {};
  const choices = [property['enum'] ?? items['enum'] ?? []]
    .flat()
    .filter((each): each is string => typeof each === 'string');
  const { optional, lines, pairs, chooseOf } = text.chat.tool;
  const said =
    typeof property['description'] === 'string'
      ? property['description'].replace(/[.]?$/, '.')
      : '';
  const how = kind === 'lines' ? lines : kind === 'pairs' ? pairs : '';
  const which = choices.length > 0 ? chooseOf(choices.join(', ')) : '';
  const hint = [said, how, which, isRequired ? '' : optional]
    .filter((each) => each !== '')
    .join(' ');
  return { name, kind, label: labelOf(name), hint, isRequired, choices };
}

function kindOf({ type, enum: values }: JsonObject): ToolField['kind'] {
  if (Array.isArray(values)) return 'choice';
  if (type === 'array') return 'lines';
  if (type === 'object') return 'pairs';
  if (type === 'boolean') return 'switch';
  return type === 'number' || type === 'integer' ? 'number' : 'text';
}

/** `conversationContext` as `Conversation context`. */
export function labelOf(name: string): string {
  const words = name.replace(
    /([a-z])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  );
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The parameters that were typed; what is empty and not required is left out. */
export function readToolFields(
  fields: readonly ToolField[],
  typed: ReadonlyMap<string, string>,
): { params: JsonObject; problems: FormProblem<string>[] } {
  const problems: FormProblem<string>[] = [];
  const params = new Map<string, Json>();
  for (const field of fields) {
    const { name, isRequired } = field;
    const value = (typed.get(name) ?? '').trim();
    if (value === '' && !isRequired) continue;
    const read = readField(field, value);
    if ('problem' in read) problems.push({ field: name, text: read.problem });
    else params.set(name, read.value);
  }
  return { params: Object.fromEntries(params), problems };
}

function readField(
  { kind, label }: ToolField,
  value: string,
): { value: Json } | { problem: string } {
  switch (kind) {
    case 'lines':
      return { value: linesOf(value) };
    case 'pairs': {
      const read = readPreferences(value);
      return 'problem' in read ? read : { value: read.preferences };
    }
    case 'number':
      return value === '' || Number.isNaN(Number(value))
        ? { problem: text.chat.tool.notNumber(label) }
        : { value: Number(value) };
    case 'switch':
      return { value: value === 'true' };
    case 'text':
    case 'choice':
      return { value };
  }
}

/** Parameters as they are typed, to be changed and sent again. */
export function typedParams(params: unknown): Map<string, string> {
  if (!isJsonObject(params)) return new Map();
  return new Map(Object.entries(params).map(([name, value]) => [name, typedValue(value)]));
}

function typedValue(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value))
    return value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n');
  if (isJsonObject(value))
    return Object.entries(value)
      .map(([key, each]) => `${key}: ${typedValue(each)}`)
      .join('\n');
  return JSON.stringify(value);
}
