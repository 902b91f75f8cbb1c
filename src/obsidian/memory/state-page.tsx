import { Platform } from 'obsidian';
import { useId } from 'preact/hooks';
import type { FileComparison } from '../../agents/shared/file-changes.js';
import type { Named } from '../../model/lookup.js';
import { savedFiles, canonicalStateText, type State } from '../../model/state.js';
import { visibleText } from '../../model/text/visible-text.js';
import { sha256 } from '../../platform/sha256.js';
import { act } from '../actions.js';
import { shortCommit } from '../../model/states/provenance.js';
import { text } from '../i18n/index.js';
import { pickOtherState } from '../pickers/pick-state.js';
import type { Savepoint } from '../savepoint.js';
import { Icon, IconButton } from '../ui/components.js';
import { Article, Header, MoreButton, Part, PlainText, Saved } from './page-parts.js';
import { exportAsNote } from './export-note.js';
import { FileList } from './file-links.js';
import type { PageHost } from './host.js';
import { useAsync, useFileComparison, useNow } from './hooks.js';
import type { Section } from '../library/library.js';
import { RecordList } from './records/record-page.js';
import {
  actionOf,
  archiveStateAction,
  copyState,
  forgetStateAction,
  moveStateAction,
} from './menus.js';

interface StatePageProps {
  host: PageHost;
  section: Section;
  state: Named<State>;
}

/** A complete state with its actions. */
export function StatePage({ host, section, state }: StatePageProps) {
  const { savepoint } = host;
  const { item, displayName } = state;
  const { description = '', activeTask, conversationContext, activeFiles, nextSteps } = item;
  const labels = { ...text.commands.saveState.labels, ...text.memoryView };
  const nameId = useId();
  const comparison = useFileComparison(savepoint, item);
  const records = section.records.filter(({ stateId }) => stateId === item.id);
  return (
    <>
      <StateHeader host={host} section={section} state={state} />
      <Article labelledBy={nameId} takesFocus={host.takesFocus}>
        {item.isArchived && <p class="savepoint-banner">{labels.isArchivedState}</p>}
        <h2 class="savepoint-name" id={nameId}>
          <bdi>{displayName}</bdi>
        </h2>
        <StateMeta savepoint={savepoint} state={item} comparison={comparison} />
        <p class="savepoint-resume">
          <button
            type="button"
            class="mod-cta"
            title={labels.resumeHint}
            onClick={() => act(() => host.resume(savepoint, state))}
          >
            {text.general.resume}
          </button>
        </p>
        {description !== '' && <PlainText>{description}</PlainText>}
        <Part title={labels.activeTask} isEmpty={activeTask === ''}>
          <PlainText>{activeTask}</PlainText>
        </Part>
        <Part title={labels.nextSteps} isEmpty={nextSteps.length === 0}>
          <ol>
            {nextSteps.map((step) => (
              <li class="savepoint-plain" dir="auto">
                {visibleText(step)}
              </li>
            ))}
          </ol>
        </Part>
        <Part title={labels.activeFiles} isEmpty={activeFiles.length === 0}>
          <FileList host={host} paths={activeFiles} comparison={comparison} />
        </Part>
        <Part title={text.records.savedWithState} isEmpty={records.length === 0}>
          <RecordList host={host} records={records} />
        </Part>
        <Part title={labels.conversationContext} isEmpty={conversationContext === ''}>
          <PlainText>{conversationContext}</PlainText>
        </Part>
        <ContentCheck state={item} />
      </Article>
    </>
  );
}

function StateHeader({ host, section, state }: StatePageProps) {
  const { savepoint, go } = host;
  const { id } = state.item;
  const labels = text.memoryView;
  const workspaceName = section.workspace?.displayName ?? labels.missingWorkspace;
  const copy = copyState(savepoint, state);
  const archive = section.workspace && archiveStateAction(savepoint, state);
  const move = moveStateAction(host, state);
  const forget = forgetStateAction(savepoint, state, host.back);
  const compare = actionOf('git-compare', labels.compare, () => {
    const others = section.states.filter((other) => other.item.id !== id);
    pickOtherState(savepoint, others, (other) =>
      go({ workspace: section.id, state: id, other: other.item.id }),
    );
  });
  const exportNote = actionOf('file-output', labels.exportNote, () =>
    exportAsNote(savepoint, state, workspaceName),
  );
  // a phone has room for few buttons, and its list rows may have no menu
  const shown = Platform.isPhone ? [copy, archive, forget] : [compare, copy, archive];
  const more = Platform.isPhone ? [compare, exportNote, move] : [exportNote, move, forget];
  return (
    <Header title={<bdi>{workspaceName}</bdi>} onBack={host.back}>
      {shown.map(
        (each) => each && <IconButton icon={each.icon} label={each.label} onClick={each.run} />,
      )}
      <MoreButton actions={more.filter((each) => each !== undefined)} />
    </Header>
  );
}

interface StateMetaProps {
  savepoint: Savepoint;
  state: State;
  comparison: FileComparison | undefined;
}

/** Who saved the state, when and where, the changed files, the git checkout, and the tags. */
function StateMeta({ savepoint, state, comparison }: StateMetaProps) {
  const { git, activeFiles, tags = [] } = state;
  const labels = text.memoryView;
  const now = useNow(savepoint);
  return (
    <>
      <p class="savepoint-quiet">
        <Saved item={state} now={now} />
        {comparison &&
          activeFiles.length > 0 &&
          `; ${labels.filesChanged(comparison.changedCount, activeFiles.length)}`}
      </p>
      {git && (
        <p class="savepoint-quiet">
          {git.branch !== undefined && (
            <>
              {labels.gitBranch} <bdi>{git.branch}</bdi>{' '}
            </>
          )}
          {git.head !== undefined && (
            <span title={git.head}>
              {labels.gitCommit} <code>{shortCommit(git.head)}</code>
            </span>
          )}
        </p>
      )}
      {tags.length > 0 && (
        <p class="savepoint-tags">
          <span class="savepoint-unseen">{text.commands.saveState.labels.tags}</span>
          {tags.map((tag) => (
            <span class="tag">
              <bdi>{visibleText(tag.startsWith('#') ? tag : `#${tag}`)}</bdi>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

/** Warns if the state's content does not match its hash. */
function ContentCheck({ state }: { state: State }) {
  const labels = text.memoryView;
  const { value: sha } = useAsync(
    () => sha256(canonicalStateText({ ...state, activeFiles: savedFiles(state) })),
    [state.id],
  );
  if (sha === undefined || sha === state.sha) return null;
  return (
    <div class="savepoint-check mod-error">
      <Icon name="shield-alert" />
      <div>
        <strong>{labels.contentBroken}</strong>
        <p>{labels.contentBrokenHelp}</p>
      </div>
    </div>
  );
}
