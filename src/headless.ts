import { runCommand } from './cli/run-command.js';
import { createProcessHost } from './program/process-host.js';

/** Runs a command and returns its exit code. `args` are those after the program's name. */
export function run(args: readonly string[]): Promise<number> {
  return runCommand(args, createProcessHost(process, module.filename, args));
}

if (require.main === module)
  void run(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
