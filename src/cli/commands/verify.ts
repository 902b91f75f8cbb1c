import { findingsOf } from '../../storage/integrity/findings.js';
import { verify } from '../../storage/integrity/verify.js';
import { print, printJson } from '../output.js';
import type { ProgramHost } from '../program.js';
import { verifyText } from '../report-texts.js';
import { openVaultFolder } from '../vault-folder.js';

export async function runVerify(
  { vault, json }: { readonly vault: string; readonly json: boolean },
  program: ProgramHost,
): Promise<number> {
  const { files, dataFolder } = await openVaultFolder(program, vault);
  const report = await verify(files, dataFolder);
  if (json) printJson(program, { ...report, findings: findingsOf(report) });
  else print(program, verifyText(report));
  return report.isWhole ? 0 : 1;
}
