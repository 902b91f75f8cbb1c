import { displayName } from '../../apps/index.js';
import { isJsonObject } from '../../model/event.js';
import { numberIn, objectAt, textAt, textsIn } from '../../model/text/json-fields.js';
import { clip } from '../../model/refusal.js';
import type { NodeModules } from '../modules.js';
import { createJsonFile, type JsonFile } from '../ports/json-file.js';
import { CAPTURE_FOLDER } from './capture-settings-file.js';
import type { ReadTranscript } from './device-sessions.js';

const FILE_NAME = 'formats.json';
/** Transcripts in a row of which nothing was understood, after which the user is told. */
const MIN_COUNT = 3;
const MAX_FIELDS = 5;

export async function noteFormat(
  node: NodeModules,
  stateFolder: string,
  transcript: ReadTranscript,
): Promise<void> {
  const file = fileIn(node, stateFolder);
  const { app, isUnderstood, version } = transcript;
  const known = await file.read();
  if (isUnderstood && !(isJsonObject(known) && app in known)) return;
  await file.update((stored) => {
    const { [app]: last, ...others } = isJsonObject(stored) ? stored : {};
    if (isUnderstood) return others;
    const count = (isJsonObject(last) ? (numberIn(last, 'count') ?? 0) : 0) + 1;
    return { ...others, [app]: { count, version, fields: fieldsIn(transcript) } };
  });
}

/** Returns a sentence about each app of whose transcripts nothing was understood several times. */
export async function strangeFormats(node: NodeModules, stateFolder: string): Promise<string[]> {
  const stored = await fileIn(node, stateFolder).read();
  const apps = isJsonObject(stored) ? stored : {};
  return Object.keys(apps).flatMap((app) => {
    const format = objectAt(apps, app);
    const count = numberIn(format, 'count') ?? 0;
    if (count < MIN_COUNT) return [];
    const version = textAt(format, 'version') || 'of an unknown version';
    const fields = textsIn(format['fields']).join(', ');
    return `${displayName(app)} ${version}: nothing was understood in the last ${count} transcripts that were read. Unknown: ${fields}`;
  });
}

function fileIn(node: NodeModules, stateFolder: string): JsonFile {
  return createJsonFile(node, node.path.join(stateFolder, CAPTURE_FOLDER, FILE_NAME));
}

/** Returns what tells the kinds of the last entries apart: their types, or else their fields. */
function fieldsIn({ entries, hasNoJson }: ReadTranscript): string[] {
  if (hasNoJson) return ['lines that are no JSON objects'];
  const names = entries.map(({ value }) => {
    const type = textAt(value, 'type');
    const inner = textAt(objectAt(value, 'payload'), 'type');
    const keys = Object.keys(value).slice(0, MAX_FIELDS).join('+');
    return clip(type === '' ? keys : `type "${inner || type}"`);
  });
  return [...new Set(names)].slice(-MAX_FIELDS);
}
