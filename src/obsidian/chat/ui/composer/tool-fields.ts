import { isJsonObject, type Json, type JsonObject } from '../../../../model/event.js';
import { withoutHidden } from '../../../../model/text/visible-text.js';
import { labelOf } from '../../../calls/labels.js';
import { text } from '../../../i18n/index.js';
import { typedLines, readPreferences, type FormProblem } from '../../../ui/forms/values.js';

/** A field of the form that is generated from a tool's schema. */
export interface ToolField {
  readonly name: string;
  readonly kind: 'text' | 'lines' | 'pairs' | 'number' | 'switch' | 'choice';
  readonly label: string;
  readonly hint: string;
  readonly isRequired: boolean;
  /** Allowed values of a choice or a list; empty if any text is allowed. */
  readonly choices: readonly string[];
}

/** Returns the fields of a flat JSON schema, required ones first. */
export function toolFields(schema: JsonObject): ToolField[] {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = Object.entries(properties).flatMap(([name, property]) =>
    isJsonObject(property) ? [parseField(name, property, required.includes(name))] : [],
  );
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
  ];
}

function parseField(name: string, property: JsonObject, isRequired: boolean): ToolField {
  const kind = fieldKind(property);
  const items = isJsonObject(property['items']) ? property['items'] : {};
  const choices = [property['enum'] ?? items['enum'] ?? []]
    .flat()
    .filter((each): each is string => typeof each === 'string');
  const { optional, lines, pairs, chooseOf } = text.chat.tool;
  const described =
    typeof property['description'] === 'string'
      ? property['description'].replace(/[.]?$/, '.')
      : '';
  const formats: Partial<Record<ToolField['kind'], string>> = { lines, pairs };
  const format = formats[kind] ?? '';
  const allowed = choices.length > 0 ? chooseOf(choices.join(', ')) : '';
  const hint = [described, format, allowed, isRequired ? '' : optional]
    .filter((each) => each !== '')
    .join(' ');
  return { name, kind, label: labelOf(name), hint, isRequired, choices };
}

function fieldKind({ type, enum: values }: JsonObject): ToolField['kind'] {
  if (Array.isArray(values)) return 'choice';
  if (type === 'array') return 'lines';
  if (type === 'object') return 'pairs';
  if (type === 'boolean') return 'switch';
  return type === 'number' || type === 'integer' ? 'number' : 'text';
}

/** Parses the typed values into parameters; empty optional fields are omitted. */
export function parseToolFields(
  fields: readonly ToolField[],
  typed: ReadonlyMap<string, string>,
): { params: JsonObject; problems: FormProblem<string>[] } {
  const problems: FormProblem<string>[] = [];
  const params = new Map<string, Json>();
  for (const field of fields) {
    const { name, isRequired } = field;
    const value = (typed.get(name) ?? '').trim();
    if (value === '' && !isRequired) continue;
    const read = parseValue(field, value);
    if ('problem' in read) problems.push({ field: name, text: read.problem });
    else params.set(name, read.value);
  }
  return { params: Object.fromEntries(params), problems };
}

function parseValue(
  { kind, label }: ToolField,
  value: string,
): { value: Json } | { problem: string } {
  switch (kind) {
    case 'lines':
      return { value: typedLines(value) };
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

/** Returns parameters as the texts of the form's fields, without invisible characters. */
export function paramsToText(params: unknown): Map<string, string> {
  if (!isJsonObject(params)) return new Map();
  return new Map(
    Object.entries(params).map(([name, value]) => [name, withoutHidden(valueToText(value))]),
  );
}

function valueToText(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value))
    return value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n');
  if (isJsonObject(value))
    return Object.entries(value)
      .map(([key, each]) => `${key}: ${valueToText(each)}`)
      .join('\n');
  return JSON.stringify(value);
}
