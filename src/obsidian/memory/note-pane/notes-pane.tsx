import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { pathMoves } from '../../../model/moves/path-moves.js';
import { Scheduler } from '../../../platform/scheduler.js';
import { act } from '../../actions.js';
import { faultText } from '../../host/logger.js';
import { yieldToHost } from '../../host/browser-ports.js';
import type { Savepoint } from '../../savepoint.js';
import type { Store } from '../../store.js';
import { text } from '../../i18n/index.js';
import { Empty, WhenReady } from '../../ui/components.js';
import { openCall } from '../call-modal.js';
import { useLibrary, useNow, useToggledKeys, useLogVersion } from '../hooks.js';
import type { Library } from '../../library/library.js';
import { Ago, Announcement, Header, Row } from '../page-parts.js';
import { CallContent, SessionContent } from '../timeline-rows.js';
import { RecordContent } from '../records/record-content.js';
import { checkAction } from '../records/record-menu.js';
import type { MemoryPlace } from '../view-state.js';
import { createListMemo } from '../use-row-window.js';
import { WindowedTree } from '../windowed-tree.js';
import { useStore } from '../../ui/use-store.js';
import {
  allTraceEntries,
  findCallsOfNote,
  CALLS_PER_SEARCH,
  type CallsOfNote,
} from './calls-of-note.js';
import { recordsAbout, statesNaming, workspacesNaming } from './note-memory.js';
import { noteRows, type HeadingRow, type NoteMemory, type NoteRow } from './note-rows.js';

export interface ActiveNote {
  readonly path: string;
  readonly name: string;
}

interface PaneProps {
  savepoint: Store<Savepoint | undefined>;
  note: Store<ActiveNote | undefined>;
  /** Opens the memory view. */
  open: (place: MemoryPlace) => Promise<void>;
}

export function NotesPane({ savepoint, note, open }: PaneProps) {
  const active = useStore(note);
  const labels = text.memoryView;
  if (!active)
    return (
      <Empty icon="file" title={labels.noNote}>
        {labels.noNoteHelp}
      </Empty>
    );
  return (
    <WhenReady savepoint={savepoint}>
      {(opened) => <MemoryOfNote key={active.path} savepoint={opened} note={active} open={open} />}
    </WhenReady>
  );
}

interface NoteMemoryProps {
  savepoint: Savepoint;
  note: ActiveNote;
  open: PaneProps['open'];
}

function MemoryOfNote({ savepoint, note, open }: NoteMemoryProps) {
  const library = useLibrary(savepoint);
  const now = useNow(savepoint);
  const titleId = useId();
  const memo = useRef(createListMemo());
  const [toggled, toggle] = useToggledKeys();
  const [limit, setLimit] = useState(CALLS_PER_SEARCH);
  const { found, error } = useCallsOfNote(savepoint, library, note.path, limit);
  const memory = useMemo(
    (): NoteMemory => ({
      records: library ? recordsAbout(library, note.path, pathMoves(savepoint.memory.get())) : [],
      states: library ? statesNaming(library, note.path) : [],
      workspaces: library ? workspacesNaming(library, note.path) : [],
      found,
    }),
    [savepoint, library, found, note.path],
  );
  const rows = useMemo(() => noteRows(memory, toggled), [memory, toggled]);
  if (!library) return <Empty icon="loader" title={text.general.reading} />;

  const openRow = (row: NoteRow) => {
    if (row.kind === 'state')
      act(() => open({ workspace: row.placed.section.id, state: row.placed.state.item.id }));
    else if (row.kind === 'record')
      act(() => open({ workspace: row.record.workspaceId, record: row.record.id }));
    else if (row.kind === 'workspace') act(() => open({ workspace: row.section.id }));
    else if (row.kind === 'call') act(() => openCall(savepoint, row.call));
    else toggle(row.key);
  };
  return (
    <>
      <Header title={<bdi>{note.name}</bdi>} titleId={titleId} />
      <Announcement>{found ? summaryOf(memory) : ''}</Announcement>
      <WindowedTree
        labelledBy={titleId}
        rows={rows}
        listKey={note.path}
        memo={memo.current}
        takesFocus={false}
        content={(row) => (
          <NoteRowContent savepoint={savepoint} row={row} now={now} found={found} />
        )}
        onOpen={openRow}
        onToggle={({ key }) => toggle(key)}
        onCheck={(row) => {
          if (row.kind === 'record') checkAction(savepoint, row.record)?.run();
        }}
        after={
          <SearchProgress
            found={found}
            error={error}
            limit={limit}
            isEmpty={rows.length === 0}
            onMore={() => setLimit(limit + CALLS_PER_SEARCH)}
          />
        }
      />
    </>
  );
}

interface ProgressProps {
  found: CallsOfNote | undefined;
  error: string | undefined;
  limit: number;
  isEmpty: boolean;
  onMore: () => void;
}

/** Says below the rows how far the calls have been searched, and offers to search further. */
function SearchProgress({ found, error, limit, isEmpty, onMore }: ProgressProps) {
  const labels = text.memoryView;
  return (
    <>
      {error !== undefined && (
        <p class="savepoint-banner mod-error">
          {labels.callsFailed}: {error}
        </p>
      )}
      {!found && error === undefined && <p class="savepoint-after">{labels.lookingAtCalls}</p>}
      {found && isEmpty && (
        <Empty icon="file-x" title={labels.noteUnknown}>
          {labels.noteUnknownHelp}
        </Empty>
      )}
      {found && !found.isAll && (
        <div class="savepoint-after">
          {found.looked < limit ? (
            labels.lookingAtCalls
          ) : (
            <button type="button" onClick={onMore}>
              {labels.lookFurther}
            </button>
          )}
        </div>
      )}
    </>
  );
}

interface RowContentProps {
  savepoint: Savepoint;
  row: NoteRow;
  now: number;
  found: CallsOfNote | undefined;
}

function NoteRowContent({ savepoint, row, now, found }: RowContentProps) {
  const labels = text.memoryView;
  switch (row.kind) {
    case 'records':
    case 'states':
    case 'workspaces':
    case 'sessions':
      return <HeadingContent row={row} found={found} />;
    case 'record':
      return <RecordContent savepoint={savepoint} record={row.record} now={now} showsWorkspace />;
    case 'state': {
      const { section, state } = row.placed;
      const { createdAt, activeTask } = state.item;
      const workspaceName = section.workspace?.displayName ?? labels.missingWorkspace;
      return (
        <Row
          icon="flag"
          title={state.displayName}
          meta={[<Ago then={createdAt} now={now} />, workspaceName, activeTask]}
        />
      );
    }
    case 'workspace': {
      const { item, displayName } = row.section.workspace ?? {};
      return (
        <Row
          icon="box"
          title={displayName ?? labels.missingWorkspace}
          meta={[item?.description ?? '']}
        />
      );
    }
    case 'session':
      return <SessionContent session={row.session} isExpanded={row.isExpanded} now={now} />;
    case 'call':
      return <CallContent call={row.call} now={now} />;
  }
}

function HeadingContent({ row, found }: { row: HeadingRow; found: CallsOfNote | undefined }) {
  const { kind, count, isExpanded } = row;
  const labels = text.memoryView;
  const { icon, title, meta } = {
    records: { icon: 'gavel', title: text.records.ofNote, meta: text.records.aboutNote(count) },
    states: { icon: 'flag', title: labels.statesOfNote, meta: labels.statesNaming(count) },
    workspaces: { icon: 'box', title: labels.workspaces, meta: labels.workspacesNaming(count) },
    sessions: {
      icon: 'terminal',
      title: labels.sessionsOfNote,
      meta: labels.sessionsNaming(count, found?.looked ?? 0, found?.isAll ?? false),
    },
  }[kind];
  return <Row icon={icon} title={title} isExpanded={isExpanded} meta={[meta]} />;
}

function summaryOf({ records, states, workspaces }: NoteMemory): string {
  return [
    ...(records.length > 0 ? [text.records.aboutNote(records.length)] : []),
    text.memoryView.statesNaming(states.length),
    text.memoryView.workspacesNaming(workspaces.length),
  ].join('. ');
}

/** Searches again when the memory changes. The last result stays until the new one is complete. */
function useCallsOfNote(
  savepoint: Savepoint,
  library: Library | undefined,
  path: string,
  limit: number,
) {
  const version = useLogVersion(savepoint, 'traces');
  const [state, setState] = useState<{ found?: CallsOfNote; error?: string }>({});
  useEffect(() => {
    if (!library) return;
    let isWanted = true;
    const { log } = savepoint.services;
    const look = async () => {
      const entries = await allTraceEntries(
        log,
        library.map(({ id }) => id),
      );
      const onProgress = (found: CallsOfNote) => {
        // Until this search has covered as much as the last one, the last result is better.
        if (isWanted)
          setState((before) =>
            before.found && found.looked < before.found.looked && !found.isAll ? before : { found },
          );
        return isWanted;
      };
      await findCallsOfNote({
        log,
        entries,
        path,
        moves: pathMoves(savepoint.memory.get()),
        limit,
        scheduler: new Scheduler(savepoint.clock, yieldToHost),
        onProgress,
      });
    };
    look().catch((error: unknown) => {
      const words = faultText(error);
      if (isWanted) setState((before) => ({ ...before, error: words }));
    });
    return () => {
      isWanted = false;
    };
  }, [savepoint, library, path, limit, version]);
  return state;
}
