import { failed } from '../../apps/health-check.js';
import { doctorText, withCommands } from '../../node/client-setup/connect-texts.js';
import { diagnose } from '../../node/client-setup/doctor.js';
import { nodeAdvice } from '../../node/client-setup/find-node.js';
import { environmentVault } from '../../node/environment.js';
import { createPluginSettings } from '../../node/ports/plugin-settings.js';
import { measureBriefs } from '../hooks/measure-briefs.js';
import { reportLinks } from '../hooks/report-links.js';
import type { Json } from '../../model/event.js';
import { redactJson } from '../../redaction/index.js';
import { asTyped } from '../texts/typed-command.js';
import { printMessage, printJson } from '../output.js';
import { hostOf, type ProgramHost } from '../program.js';

export async function runDoctor(
  { vault, json }: { readonly vault: string | undefined; readonly json: boolean },
  program: ProgramHost,
): Promise<number> {
  const { node, version } = program;
  const named =
    vault === undefined ? environmentVault(node, program.env) : { vault: node.path.resolve(vault) };
  const folder = named && 'vault' in named ? named.vault : undefined;
  const { dataFolder } = await createPluginSettings(node, folder ?? '.').read();
  const report = await diagnose(node, hostOf(program), { vault: folder, version, dataFolder });
  const links = [...(await reportLinks(program))];
  if (named && 'problem' in named)
    links.push(failed(named.variable, named.problem, 'correct the variable'));
  const capture = [...links, ...report.capture, ...(await measureBriefs(program))];
  const isOk = report.isOk && links.every((check) => check.isOk);
  const advice = [...report.advice, ...nodeAdvice(node.process.versions.node)];
  const whole = { ...report, isOk, capture, advice };
  const typed = (_: string, value: unknown) =>
    typeof value === 'string' ? asTyped(program, value) : value;
  if (json)
    printJson(program, redactJson(JSON.parse(JSON.stringify(withCommands(whole), typed)) as Json));
  else printMessage(program, doctorText(whole));
  return isOk ? 0 : 1;
}
