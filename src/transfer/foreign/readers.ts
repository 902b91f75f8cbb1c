import { readNoteFields } from '../../search/documents/note-fields.js';
import type { Readers } from './foreign.js';
import { traceOfCall, withoutFolders } from '../../toolkit/trace.js';

/** What an import from another program is handed: its calls are kept as those of this program are, and its notes read as by the search. */
export function createForeignReaders(excludedFolders: readonly string[]): Readers {
  return {
    traceOf: (call) =>
      withoutFolders(traceOfCall({ ...call, workspaceId: '', client: undefined }), excludedFolders),
    noteHead: readNoteFields,
  };
}
