import { useId, useMemo, useRef } from 'preact/hooks';
import type { Trace } from '../../model/trace.js';
import type { TraceEntry } from '../../storage/index.js';
import { act } from '../actions.js';
import { isCaptured } from '../checkpoints/captured-trace.js';
import { lastSaves } from '../checkpoints/continue-entries.js';
import { text } from '../i18n/index.js';
import { AfterRows } from './after-rows.js';
import type { CallReader } from './call-reader.js';
import { openCall } from './call-modal.js';
import { hasAll, queryParts, stateText } from '../library/filter.js';
import type { PageHost } from './host.js';
import { useCallReader, useNow, useTimeline, useToggledKeys } from './hooks.js';
import type { Section } from '../library/library.js';
import { actionOf, forgetCallAction, showMenu, stateActions, type Action } from './menus.js';
import { Announcement } from './page-parts.js';
import { siblings, stateRow, timelineRows, type TimelineRow } from './rows.js';
import { RecordSectionContent } from './records/record-content.js';
import { checkAction, recordActions } from './records/record-menu.js';
import { renumbered, type RecordSectionRow } from './records/record-rows.js';
import { useRecordRows } from './records/use-record-rows.js';
import { TimelineRowContent } from './timeline-rows.js';
import type { TimelineEntry } from './timeline.js';
import { WindowedTree } from './windowed-tree.js';
import { WorkspaceDetails } from './workspace-details.js';
import { WorkspaceHeader } from './workspace-header.js';

type PageRow = TimelineRow<TraceEntry> | RecordSectionRow;

/** A workspace's page, with its details, records and timeline. */
export function WorkspacePage({ host, section }: { host: PageHost; section: Section }) {
  const { savepoint, view } = host;
  const { filter, isArchived } = view.states;
  const titleId = useId();
  const list = useRef<HTMLDivElement>(null);
  const now = useNow(savepoint);
  const reader = useCallReader(savepoint);
  const [expanded, toggleKey] = useToggledKeys();
  const { shown, matching, active, query } = useFilteredStates(section, filter, isArchived);
  const search = () => {
    if (query !== '') host.search(savepoint, query);
  };
  const isTimeline = query === '' && !isArchived;
  const { records } = section;
  const listed = useRecordRows(records, { query, isArchived, now, toggled: expanded });
  const { rows: recordRows, others } = listed;
  const { moments, error } = useTimeline(savepoint, section.id, active, others);
  const timeline = useRows({ isTimeline, matching, moments, expanded, reader });
  const rows = useMemo(
    () => (recordRows.length === 0 ? timeline : renumbered([...recordRows, ...timeline])),
    [recordRows, timeline],
  );
  const open = rowOpener(host, section, toggleKey);
  const saveAction = useSaveAction(host, active);
  const hasRows = (isArchived ? shown.length + recordRows.length : rows.length) > 0;
  return (
    <>
      <WorkspaceHeader
        host={host}
        section={section}
        titleId={titleId}
        listRef={list}
        onEnter={search}
      />
      <Announcement>
        {query === '' ? '' : foundText(matching.length, recordRows.length)}
      </Announcement>
      <WindowedTree
        labelledBy={titleId}
        rows={rows}
        listKey={`${query}\n${isArchived}`}
        memo={host.memoOf(`timeline ${section.id}`)}
        takesFocus={host.takesFocus}
        treeRef={list}
        before={<BeforeRows host={host} section={section} query={query} error={error} />}
        content={(row) =>
          isRecordSectionRow(row) ? (
            <RecordSectionContent savepoint={savepoint} row={row} now={now} />
          ) : (
            <TimelineRowContent row={row} now={now} reader={reader} saveAction={saveAction} />
          )
        }
        onOpen={open}
        onToggle={({ key }) => toggleKey(key)}
        onCheck={(row) => {
          if (row.kind === 'record') checkAction(savepoint, row.record)?.run();
        }}
        onMenu={(row, point, doc) => {
          const actions = rowActions(host, section, row, { open, saveAction });
          if (actions.length > 0) showMenu(actions, point, doc);
        }}
        after={
          <AfterRows
            host={host}
            workspaceId={section.id}
            query={query}
            search={search}
            matching={matching.length + recordRows.length}
            noMatchHelp={text.memoryView.noMatchingState}
            empty={hasRows ? undefined : noRows(isArchived)}
          />
        }
      />
    </>
  );
}

function noRows(isArchived: boolean) {
  const { noArchivedStates, noArchivedStatesHelp, noStates, noStatesHelp } = text.memoryView;
  return isArchived
    ? { icon: 'archive', title: noArchivedStates, help: noArchivedStatesHelp }
    : { icon: 'flag', title: noStates, help: noStatesHelp, isStart: true };
}

function isRecordSectionRow(row: PageRow): row is RecordSectionRow {
  return ['records', 'record', 'moreRecords'].includes(row.kind);
}

/** Returns how many states and records match the filter. */
function foundText(states: number, records: number): string {
  const found = text.memoryView.statesFound(states);
  return records === 0 ? found : `${found}, ${text.records.recordsFound(records)}`;
}

/** Returns a workspace's states before (`shown`) and after (`matching`) the text filter. */
function useFilteredStates({ states }: Section, filter: string, isArchived: boolean) {
  const query = filter.trim();
  const [active, archived] = useMemo(
    () => [
      states.filter(({ item }) => !item.isArchived),
      states.filter(({ item }) => item.isArchived),
    ],
    [states],
  );
  const shown = isArchived ? archived : active;
  const matching = useMemo(() => {
    const parts = queryParts(query);
    return parts.length === 0 ? shown : shown.filter((state) => hasAll(stateText(state), parts));
  }, [shown, query]);
  return { query, active, shown, matching };
}

function rowOpener(
  { savepoint, go }: PageHost,
  { id }: Section,
  toggle: (key: string) => void,
): (row: PageRow) => void {
  return (row) => {
    if (row.kind === 'state') go({ workspace: id, state: row.state.item.id });
    else if (row.kind === 'record') go({ workspace: id, record: row.record.id });
    else if (row.kind === 'call') act(() => openCall(savepoint, row.call));
    else if (row.kind !== 'reading') toggle(row.key);
  };
}

interface RowActionsOptions {
  readonly open: (row: PageRow) => void;
  readonly saveAction: (traces: readonly Trace[]) => Action | undefined;
}

function rowActions(
  host: PageHost,
  section: Section,
  row: PageRow,
  { open, saveAction }: RowActionsOptions,
): Action[] {
  const first = actionOf('arrow-right', text.general.open, () => open(row));
  if (row.kind === 'state') return [first, ...stateActions(host, row.state)];
  if (row.kind === 'record') return [first, ...recordActions(host, section, row.record)];
  return checkpointActions(host, row, saveAction);
}

/** Returns the actions of the last checkpoint in a row; none if there is none. */
function checkpointActions(
  host: PageHost,
  row: PageRow,
  saveAction: RowActionsOptions['saveAction'],
): Action[] {
  const traces = tracesIn(row);
  const forget = row.kind === 'call' ? forgetCallAction(host, row.call) : [];
  const captured = traces.find(isCaptured);
  if (!captured) return forget;
  const save = saveAction(traces);
  return [
    actionOf('message-square', text.general.resume, () =>
      host.resumeCheckpoint(host.savepoint, captured),
    ),
    ...(save ? [save] : []),
    ...forget,
  ];
}

function tracesIn(row: PageRow): readonly Trace[] {
  if (row.kind === 'call') return [row.call];
  return row.kind === 'calls' ? (row.traces ?? []) : [];
}

/** Saves the last checkpoint among traces, unless its session has saved a state since. */
function useSaveAction(
  { savepoint, saveCheckpoint }: PageHost,
  states: Section['states'],
): RowActionsOptions['saveAction'] {
  const saves = useMemo(() => {
    let found: ReadonlyMap<string, string> | undefined;
    return () => (found ??= lastSaves(states));
  }, [states]);
  return (traces) => {
    const captured = traces.find(isCaptured);
    if (!captured || (saves().get(captured.sessionId) ?? '') >= captured.createdAt)
      return undefined;
    return actionOf('bookmark-plus', text.capture.saveAsState, () =>
      saveCheckpoint(savepoint, captured),
    );
  };
}

interface BeforeRowsProps {
  host: PageHost;
  section: Section;
  query: string;
  error: string | undefined;
}

/** The workspace's details above the timeline. */
function BeforeRows({ host, section, query, error }: BeforeRowsProps) {
  const { id, workspace } = section;
  const labels = text.memoryView;
  if (query !== '') return null;
  return (
    <>
      {workspace?.item.isArchived && <p class="savepoint-banner">{labels.isArchivedWorkspace}</p>}
      {workspace ? (
        <WorkspaceDetails host={host} workspace={workspace.item} />
      ) : (
        <p class="savepoint-banner">{labels.missingWorkspaceId(id)}</p>
      )}
      {error !== undefined && (
        <p class="savepoint-banner mod-error">
          {labels.callsFailed}: {error}
        </p>
      )}
    </>
  );
}

interface RowsOptions {
  isTimeline: boolean;
  matching: Section['states'];
  moments: readonly TimelineEntry<TraceEntry>[];
  expanded: ReadonlySet<string>;
  reader: CallReader<TraceEntry>;
}

/** Returns the timeline, or the filtered states. */
function useRows({
  isTimeline,
  matching,
  moments,
  expanded,
  reader,
}: RowsOptions): readonly PageRow[] {
  const states = useMemo(
    (): PageRow[] => (isTimeline ? [] : siblings(matching, 1, stateRow)),
    [isTimeline, matching],
  );
  const version = reader.version();
  const timeline = useMemo(
    () => timelineRows(moments, expanded, (calls) => reader.tracesOf(calls)),
    [moments, expanded, version],
  );
  return isTimeline ? timeline : states;
}
