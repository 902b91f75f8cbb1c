import { useId, useMemo } from 'preact/hooks';
import { isDue, isOpenRecord } from '../../../model/records/lookup-record.js';
import { listedTitle, type ProjectRecord } from '../../../model/records/record.js';
import { visibleText } from '../../../model/text/visible-text.js';
import { text } from '../../i18n/index.js';
import { IconButton } from '../../ui/components.js';
import { dayText } from '../../ui/dates.js';
import { FileList } from '../file-links.js';
import { useFileComparison, useNow } from '../hooks.js';
import type { PageHost } from '../host.js';
import { stateIn, type Section } from '../../library/library.js';
import { Article, Header, MoreButton, Part, PlainText, Saved } from '../page-parts.js';
import { statusText } from './record-content.js';
import { checkAction, recordActions } from './record-menu.js';

interface RecordPageProps {
  host: PageHost;
  section: Section;
  record: ProjectRecord;
}

/** A complete record with its actions. */
export function RecordPage({ host, section, record }: RecordPageProps) {
  const { savepoint } = host;
  const labels = text.records;
  const titleId = useId();
  const check = checkAction(savepoint, record);
  const workspaceName = section.workspace?.displayName ?? text.memoryView.missingWorkspace;
  return (
    <>
      <Header title={<bdi>{workspaceName}</bdi>} onBack={host.back}>
        {check && <IconButton icon={check.icon} label={check.label} onClick={check.run} />}
        <MoreButton actions={recordActions(host, section, record)} />
      </Header>
      <Article
        labelledBy={titleId}
        takesFocus={host.takesFocus}
        onKeyDown={(event) => {
          if (event.key !== ' ' || event.target !== event.currentTarget || !check) return;
          event.preventDefault();
          check.run();
        }}
      >
        {record.isArchived && <p class="savepoint-banner">{labels.isArchived}</p>}
        <h2 class="savepoint-name" id={titleId}>
          <bdi>{visibleText(record.title)}</bdi>
        </h2>
        <RecordMeta host={host} record={record} />
        <Part title={labels.form.labels.body} isEmpty={record.body === undefined}>
          <PlainText>{record.body ?? ''}</PlainText>
        </Part>
        <RecordFiles host={host} record={record} />
        <RecordLinks host={host} section={section} record={record} />
      </Article>
    </>
  );
}

/** Shows the kind, the status, who saved it and when, and its reminder. */
function RecordMeta({ host, record }: Omit<RecordPageProps, 'section'>) {
  const labels = text.records;
  const now = useNow(host.savepoint);
  const { kind, remindAt } = record;
  const isLate = isOpenRecord(record) && isDue(record, now);
  const status = statusText(record) || (kind === 'decision' ? '' : labels.statuses.open);
  return (
    <>
      <p class="savepoint-quiet">
        {labels.kinds[kind]} · {status !== '' && `${status} · `}
        <Saved item={record} now={now} />
      </p>
      {remindAt !== undefined && (
        <p class={`savepoint-banner${isLate ? '' : ' mod-quiet'}`}>
          {isLate ? labels.due : labels.reminder}: {dayText(remindAt, text.locale)}
        </p>
      )}
    </>
  );
}

function RecordFiles({ host, record }: Omit<RecordPageProps, 'section'>) {
  const { files, createdAt } = record;
  const activeFiles = useMemo(() => Object.keys(files), [files]);
  const comparison = useFileComparison(host.savepoint, { activeFiles, createdAt, files });
  return (
    <Part title={text.memoryView.activeFiles} isEmpty={activeFiles.length === 0}>
      <FileList host={host} paths={activeFiles} comparison={comparison} />
    </Part>
  );
}

/** Shows the records and the state that the record is connected with. */
function RecordLinks({ host, section, record }: RecordPageProps) {
  const labels = text.records;
  const { id, phaseId, needs, stateId, supersededBy } = record;
  const byId = useMemo(
    () => new Map(section.records.map((other) => [other.id, other])),
    [section.records],
  );
  const idsOf = (isLinked: (other: ProjectRecord) => boolean) =>
    section.records.filter(isLinked).map((other) => other.id);
  const parts: readonly (readonly [title: string, ids: readonly string[]])[] = [
    [labels.replacedBy, supersededBy === undefined ? [] : [supersededBy]],
    [labels.replaces, idsOf((other) => other.supersededBy === id)],
    [labels.kinds.phase, phaseId === undefined ? [] : [phaseId]],
    [labels.needs, needs],
    [labels.neededBy, idsOf((other) => other.needs.includes(id))],
  ];
  const state = stateId === undefined ? undefined : stateIn(section, stateId);
  return (
    <>
      {parts.map(([title, ids]) => (
        <Part title={title} isEmpty={ids.length === 0}>
          <RecordList host={host} records={ids.map((other) => byId.get(other))} />
        </Part>
      ))}
      <Part title={labels.savedWith} isEmpty={!state}>
        <p>
          <PlaceLink
            name={state?.displayName ?? ''}
            open={() => host.go({ workspace: section.id, state: stateId })}
          />
        </p>
      </Part>
    </>
  );
}

interface RecordListProps {
  host: PageHost;
  /** Undefined for a record that has not arrived on this device. */
  records: readonly (ProjectRecord | undefined)[];
}

/** Links to records, each with its status if it is not open. */
export function RecordList({ host, records }: RecordListProps) {
  return (
    <ul class="savepoint-files">
      {records.map((record) => (
        <li>
          {record ? (
            <>
              <PlaceLink
                name={listedTitle(record)}
                open={() => host.go({ workspace: record.workspaceId, record: record.id })}
              />
              {!isOpenRecord(record) && <span class="savepoint-note">{statusText(record)}</span>}
            </>
          ) : (
            <span class="savepoint-note">{text.records.missing}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A link to another page of the memory view. */
function PlaceLink({ name, open }: { name: string; open: () => void }) {
  return (
    <a
      class="internal-link"
      href="#"
      onClick={(event) => {
        event.preventDefault();
        open();
      }}
    >
      <bdi>{visibleText(name)}</bdi>
    </a>
  );
}
