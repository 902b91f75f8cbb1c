import type { VaultPath } from '../../model/paths.js';
import { clip, Refusal } from '../../model/refusal.js';
import { counted } from '../../model/text/counted.js';
import {
  dayOf,
  dismissFormer,
  dismissMissing,
  findingsOf,
  unknownWriters,
  verify,
  type VerifyReport,
  type WriterReport,
} from '../../storage/index.js';
import { FolderCopies } from '../../node/ports/folder-copies.js';
import { createNodeRandom } from '../../node/ports/host-ports.js';
import { systemName } from '../../node/ports/state-folder.js';
import { createForgetStoreFile } from '../../node/forget-store-file.js';
import { createWriterId } from '../../platform/random.js';
import type { ImportReport } from '../../transfer/import.js';
import { mergeFolder } from '../../transfer/merge-folder.js';
import type { ArgumentsOf } from '../command-options.js';
import { printMessage, printJson } from '../output.js';
import type { ProgramHost } from '../program.js';
import { verifyText } from '../texts/report-texts.js';
import { singleCommand, withVault } from '../vault.js';
import { placesOf } from '../vault-log.js';
import { openVaultFolder, requireKnownVault } from '../vault-folder.js';

export async function runVerify(
  { state, heal, recover, dismiss, json, ...args }: ArgumentsOf<'verify'>,
  program: ProgramHost,
): Promise<number> {
  const vault = args.vault ?? (await requireKnownVault(program, state));
  const { folder, files, dataFolder } = await openVaultFolder(program, vault);
  const places = await placesOf(program, { vault: folder, state });
  const copies = new FolderCopies(program.node, places);
  const restore = (memoryId?: string) =>
    withVault(program, singleCommand(program, { vault, state }), ({ log }) => log.heal(memoryId));
  const { deviceFolder } = places;
  const system = systemName(program.platform);
  const check = async () => {
    const decisions = await createForgetStoreFile(program.node, deviceFolder).load();
    return verify(files, dataFolder, { now: Date.now(), copies, decisions, system });
  };
  if (heal) await restore();
  let report = await check();
  let merged: ImportReport | undefined;
  const sibling = report.siblings.find(({ path }) => path === recover?.replace(/\/$/, ''));
  if (sibling) {
    const tag = createWriterId(createNodeRandom(program.node.crypto));
    const options = { day: dayOf(Date.now()), tag };
    merged = await mergeFolder(files, dataFolder, sibling.path, options);
  } else if (recover !== undefined) {
    requireFormer(report, recover);
    await restore(recover);
  }
  if (recover !== undefined) report = await check();
  if (dismiss !== undefined) {
    if (isFormer(report, dismiss)) await dismissFormer(copies, dismiss);
    else await dismissMissing(copies, findMissing(report, dismiss));
    report = await check();
  }
  if (json) printJson(program, { ...report, findings: findingsOf(report), merged });
  else {
    if (sibling && merged) printMessage(program, mergedText(sibling.path, dataFolder, merged));
    printMessage(program, verifyText(report));
  }
  return report.isWhole ? 0 : 1;
}

function mergedText(from: VaultPath, to: VaultPath, { added, known }: ImportReport): string {
  return `${counted(added, 'event')} added from "${from}" to "${to}", ${known} known already. "${from}" stays as it is; its other files are not copied.\n\n`;
}

function isFormer({ former }: VerifyReport, memoryId: string): boolean {
  return former.some(({ id }) => id === memoryId);
}

function requireFormer(report: VerifyReport, memoryId: string): void {
  if (isFormer(report, memoryId)) return;
  const ids = report.former.map(({ id }) => id);
  const folders = report.siblings.map(({ path }) => `"${path}"`);
  const more = folders.length > 0 ? ` Folders with a memory: ${folders.join(', ')}.` : '';
  throw new Refusal(
    ids.length > 0
      ? `No memory "${clip(memoryId)}" was removed from this vault. Removed ones: ${ids.join(', ')}.${more}`
      : `This device knows of no memory that was removed from this vault, so there is nothing to bring back.${more}`,
  );
}

/** Returns a writer of which events are missing, and those that it alone mentions, if many. */
function findMissing({ writers }: VerifyReport, writer: string): readonly WriterReport[] {
  const unknown = unknownWriters(writers);
  const found = [
    ...writers.filter((each) => each.writer === writer && each.missing.length > 0),
    ...(unknown.get(writer) ?? []),
  ];
  if (found.length > 0) return found;
  const others = writers.filter(
    ({ missing, onlyMentionedBy = '' }) => missing.length > 0 && !unknown.has(onlyMentionedBy),
  );
  throw new Refusal(
    others.length > 0
      ? `No events of writer "${clip(writer)}" are missing. Writers with missing events: ${others.map((each) => each.writer).join(', ')}.`
      : 'No events are missing, so there is nothing to dismiss.',
  );
}
