import { useContext, useEffect } from 'preact/hooks';
import { clip } from '../../model/refusal.js';
import type { Trace } from '../../model/trace.js';
import { callTitle } from '../calls/call-sentence.js';
import { capturedApp, checkpointTitle, isCaptured } from '../checkpoints/captured-trace.js';
import { NamesContext } from '../conversation-names.js';
import { displayName, saverName } from '../../apps/index.js';
import type { SavedBy } from '../../model/states/provenance.js';
import { text } from '../i18n/index.js';
import { IconButton } from '../ui/components.js';
import type { CallReader } from './call-reader.js';
import type { Action } from './menus.js';
import { Ago, Row } from './page-parts.js';
import type { CallsRow, RecordTreeRow, TimelineRow } from './rows.js';
import { failedAmong, purposeOf, type CallSession } from './sessions.js';
import type { CallGroup, Dated } from './timeline.js';

interface RowContentProps<T extends Dated> {
  row: Exclude<TimelineRow<T>, RecordTreeRow>;
  now: number;
  reader: CallReader<T>;
  /** Returns the action that saves the last checkpoint among traces, if there is one to save. */
  saveAction: (traces: readonly Trace[]) => Action | undefined;
}

export function TimelineRowContent<T extends Dated>({
  row,
  now,
  reader,
  saveAction,
}: RowContentProps<T>) {
  const labels = text.memoryView;
  switch (row.kind) {
    case 'state': {
      const { item, displayName } = row.state;
      const { createdAt, activeTask, isArchived, savedBy } = item;
      const flair = isArchived ? labels.archived : undefined;
      return (
        <Row
          icon="flag"
          title={displayName}
          flair={flair}
          meta={[<Ago then={createdAt} now={now} />, activeTask, saverText(savedBy)]}
        />
      );
    }
    case 'closed': {
      const [newest] = row.records;
      return (
        <Row
          icon="list-checks"
          title={row.records.map(({ title }) => title).join(' · ')}
          isExpanded={row.isExpanded}
          isQuiet
          meta={[
            text.records.closedCount(row.records.length),
            newest && <Ago then={newest.createdAt} now={now} />,
          ]}
        />
      );
    }
    case 'calls':
      return (
        <CallsContent
          row={row}
          now={now}
          reader={reader}
          save={row.traces && saveAction(row.traces)}
        />
      );
    case 'session':
      return <SessionContent session={row.session} isExpanded={row.isExpanded} now={now} />;
    case 'call':
      return <CallContent call={row.call} now={now} save={saveAction([row.call])} />;
    case 'reading':
      return <ReadingContent calls={row.calls} reader={reader} />;
  }
}

/** Returns who saved a state and where, such as `Claude Code on Laptop`; `''` if unknown. */
function saverText(savedBy: SavedBy | undefined): string {
  if (!savedBy) return '';
  return `${saverName(savedBy)} ${text.memoryView.onDevice} ${savedBy.device}`;
}

interface CallsContentProps<T extends Dated> {
  row: CallsRow<T>;
  now: number;
  reader: CallReader<T>;
  save: Action | undefined;
}

/** The calls of a day. */
function CallsContent<T extends Dated>({ row, now, reader, save }: CallsContentProps<T>) {
  const { calls, traces, isExpanded } = row;
  const newest = calls.groups[0]!;
  const names = useContext(NamesContext);
  useWanted(newest, reader);
  const count = text.memoryView.callCount(calls.count);
  const purpose = traces && traces.length > 0 ? purposeOf(traces, names) : undefined;
  return (
    <Row
      icon="terminal"
      title={purpose ?? count}
      isExpanded={isExpanded}
      isQuiet
      meta={[
        <Ago then={newest.entries[0]!.h.slice(0, 24)} now={now} />,
        purpose !== undefined && count,
      ]}
    >
      {save && <RowButton action={save} />}
    </Row>
  );
}

/** Button at the end of a row, which does not open the row. */
function RowButton({ action: { icon, label, run } }: { action: Action }) {
  return (
    <IconButton
      icon={icon}
      label={label}
      onClick={(event) => {
        event.stopPropagation();
        run();
      }}
    />
  );
}

/** The heading of one session's calls. */
export function SessionContent({
  session: { calls },
  isExpanded,
  now,
}: {
  session: CallSession;
  isExpanded: boolean | undefined;
  now: number;
}) {
  const names = useContext(NamesContext);
  const last = calls[0] && <Ago then={calls[0].createdAt} now={now} />;
  return (
    <Row
      icon="terminal"
      title={purposeOf(calls, names)}
      isExpanded={isExpanded}
      isFailed={failedAmong(calls) > 0}
      isQuiet
      meta={[last, ...countsOf(calls), displayName(calls[0]?.client)]}
    />
  );
}

/** Maximum number of characters shown of a call's parameters. */
const MAX_INPUT_CHARS = 240;

interface CallContentProps {
  call: Trace;
  now: number;
  save?: Action | undefined;
}

/** One call or logged trace. */
export function CallContent({ call, now, save }: CallContentProps) {
  const { kind, createdAt, isSuccess, outcome, input } = call;
  const names = useContext(NamesContext);
  const when = <Ago then={createdAt} now={now} />;
  if (isCaptured(call))
    return (
      <Row
        icon="clock"
        title={checkpointTitle(call, names)}
        isQuiet
        meta={[when, text.memoryView.traceKinds.checkpoint, capturedApp(call)]}
      >
        {save && <RowButton action={save} />}
      </Row>
    );
  if (kind)
    return (
      <Row
        icon="pencil"
        title={text.memoryView.traceKinds[kind]}
        isQuiet
        meta={[when, clip(input, MAX_INPUT_CHARS), outcome]}
      />
    );
  return (
    <Row
      icon={isSuccess ? 'check' : 'x'}
      title={callTitle(call)}
      isFailed={!isSuccess}
      isQuiet
      meta={[when, isSuccess ? displayName(call.client) : outcome]}
    />
  );
}

function ReadingContent<T extends Dated>({
  calls,
  reader,
}: {
  calls: CallGroup<T>;
  reader: CallReader<T>;
}) {
  useWanted(calls, reader);
  return <Row icon="loader" title={text.memoryView.readingCalls} isQuiet meta={[]} />;
}

/** Reads the calls once their row has been visible for a moment; scrolling past does not. */
function useWanted<T extends Dated>(calls: CallGroup<T>, reader: CallReader<T>): void {
  useEffect(() => {
    const timer = window.setTimeout(() => reader.want(calls), VISIBLE_BEFORE_READ_MS);
    return () => window.clearTimeout(timer);
  }, [calls, reader]);
}

const VISIBLE_BEFORE_READ_MS = 80;

/** Returns the numbers of calls and of failed ones. Checkpoints are not calls. */
function countsOf(traces: readonly Trace[]): string[] {
  const failed = failedAmong(traces);
  const count = traces.filter((trace) => !isCaptured(trace)).length;
  return [
    ...(count > 0 ? [text.memoryView.callCount(count)] : []),
    ...(failed > 0 ? [text.memoryView.failed(failed)] : []),
  ];
}
