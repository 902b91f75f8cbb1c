import { DEFAULT_BRIEF_TOKENS } from '../../brief/brief.js';
import { estimateTokens } from '../../model/text/estimate-tokens.js';
import { Refusal } from '../../model/refusal.js';
import { createCaptureSettingsFile } from '../../node/capture/capture-settings-file.js';
import { createDeviceSessions } from '../../node/capture/device-sessions.js';
import { passed, type HealthCheck } from '../../apps/health-check.js';
import { clientProject } from '../../node/projects/client-project.js';
import { findProjectAndLink } from '../../node/projects/find-link.js';
import { stateFolderOf, type ProgramHost } from '../program.js';
import { composeBrief } from './compose-brief.js';

const MAX_LINKS = 10;

/**
 * Measures the brief with which a session in each linked project starts now, all that capture costs
 * a model. Omits links whose vault cannot be read; the check of the link says why.
 */
export async function measureBriefs(program: ProgramHost): Promise<HealthCheck[]> {
  const { node } = program;
  const stateFolder = stateFolderOf(program, undefined);
  const settings = await createCaptureSettingsFile(node, stateFolder).read();
  const checks: HealthCheck[] = [];
  for (const link of settings.links.slice(0, MAX_LINKS)) {
    const { project, found } = (await findProjectAndLink(node, [link], link.folder)) ?? {};
    if (!project || !found) continue;
    const sessions = createDeviceSessions(node, stateFolder, link.vault);
    const linked = { stateFolder, link, project: clientProject(project, found) };
    const brief = await composeBrief(program, linked, sessions).catch(ignoreRefusal);
    if (brief === undefined) continue;
    const tokens = estimateTokens(brief.text);
    checks.push(
      passed(
        'brief',
        `a session in ${link.folder} starts with about ${tokens} of at most ${DEFAULT_BRIEF_TOKENS} tokens; capture itself costs none`,
      ),
    );
  }
  return checks;
}

function ignoreRefusal(error: unknown): undefined {
  if (error instanceof Refusal) return undefined;
  throw error;
}
