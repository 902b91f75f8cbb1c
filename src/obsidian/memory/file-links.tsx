import { Keymap, Menu, type TFile } from 'obsidian';
import type { FileChange, FileComparison } from '../../agents/shared/file-changes.js';
import { visibleText } from '../../model/text/visible-text.js';
import { toVaultPath } from '../../model/paths.js';
import { act } from '../actions.js';
import { text } from '../i18n/index.js';
import { Icon } from '../ui/components.js';
import { MEMORY_VIEW, type MemoryHost } from './host.js';

interface FileListProps {
  host: MemoryHost;
  paths: readonly string[];
  comparison?: FileComparison | undefined;
}

/** Links to vault files, each with a note if it has changed or is missing. */
export function FileList({ host, paths, comparison }: FileListProps) {
  const { changes = [], sampledFiles = [] } = comparison ?? {};
  const changeOf = new Map(changes.map((change) => [change.path, change]));
  return (
    <ul class="savepoint-files">
      {paths.map((path) => {
        const change = changeOf.get(path);
        return (
          <li>
            <FileName host={host} path={path} isGone={change?.change === 'missing'} />
            {change && (
              <span class={`savepoint-note mod-${change.change}`}>{changeText(change)}</span>
            )}
            {sampledFiles.includes(path) && (
              <span class="savepoint-note">{text.memoryView.fileSampled}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function changeText({ change, byTime }: FileChange): string {
  const { fileCreated, fileChanged, fileChangedByTime, fileGone, fileOutside } = text.memoryView;
  return {
    created: fileCreated,
    modified: byTime ? fileChangedByTime : fileChanged,
    missing: fileGone,
    outside: fileOutside,
  }[change];
}

/** A link, or only the path if the file is missing, because a click would create it. */
function FileName({ host, path, isGone }: { host: MemoryHost; path: string; isGone: boolean }) {
  const file = host.savepoint.app.vault.getFileByPath(toVaultPath(path) ?? '');
  if (file) return <FileLink host={host} file={file} />;
  if (isGone)
    return (
      <s>
        <bdi>{visibleText(path)}</bdi>
      </s>
    );
  return <bdi>{visibleText(path)}</bdi>;
}

function FileLink({ host: { savepoint, hoverParent }, file }: { host: MemoryHost; file: TFile }) {
  const { workspace } = savepoint.app;
  const open = (event: MouseEvent) => {
    event.preventDefault();
    act(() => workspace.getLeaf(Keymap.isModEvent(event)).openFile(file));
  };
  return (
    <a
      class="internal-link"
      href={file.path}
      data-href={file.path}
      onClick={open}
      onAuxClick={(event) => {
        if (event.button === 1) open(event);
      }}
      onMouseOver={(event) => {
        const source = {
          event,
          source: MEMORY_VIEW,
          hoverParent,
          targetEl: event.currentTarget,
          linktext: file.path,
        };
        workspace.trigger('hover-link', source);
      }}
      onContextMenu={(event) => {
        event.preventDefault();
        const menu = new Menu();
        workspace.trigger('file-menu', menu, file, MEMORY_VIEW);
        menu.showAtMouseEvent(event);
      }}
    >
      <bdi>{visibleText(file.path)}</bdi>
    </a>
  );
}

/** A workspace's folder, with the app's own menu for folders. */
export function FolderName({ host: { savepoint }, path }: { host: MemoryHost; path: string }) {
  const { vault, workspace } = savepoint.app;
  if (path === '/') return <p>{text.memoryView.wholeVault}</p>;
  const folder = vault.getFolderByPath(path);
  if (!folder)
    return (
      <p>
        <s>
          <bdi>{visibleText(path)}</bdi>
        </s>
        <span class="savepoint-note mod-missing">{text.memoryView.fileGone}</span>
      </p>
    );
  return (
    <p>
      <a
        class="internal-link savepoint-folder"
        href={path}
        onClick={(event) => {
          event.preventDefault();
          const menu = new Menu();
          workspace.trigger('file-menu', menu, folder, MEMORY_VIEW);
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          menu.showAtPosition({ x: left, y: bottom }, event.currentTarget.doc);
        }}
      >
        <Icon name="folder" />
        <bdi>{visibleText(path)}</bdi>
      </a>
    </p>
  );
}
