import type { Workspace } from '../../model/workspace.js';
import { visibleText } from '../../model/text/visible-text.js';
import { text } from '../i18n/index.js';
import { Icon } from '../ui/components.js';
import { exactDate } from '../ui/dates.js';
import { preferenceRows } from '../ui/forms/values.js';
import { FileList, FolderName } from './file-links.js';
import type { MemoryHost } from './host.js';
import { useFileComparison } from './hooks.js';
import { Part, PlainText } from './page-parts.js';

/** The details of a workspace, initially collapsed. */
export function WorkspaceDetails({ host, workspace }: { host: MemoryHost; workspace: Workspace }) {
  const { description, purpose, rootFolder, keyFiles, workflows, preferences, createdAt } =
    workspace;
  const { details, rootFolder: folder, created } = text.memoryView;
  const { labels } = text.commands.createWorkspace;
  const comparison = useFileComparison(host.savepoint, {
    activeFiles: keyFiles,
    createdAt: END_OF_TIME,
  });
  return (
    <details class="savepoint-details">
      <summary>
        <Icon name="chevron-right" />
        {details}
        {description !== '' && (
          <span class="savepoint-cut savepoint-details-hint" dir="auto">
            {visibleText(description)}
          </span>
        )}
      </summary>
      <Part title={labels.description} isEmpty={description === ''}>
        <PlainText>{description}</PlainText>
      </Part>
      <Part title={labels.purpose} isEmpty={purpose === ''}>
        <PlainText>{purpose}</PlainText>
      </Part>
      <Part title={folder}>
        <FolderName host={host} path={rootFolder} />
      </Part>
      <Part title={labels.keyFiles} isEmpty={keyFiles.length === 0}>
        <FileList host={host} paths={keyFiles} comparison={comparison} />
      </Part>
      <Part title={labels.workflows} isEmpty={workflows.length === 0}>
        <ol>
          {workflows.map((workflow) => (
            <li class="savepoint-plain" dir="auto">
              {visibleText(workflow)}
            </li>
          ))}
        </ol>
      </Part>
      <Part title={labels.preferences} isEmpty={Object.keys(preferences).length === 0}>
        <dl class="savepoint-preferences">
          {preferenceRows(preferences).map(([key, value]) => (
            <div>
              <dt dir="auto">{visibleText(key)}</dt>
              <dd dir="auto">{visibleText(value)}</dd>
            </div>
          ))}
        </dl>
      </Part>
      <Part title={created}>
        <p>{exactDate(createdAt, text.locale)}</p>
      </Part>
    </details>
  );
}

/** Key files have no reference time, so only missing ones are marked. */
const END_OF_TIME = '9999-12-31T23:59:59.999Z';
