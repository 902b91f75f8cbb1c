import { clip, Refusal } from '../../model/refusal.js';
import { createNodeClock, createNodeRandom } from '../../node/ports/host-ports.js';
import { createPluginSettings } from '../../node/ports/plugin-settings.js';
import { createWriterId } from '../../platform/random.js';
import { createForgetStoreFile } from '../../node/forget-store-file.js';
import { dayOf, removedIds } from '../../storage/index.js';
import { isBasicMemoryNote } from '../../transfer/foreign/basic-memory.js';
import { detectPrograms } from '../../transfer/foreign/detect.js';
import type { Program as SourceProgram } from '../../transfer/foreign/foreign-memory.js';
import { importForeign } from '../../transfer/foreign/import-foreign.js';
import { importLines } from '../../transfer/import.js';
import { readImportSources } from '../export-folder.js';
import type { ArgumentsOf } from '../command-options.js';
import { printMessage, printJson } from '../output.js';
import type { ProgramHost } from '../program.js';
import { foreignImportText, importText } from '../texts/report-texts.js';
import { openVaultFolder } from '../vault-folder.js';
import { placesOf } from '../vault-log.js';

type ImportArguments = ArgumentsOf<'import'> & { readonly source: string };

export async function runImport(args: ImportArguments, program: ProgramHost): Promise<number> {
  const { dryRun: isDryRun, create, json } = args;
  const { node } = program;
  const { folder, files, dataFolder } = await openVaultFolder(program, args.vault, create);
  const sources = await readImportSources(node, node.path.resolve(args.source), {
    from: args.from,
    vault: folder,
    isImportableNote: isBasicMemoryNote,
  });
  // the vault's own log is no other program's memory
  const others = sources.filter(({ vaultPath }) => !vaultPath?.startsWith(`${dataFolder}/`));
  const from = args.from ?? onlyProgram(args.source, detectPrograms(others));
  const now = createNodeClock(node.timers).now();
  const tag = createWriterId(createNodeRandom(node.crypto));
  const options = { isDryRun, day: dayOf(now), tag };
  if (from === 'savepoint') {
    const mayMerge = args.merge;
    const report = await importLines(files, dataFolder, sources, { ...options, mayMerge });
    if (json) printJson(program, report);
    else printMessage(program, importText(report, isDryRun));
    return report.isWhole ? 0 : 1;
  }
  const { excludedFolders } = await createPluginSettings(node, folder).read();
  const { deviceFolder } = await placesOf(program, { vault: folder, state: undefined });
  const report = await importForeign(files, dataFolder, from, sources, {
    ...options,
    now,
    excludedFolders,
    removedIds: removedIds(await createForgetStoreFile(node, deviceFolder).load()),
  });
  if (json) printJson(program, report);
  else printMessage(program, foreignImportText(report, isDryRun));
  return report.troubles.length === 0 ? 0 : 1;
}

export function onlyProgram(source: string, programs: readonly SourceProgram[]): SourceProgram {
  if (programs.length > 1)
    throw new Refusal(
      `"${clip(source, 200)}" contains the memory of several programs. Choose one: --from ${programs.join(' or --from ')}.`,
    );
  return programs[0] ?? 'savepoint';
}
