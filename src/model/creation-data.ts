import { isJsonObject, type Json, type JsonObject } from './event.js';
import { isRecordKind } from './records/record-kinds.js';
import { isText, isTextList } from './text/json-fields.js';

/** Returns true if `d` has the shape of a creation event of type `t`. */
export function isCreationData(t: string, d: JsonObject): boolean {
  if (t === 'ws.new') return isWorkspaceData(d);
  if (t === 'state.new') return isStateData(d);
  if (t === 'record.new') return isRecordData(d);
  if (t === 'path.moved') return isText(d['from']) && isAbsentOr(isText, d['to']);
  if (t === 'pin.new') return [d['ws'], d['tool']].every(isText);
  return t === 'conv.new' && [d['ws'], d['title']].every(isText);
}

function isWorkspaceData(d: JsonObject): boolean {
  return (
    [d['name'], d['description'], d['rootFolder'], d['purpose']].every(isText) &&
    isAbsentOr(isTextList, d['workflows']) &&
    isAbsentOr(isTextList, d['keyFiles']) &&
    isAbsentOr(isJsonObject, d['preferences'])
  );
}

/** Returns true if `d` is that of a `state.new` event: `StateContent`, `ws` and `sha`. */
export function isStateData(d: JsonObject): boolean {
  return (
    [d['ws'], d['name'], d['conversationContext'], d['activeTask'], d['sha']].every(isText) &&
    isTextList(d['activeFiles']) &&
    isTextList(d['nextSteps']) &&
    isAbsentOr(isText, d['description']) &&
    ['tags', 'decisions', 'questions'].every((field) => isAbsentOr(isTextList, d[field]))
  );
}

/**
 * Returns the id of the state that a `state.new` event continues, if any. It counts only directly
 * after the name, where it is found without reading the whole line.
 */
export function continuedId(d: JsonObject): string | undefined {
  const id = d['continues'];
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) return undefined;
  const keys = Object.keys(d);
  return keys[keys.indexOf('continues') - 1] === 'name' ? id : undefined;
}

/** Returns true if `d` is that of a `record.new` event. */
export function isRecordData(d: JsonObject): boolean {
  return (
    [d['ws'], d['title']].every(isText) &&
    isRecordKind(d['kind']) &&
    ['body', 'state', 'phase'].every((field) => isAbsentOr(isText, d[field])) &&
    isAbsentOr(isTextList, d['needs'])
  );
}

function isAbsentOr(check: (value: Json | undefined) => boolean, value: Json | undefined): boolean {
  return value === undefined || check(value);
}
