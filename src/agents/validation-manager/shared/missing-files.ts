import { clip } from '../../../model/refusal.js';
import { toVaultPath } from '../../../model/paths.js';
import { pathKey } from '../../../search/index.js';
import { missingPaths } from '../../shared/file-changes.js';
import { namesText, type RuleFinding } from './findings.js';
import type { RuleContext } from './rule-context.js';
import { addToList } from '../../../platform/lists.js';

/** Finds missing key files of the workspace and active files of its states. */
export async function* findMissingFiles(context: RuleContext): AsyncGenerator<RuleFinding> {
  const { workspace, path, project, services, checkpoint } = context;
  const { hasFile } = await context.targets();
  const isInScope = (file: string) => path === undefined || pathKey(file) === pathKey(path);
  const isListed = (file: string) => {
    const inVault = toVaultPath(file);
    // As in links, the extension is optional.
    return inVault !== undefined && (hasFile(inVault) || hasFile(`${inVault}.md`));
  };
  const keyFiles = workspace.keyFiles.filter(isInScope);
  const statesByFile = new Map<string, string[]>();
  for (const { item, displayName } of await context.states()) {
    for (const file of item.activeFiles.filter(isInScope))
      addToList(statesByFile, file, displayName);
    await checkpoint();
  }
  const unlisted = [...keyFiles, ...statesByFile.keys()].filter((file) => !isListed(file));
  const missing = new Set(await missingPaths(services, project, unlisted));
  for (const file of keyFiles.filter((each) => missing.has(each))) {
    yield {
      severity: 'warning',
      where: file,
      what: `This key file of workspace "${clip(workspace.name)}" does not exist.`,
      fix: 'Restore it, or update the workspace with its current keyFiles.',
    };
  }
  for (const [file, names] of statesByFile) {
    await checkpoint();
    if (!missing.has(file)) continue;
    yield {
      severity: 'info',
      where: file,
      what: `This active file of ${namesText(names, 'state')} does not exist.`,
      fix: 'States are immutable: restore the file, or save a new state with the current path.',
    };
  }
}
