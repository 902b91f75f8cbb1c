import { findApp } from '../apps/index.js';
import { ActivityRecorder, type Activity } from '../apps/transcripts/activity.js';
import { parseJsonObject } from '../model/text/json-fields.js';

/**
 * Returns the activity of a session of an app after further lines of its transcript. Lines that are
 * not JSON objects or not understood are skipped, so an unknown version of an app yields less,
 * never an error.
 */
export function readTranscript(app: string, lines: readonly string[], before?: Activity): Activity {
  const recorder = new ActivityRecorder(before);
  const hooks = findApp('hooks', app)?.hooks;
  for (const text of lines) {
    const line = parseJsonObject(text);
    if (line) hooks?.readLine(line, recorder);
  }
  return recorder.activity();
}
