import { clip, Refusal } from '../../model/refusal.js';
import { dismissMissing } from '../../storage/integrity/copies.js';
import { findingsOf } from '../../storage/integrity/findings.js';
import { verify } from '../../storage/integrity/verify.js';
import type { VerifyReport } from '../../storage/integrity/verify-report.js';
import type { WriterReport } from '../../storage/integrity/writer-reports.js';
import { print, printJson } from '../output.js';
import type { ProgramHost } from '../program.js';
import { verifyText } from '../texts/report-texts.js';
import { openVault, singleCommand } from '../vault.js';
import { openCopies, placesOf } from '../vault-log.js';
import { openVaultFolder } from '../vault-folder.js';

interface VerifyArguments {
  readonly vault: string;
  readonly state: string | undefined;
  readonly heal: boolean;
  /** Writer whose missing events are no longer reported. */
  readonly dismiss: string | undefined;
  readonly json: boolean;
}

export async function runVerify(
  { vault, state, heal, dismiss, json }: VerifyArguments,
  program: ProgramHost,
): Promise<number> {
  const { folder, files, dataFolder } = await openVaultFolder(program, vault);
  if (heal) await healVault(program, { vault, state });
  const copies = openCopies(program, await placesOf(program, { vault: folder, state }));
  const check = () => verify(files, dataFolder, { now: Date.now(), copies });
  let report = await check();
  if (dismiss !== undefined) {
    await dismissMissing(copies, findMissing(report, dismiss));
    report = await check();
  }
  if (json) printJson(program, { ...report, findings: findingsOf(report) });
  else print(program, verifyText(report));
  return report.isWhole ? 0 : 1;
}

function findMissing({ writers }: VerifyReport, writer: string): WriterReport {
  const found = writers.find((each) => each.writer === writer);
  if (found && found.missing.length > 0) return found;
  const others = writers.filter(({ missing }) => missing.length > 0);
  throw new Refusal(
    others.length > 0
      ? `No events of writer "${clip(writer)}" are missing. Writers with missing events: ${others.map((each) => each.writer).join(', ')}.`
      : 'No events are missing, so there is nothing to dismiss.',
  );
}

async function healVault(
  program: ProgramHost,
  options: Pick<VerifyArguments, 'vault' | 'state'>,
): Promise<void> {
  const open = await openVault(program, singleCommand(program, options));
  try {
    await open.log.heal();
  } finally {
    await open.close();
  }
}
