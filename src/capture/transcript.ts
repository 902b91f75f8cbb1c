import type { JsonObject } from '../model/event.js';
import { parseJsonObject } from '../model/text/json-fields.js';
import { ActivityRecorder, type Activity } from './activity.js';
import { readClaudeCodeLine } from './claude-code.js';
import { readCodexLine } from './codex.js';
import { readGeminiLine } from './gemini.js';

/** Clients whose transcripts are understood, as `--client` names them. */
export const CAPTURED_CLIENTS = ['claude-code', 'codex', 'gemini'] as const;

export type CapturedClient = (typeof CAPTURED_CLIENTS)[number];

/** Records what one line of a transcript tells. Lines of unknown kinds are ignored. */
type LineReader = (line: JsonObject, recorder: ActivityRecorder) => void;

const READERS: Readonly<Record<CapturedClient, LineReader>> = {
  'claude-code': readClaudeCodeLine,
  codex: readCodexLine,
  gemini: readGeminiLine,
};

/**
 * Returns the activity of a session after further lines of its transcript. Lines that are not JSON
 * objects or not understood are skipped, so an unknown version of a client yields less, never an
 * error.
 */
export function readTranscript(
  client: CapturedClient,
  lines: readonly string[],
  before?: Activity,
): Activity {
  const recorder = new ActivityRecorder(before);
  for (const text of lines) {
    const line = parseJsonObject(text);
    if (line) READERS[client](line, recorder);
  }
  return recorder.activity();
}
