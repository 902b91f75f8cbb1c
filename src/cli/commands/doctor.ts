import { doctorText } from '../../node/client-setup/connect-texts.js';
import { diagnose } from '../../node/client-setup/doctor.js';
import { openPluginSettings } from '../../node/ports/plugin-settings.js';
import { measureBriefs } from '../hooks/measure-briefs.js';
import { print, printJson } from '../output.js';
import { hostOf, type ProgramHost } from '../program.js';

export async function runDoctor(
  { vault, json }: { readonly vault: string | undefined; readonly json: boolean },
  program: ProgramHost,
): Promise<number> {
  const { node, version } = program;
  const folder = vault === undefined ? undefined : node.path.resolve(vault);
  const dataFolder = await openPluginSettings(node, folder ?? '.').dataFolder();
  const report = await diagnose(node, hostOf(program), { vault: folder, version, dataFolder });
  const whole = { ...report, capture: [...report.capture, ...(await measureBriefs(program))] };
  if (json) printJson(program, whole);
  else print(program, doctorText(whole));
  return report.isOk ? 0 : 1;
}
