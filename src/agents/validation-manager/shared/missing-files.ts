import { clip } from '../../../model/refusal.js';
import { toVaultPath } from '../../../model/paths.js';
import { pathKey } from '../../../search/index.js';
import { addToList, namesText, type RuleFinding } from './findings.js';
import type { RuleContext } from './rule-context.js';

/** Finds missing key files of the workspace and active files of its states. */
export async function* findMissingFiles(context: RuleContext): AsyncGenerator<RuleFinding> {
  const { workspace, path, services, checkpoint } = context;
  const { hasFile } = await context.targets();
  const isInScope = (file: string) => path === undefined || pathKey(file) === pathKey(path);

  async function isMissing(typed: string): Promise<boolean> {
    const inVault = toVaultPath(typed);
    if (inVault === undefined) return false; // outside the vault, so it cannot be checked
    // As in links, the extension is optional.
    if (hasFile(inVault) || hasFile(`${inVault}.md`)) return false;
    return (await services.files.stat(inVault)) === undefined;
  }

  const statesByFile = new Map<string, string[]>();
  for (const { item, displayName } of await context.states()) {
    for (const file of item.activeFiles.filter(isInScope))
      addToList(statesByFile, file, displayName);
    await checkpoint();
  }
  for (const file of workspace.keyFiles.filter(isInScope)) {
    if (!(await isMissing(file))) continue;
    yield {
      severity: 'warning',
      where: file,
      what: `This key file of workspace "${clip(workspace.name)}" does not exist.`,
      fix: 'Restore it, or update the workspace with its current keyFiles.',
    };
  }
  for (const [file, names] of statesByFile) {
    await checkpoint();
    if (!(await isMissing(file))) continue;
    yield {
      severity: 'info',
      where: file,
      what: `This active file of ${namesText(names, 'state')} does not exist.`,
      fix: 'States are immutable: restore the file, or save a new state with the current path.',
    };
  }
}
