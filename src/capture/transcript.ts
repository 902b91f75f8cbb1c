import { findApp } from '../apps/index.js';
import { isJsonObject, type JsonObject } from '../model/event.js';
import { ActivityRecorder, type Activity } from '../apps/transcripts/activity.js';

/**
 * Returns the activity of a session of an app after further lines of its transcript. Lines that are
 * not JSON objects or not understood are skipped, so an unknown version of an app yields less,
 * never an error.
 */
export function readTranscript(app: string, lines: readonly string[], before?: Activity): Activity {
  const recorder = new ActivityRecorder(before);
  const hooks = findApp('hooks', app)?.hooks;
  for (const text of lines) {
    const line = parseLine(text);
    if (line) hooks?.readLine(line, recorder);
  }
  return recorder.activity();
}

function parseLine(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // it is torn, or no JSON
  }
}
