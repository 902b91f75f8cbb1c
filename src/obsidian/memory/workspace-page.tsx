import type { RefObject } from 'preact';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import type { TraceEntry } from '../../storage/log.js';
import { act } from '../actions.js';
import { text } from '../i18n/index.js';
import type { Savepoint } from '../savepoint.js';
import { IconButton } from '../ui/components.js';
import { useStore } from '../ui/use-store.js';
import { AfterRows } from './after-rows.js';
import type { CallReader } from './call-reader.js';
import { CallModal } from './call-modal.js';
import { hasAll, queryParts, stateText } from './filter.js';
import type { PageHost } from './host.js';
import { useCallReader, useNow, useTimeline, useToggledKeys } from './hooks.js';
import type { Section } from './library.js';
import {
  archiveStateAction,
  archiveWorkspaceAction,
  copyState,
  enterWorkspace,
  showMenu,
  type Action,
} from './menus.js';
import { Ago, Announcement, Filter, Header, MoreButton, Row } from './page-parts.js';
import { stateRows, timelineRows, type TimelineRow, type TreeRow } from './rows.js';
import { searchEverything, type MemoryHit, type Search } from './search-everything.js';
import { TimelineRowContent } from './timeline-rows.js';
import { timeOf, type TimelineEntry } from './timeline.js';
import { WindowedTree } from './windowed-tree.js';
import { WorkspaceDetails } from './workspace-details.js';
import { openModal } from '../ui/modals.js';

type HitRow = TreeRow & { readonly kind: 'hit'; readonly hit: MemoryHit };
type PageRow = TimelineRow<TraceEntry> | HitRow;

/** A workspace's page, with its details and timeline. */
export function WorkspacePage({ host, section }: { host: PageHost; section: Section }) {
  const { savepoint, view, setFilter: choose } = host;
  const { filter, isArchived } = view.states;
  const titleId = useId();
  const list = useRef<HTMLDivElement>(null);
  const now = useNow(savepoint);
  const reader = useCallReader(savepoint);
  const [expanded, toggleKey] = useToggledKeys();
  const { shown, matching, active, query } = useFilteredStates(section, filter, isArchived);
  const { moments, error } = useTimeline(savepoint, section.id, active);
  const { searched, searchNow } = useSearch(savepoint, section.id, query);
  const isTimeline = query === '' && !isArchived;
  const rows = useRows({ searched, isTimeline, matching, moments, expanded, reader });
  const open = rowOpener(host, section, {
    toggle: toggleKey,
    reveal(key) {
      host.memoOf(`timeline ${section.id}`).wanted = key;
      if (!expanded.has(key)) toggleKey(key);
      choose({ filter: '', isArchived: false });
      list.current?.focus();
    },
    moments,
  });
  return (
    <>
      <WorkspaceHeader
        host={host}
        section={section}
        titleId={titleId}
        listRef={list}
        onEnter={searchNow}
      />
      <Announcement>{announcement(query, searched, matching.length)}</Announcement>
      <WindowedTree
        labelledBy={titleId}
        rows={rows}
        listKey={`${query}\n${isArchived}\n${searched?.phase}`}
        memo={host.memoOf(`timeline ${section.id}`)}
        takesFocus={host.takesFocus}
        treeRef={list}
        before={
          <BeforeRows
            host={host}
            section={section}
            query={query}
            searched={searched}
            error={error}
          />
        }
        content={(row) => <PageRowContent row={row} now={now} reader={reader} />}
        onOpen={open}
        onToggle={({ key }) => toggleKey(key)}
        onMenu={(row, point, doc) => {
          if (row.kind === 'state') showMenu(stateActions(host, row, open), point, doc);
        }}
        after={
          <AfterRows
            query={query}
            isArchived={isArchived}
            searched={searched}
            searchNow={searchNow}
            matching={matching.length}
            hasStates={shown.length > 0}
          />
        }
      />
    </>
  );
}

/** Returns a workspace's states, where `shown` is the list before the text filter and `matching` the list after it. */
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

/** Returns a function that searches everything in the workspace, and the result, which is dropped when the query changes. */
function useSearch(savepoint: Savepoint, workspaceId: string, query: string) {
  const [search, setSearch] = useState<{ query: string; now: Search }>();
  const searchNow = () =>
    act(async () => {
      if (query === '') return;
      setSearch({ query, now: { phase: 'searching' } });
      const now = await searchEverything(savepoint, workspaceId, query, text.general.fault);
      setSearch({ query, now });
    });
  return { searched: search?.query === query ? search.now : undefined, searchNow };
}

interface RowOpenerOptions {
  readonly moments: readonly TimelineEntry<TraceEntry>[];
  readonly toggle: (key: string) => void;
  /** Shows the row with this key in the timeline. */
  readonly reveal: (key: string) => void;
}

function rowOpener(
  { savepoint, go }: PageHost,
  { id, states }: Section,
  { moments, toggle, reveal }: RowOpenerOptions,
): (row: PageRow) => void {
  const openHit = (hit: MemoryHit) => {
    const state = states.find(
      ({ displayName, item }) => displayName === hit.name && item.createdAt === hit.createdAt,
    );
    const calls = hit.type === 'trace' ? callsAround(hit, moments) : undefined;
    if (state) go({ workspace: id, state: state.item.id });
    else if (calls) reveal(calls.key);
  };
  return (row) => {
    if (row.kind === 'state') go({ workspace: id, state: row.state.item.id });
    else if (row.kind === 'call') openModal(new CallModal(savepoint.app, row.call));
    else if (row.kind === 'hit') openHit(row.hit);
    else if (row.kind !== 'reading') toggle(row.key);
  };
}

/** Returns the timeline's group of calls that contains a hit, if there is one. */
function callsAround({ createdAt }: MemoryHit, moments: readonly TimelineEntry<TraceEntry>[]) {
  const time = Date.parse(createdAt);
  const moment = moments.find(
    (each) => each.kind === 'calls' && each.calls.entries.some((entry) => timeOf(entry) === time),
  );
  return moment?.kind === 'calls' ? moment.calls : undefined;
}

function stateActions(
  { savepoint }: PageHost,
  row: PageRow & { readonly kind: 'state' },
  open: (row: PageRow) => void,
): Action[] {
  const { state } = row;
  return [
    { icon: 'arrow-right', label: text.memoryView.open, run: () => open(row) },
    copyState(savepoint, state),
    archiveStateAction(savepoint, state),
  ];
}

interface WorkspaceHeaderProps {
  host: PageHost;
  section: Section;
  titleId: string;
  listRef: RefObject<HTMLDivElement | null>;
  onEnter: () => void;
}

function WorkspaceHeader({
  host,
  section: { id, workspace },
  titleId,
  listRef,
  onEnter,
}: WorkspaceHeaderProps) {
  const { savepoint, view, setFilter: choose } = host;
  const { filter, isArchived } = view.states;
  const labels = text.memoryView;
  const isCurrent = useStore(savepoint.workspaceId) === id;
  const enter = workspace && !isCurrent ? enterWorkspace(savepoint, workspace) : undefined;
  const archive = workspace && archiveWorkspaceAction(savepoint, workspace);
  return (
    <Header
      title={<bdi>{workspace?.displayName ?? labels.missingWorkspace}</bdi>}
      titleId={titleId}
      onBack={host.back}
      below={
        <Filter
          label={labels.filterStates}
          value={filter}
          onChange={(value) => choose({ filter: value, isArchived })}
          onEnter={onEnter}
          listRef={listRef}
        />
      }
    >
      {enter && <IconButton icon={enter.icon} label={enter.label} onClick={enter.run} />}
      <IconButton
        icon="archive"
        label={labels.showArchived}
        isActive={isArchived}
        onClick={() => choose({ filter, isArchived: !isArchived })}
      />
      {archive && <MoreButton actions={[archive]} />}
    </Header>
  );
}

interface BeforeRowsProps {
  host: PageHost;
  section: Section;
  query: string;
  searched: Search | undefined;
  error: string | undefined;
}

/** The workspace's details above the rows, or the number of hits. */
function BeforeRows({ host, section, query, searched, error }: BeforeRowsProps) {
  const { id, workspace } = section;
  const labels = text.memoryView;
  const isCurrent = useStore(host.savepoint.workspaceId) === id;
  if (searched?.phase === 'done' && searched.hits.length > 0)
    return <p class="savepoint-after">{labels.foundBySearch(query, searched.hits.length)}</p>;
  if (query !== '') return null;
  return (
    <>
      {workspace?.item.isArchived && <p class="savepoint-banner">{labels.isArchivedWorkspace}</p>}
      {isCurrent && <p class="savepoint-banner mod-quiet">{labels.isCurrent}</p>}
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

interface PageRowProps {
  row: PageRow;
  now: number;
  reader: CallReader<TraceEntry>;
}

function PageRowContent({ row, now, reader }: PageRowProps) {
  if (row.kind !== 'hit') return <TimelineRowContent row={row} now={now} reader={reader} />;
  const { type, name, tool, createdAt, content } = row.hit;
  return (
    <Row
      icon={type === 'state' ? 'flag' : 'terminal'}
      title={name ?? tool ?? ''}
      meta={[<Ago then={createdAt} now={now} />, content]}
    />
  );
}

interface RowsOptions {
  searched: Search | undefined;
  isTimeline: boolean;
  matching: Section['states'];
  moments: readonly TimelineEntry<TraceEntry>[];
  expanded: ReadonlySet<string>;
  reader: CallReader<TraceEntry>;
}

/** Returns the search's hits, or the timeline, or the filtered states. */
function useRows({
  searched,
  isTimeline,
  matching,
  moments,
  expanded,
  reader,
}: RowsOptions): readonly PageRow[] {
  const hits = searched?.phase === 'done' ? searched.hits : undefined;
  const plain = useMemo(
    (): PageRow[] => (hits ? hitRows(hits) : stateRows(matching)),
    [hits, matching],
  );
  const version = reader.version();
  const timeline = useMemo(
    () => timelineRows(moments, expanded, (calls) => reader.tracesOf(calls)),
    [moments, expanded, version],
  );
  return isTimeline ? timeline : plain;
}

function hitRows(hits: readonly MemoryHit[]): HitRow[] {
  return hits.map((hit, index) => ({
    kind: 'hit',
    key: `hit ${index}`,
    level: 1,
    at: index + 1,
    of: hits.length,
    hit,
  }));
}

function announcement(query: string, searched: Search | undefined, matching: number): string {
  if (query === '') return '';
  if (searched?.phase === 'searching') return text.memoryView.searching;
  if (searched?.phase === 'done') return text.memoryView.foundBySearch(query, searched.hits.length);
  return text.memoryView.statesFound(matching);
}
