import { Refusal } from '../../model/refusal.js';
import { memoryOf, readLogLines } from '../../storage/index.js';
import { exportNotes } from '../../transfer/export-notes.js';
import { exportLines } from '../../transfer/export.js';
import { checkExportFolder, writeExport } from '../export-folder.js';
import { printMessage } from '../output.js';
import type { ProgramHost } from '../program.js';
import { exportText } from '../texts/report-texts.js';
import { openVaultFolder } from '../vault-folder.js';
import type { ArgumentsOf } from '../command-options.js';

export async function runExport(
  { vault, to, as: format }: ArgumentsOf<'export'>,
  program: ProgramHost,
): Promise<number> {
  const { node } = program;
  const { folder, files, dataFolder } = await openVaultFolder(program, vault);
  const target = node.path.resolve(to);
  await checkExportFolder(node, target, node.path.join(folder, dataFolder));
  const contents = await readLogLines(files, dataFolder);
  if (contents.lines.length === 0 && contents.unreadable.length === 0)
    throw new Refusal(
      `The vault "${vault}" has no memory yet: there is nothing to export. If it is in another folder, give that one with --vault.`,
    );
  const exported =
    format === 'notes'
      ? exportNotes(memoryOf(contents.lines))
      : (await exportLines(contents.lines)).files;
  await writeExport(node, target, exported, format === 'jsonl');
  printMessage(program, exportText(format, target, exported, contents));
  return contents.unreadable.length === 0 ? 0 : 1;
}
