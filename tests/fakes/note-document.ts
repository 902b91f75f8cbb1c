import { runToEnd } from '../../src/platform/run-sliced.js';
import type { SearchDocument } from '../../src/search/documents/documents.js';
import { noteDocumentSteps } from '../../src/search/documents/passages.js';

/** Returns the document of a note at once. */
export function noteDocument(path: string, text: string, time: number): SearchDocument {
  return runToEnd(noteDocumentSteps(path, text, time));
}
