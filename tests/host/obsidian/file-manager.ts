import type { DataWriteOptions } from 'obsidian';
import type { App } from './app';
import { getLinkpath } from './links';
import { ConfirmationModal } from './confirmation-modal';
import { joinPath, parentOf } from './medium';
import { TFolder, type TAbstractFile, type TFile } from './vault';
import { getFrontMatterInfo, parseYaml, stringifyYaml } from './yaml';

export class FileManager {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  getNewFileParent(_sourcePath: string, _newFilePath?: string): TFolder {
    return this.#app.vault.getRoot();
  }

  /** Renames the file, and updates the links to it. */
  async renameFile(file: TAbstractFile, newPath: string): Promise<void> {
    const { vault, metadataCache } = this.#app;
    const oldPath = file.path;
    const sources = Object.entries(metadataCache.resolvedLinks).filter(([, targets]) =>
      Object.hasOwn(targets, oldPath),
    );
    const links = sources.map(([path]) => {
      const cache = metadataCache.getCache(path);
      const refs = [...(cache?.links ?? []), ...(cache?.embeds ?? [])];
      return {
        path,
        refs: refs.filter(
          ({ link }) => metadataCache.getFirstLinkpathDest(getLinkpath(link), path) === file,
        ),
      };
    });
    await vault.rename(file, newPath);
    if (file instanceof TFolder) return;
    for (const { path, refs } of links) {
      const source = vault.getFileByPath(path === oldPath ? newPath : path);
      if (!source) continue;
      const linktext = metadataCache.fileToLinktext(file as TFile, source.path);
      await vault.process(source, (text) =>
        refs.reduce((changed, { link, original }) => {
          const target = original.includes('](') ? encodeURI(newPath) : linktext;
          const written = original.includes('](')
            ? encodeURI(getLinkpath(link))
            : getLinkpath(link);
          return changed.replaceAll(
            original,
            original.replace(written, () => target),
          );
        }, text),
      );
    }
  }

  promptForDeletion(file: TAbstractFile): Promise<boolean> {
    return new Promise((resolve) => {
      let answer = false;
      const modal = new ConfirmationModal(this.#app)
        .setTitle('Delete file')
        .setContent(`Are you sure you want to delete “${file.name}”?`);
      modal
        .addButton((button) =>
          button
            .setButtonText('Delete')
            .setWarning()
            .onClick(async () => {
              answer = true;
              await this.trashFile(file);
            }),
        )
        .addCancelButton()
        .setCloseCallback(() => resolve(answer))
        .open();
    });
  }

  trashFile(file: TAbstractFile): Promise<void> {
    return this.#app.vault.trash(file, true);
  }

  generateMarkdownLink(file: TFile, sourcePath: string, subpath = '', alias = ''): string {
    const linktext = this.#app.metadataCache.fileToLinktext(file, sourcePath) + subpath;
    const embed = file.extension === 'md' ? '' : '!';
    return alias === '' || alias === linktext
      ? `${embed}[[${linktext}]]`
      : `${embed}[[${linktext}|${alias}]]`;
  }

  /** Throws without writing if the properties are not YAML or `fn` throws. */
  async processFrontMatter(
    file: TFile,
    fn: (frontmatter: Record<string, unknown>) => void,
    options?: DataWriteOptions,
  ): Promise<void> {
    await this.#app.vault.process(
      file,
      (text) => {
        const info = getFrontMatterInfo(text);
        const frontmatter = (info.exists ? parseYaml(info.frontmatter) : null) ?? {};
        fn(frontmatter as Record<string, unknown>);
        const yaml =
          Object.keys(frontmatter).length > 0 ? `---\n${stringifyYaml(frontmatter)}---\n` : '';
        return yaml + text.slice(info.contentStart);
      },
      options,
    );
  }

  /** Uses the attachment folder in app.json: `/`, a folder, or `./` for that of the note. */
  async getAvailablePathForAttachment(filename: string, sourcePath?: string): Promise<string> {
    const { vault, workspace } = this.#app;
    const { adapter, configDir } = vault;
    const file = `${configDir}/app.json`;
    const settings = (await adapter.exists(file)) ? await adapter.read(file) : '{}';
    const { attachmentFolderPath: place = '/' } = JSON.parse(settings) as {
      attachmentFolderPath?: string;
    };
    const source = sourcePath ?? workspace.getActiveFile()?.path ?? '';
    const folder = place === './' ? parentOf(source) : place.replace(/^\/$/, '');
    if (folder !== '' && !vault.getFolderByPath(folder)) await vault.createFolder(folder);
    const dot = filename.lastIndexOf('.');
    for (let at = 0; ; at++) {
      const suffix = at === 0 ? '' : ` ${at}`;
      const path = joinPath(folder, `${filename.slice(0, dot)}${suffix}${filename.slice(dot)}`);
      if (!vault.getAbstractFileByPath(path)) return path;
    }
  }
}
