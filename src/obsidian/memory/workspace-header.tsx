import type { RefObject } from 'preact';
import type { ProjectRecord } from '../../model/records/record.js';
import { NEW_RECORD_KINDS } from '../../model/records/record-kinds.js';
import { text } from '../i18n/index.js';
import { IconButton } from '../ui/components.js';
import { openModal } from '../ui/modals.js';
import { useStore } from '../ui/use-store.js';
import { CreateRecordForm } from './forms/create-record.js';
import type { PageHost } from './host.js';
import type { Section } from '../library/library.js';
import {
  actionOf,
  archiveWorkspaceAction,
  editWorkspaceAction,
  enterWorkspace,
  forgetEarlierAction,
  type Action,
} from './menus.js';
import { Filter, Header, MoreButton } from './page-parts.js';
import { RECORD_ICONS } from './records/record-content.js';

interface WorkspaceHeaderProps {
  host: PageHost;
  section: Section;
  titleId: string;
  listRef: RefObject<HTMLDivElement | null>;
  onEnter: () => void;
}

/** The name of a workspace with its actions and filter. */
export function WorkspaceHeader({
  host,
  section: { id, workspace },
  titleId,
  listRef,
  onEnter,
}: WorkspaceHeaderProps) {
  const { savepoint, view, setFilter: choose } = host;
  const { filter, isArchived } = view.states;
  const labels = text.memoryView;
  const isCurrent = useStore(savepoint.deviceWorkspaceId) === id;
  const actions =
    workspace &&
    [
      isCurrent ? undefined : enterWorkspace(savepoint, workspace),
      editWorkspaceAction(savepoint, workspace),
      archiveWorkspaceAction(savepoint, workspace),
      forgetEarlierAction(savepoint, workspace),
    ].filter((action) => action !== undefined);
  return (
    <Header
      title={
        <>
          <bdi>{workspace?.displayName ?? labels.missingWorkspace}</bdi>
          {isCurrent && (
            <span class="nav-file-tag savepoint-flair">{text.commands.pick.current}</span>
          )}
        </>
      }
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
      {workspace && <MoreButton icon="plus" label={labels.add} actions={newActions(host, id)} />}
      <IconButton
        icon="archive"
        label={labels.showArchived}
        isActive={isArchived}
        onClick={() => choose({ filter, isArchived: !isArchived })}
      />
      {actions && actions.length > 0 && <MoreButton actions={actions} />}
    </Header>
  );
}

/** Returns the actions that add a state or a record. */
function newActions({ savepoint, go, saveState }: PageHost, workspaceId: string): Action[] {
  const open = ({ workspaceId: workspace, id: record }: ProjectRecord) =>
    Promise.resolve(go({ workspace, record }));
  const records = NEW_RECORD_KINDS.map((kind) =>
    actionOf(RECORD_ICONS[kind], text.records.newRecord[kind], () =>
      openModal(new CreateRecordForm(savepoint, { kind, workspaceId, open })),
    ),
  );
  const { saveState: label } = text.commands.names;
  const save = actionOf('bookmark-plus', label, () => saveState(savepoint, workspaceId));
  return [save, ...records];
}
