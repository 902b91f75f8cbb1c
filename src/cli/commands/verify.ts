import { findingsOf } from '../../storage/integrity/findings.js';
import { verify } from '../../storage/integrity/verify.js';
import { print, printJson } from '../output.js';
import type { ProgramHost } from '../program.js';
import { verifyText } from '../report-texts.js';
import { openCopies, openVault, placesOf, singleCommand } from '../vault.js';
import { openVaultFolder } from '../vault-folder.js';

interface VerifyArguments {
  readonly vault: string;
  readonly state: string | undefined;
  readonly heal: boolean;
  readonly json: boolean;
}

export async function runVerify(
  { vault, state, heal, json }: VerifyArguments,
  program: ProgramHost,
): Promise<number> {
  const { folder, files, dataFolder } = await openVaultFolder(program, vault);
  if (heal) await healVault(program, { vault, state });
  const copies = openCopies(program, await placesOf(program, { vault: folder, state }));
  const report = await verify(files, dataFolder, { now: Date.now(), copies });
  if (json) printJson(program, { ...report, findings: findingsOf(report) });
  else print(program, verifyText(report));
  return report.isWhole ? 0 : 1;
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
