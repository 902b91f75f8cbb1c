import { runHookCommand } from '../cli/commands/hook.js';
import { createProcessHost } from './process-host.js';

/** Runs the command `hook` without loading what only other commands need. Returns its exit code. */
export function run(args: readonly string[]): Promise<number> {
  return runHookCommand(args.slice(1), createProcessHost(process, module.filename, args));
}

if (require.main === module) void run(process.argv.slice(2));
