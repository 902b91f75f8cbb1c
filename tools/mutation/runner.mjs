import { strykerPlugins as theirs, strykerValidationSchema } from '@stryker-mutator/vitest-runner';

const [vitest] = theirs;

/**
 * Extends Stryker's vitest runner. It passes the mutated file to vitest.config.mjs, which sorts the
 * tests by it, and counts a mutant as killed if a test file cannot be loaded with it. A file that
 * cannot be loaded without any mutant is an error, since its tests would be missing.
 */
function createRunner(injector) {
  const runner = vitest.factory(injector);
  const brokenFile = () =>
    runner.ctx.state.getFiles().find((file) => file.result?.state === 'fail');
  const dryRun = runner.dryRun.bind(runner);
  runner.dryRun = async (options) => {
    const result = await dryRun(options);
    const broken = brokenFile();
    if (result.status !== 'complete' || broken === undefined) return result;
    const why = broken.result.errors?.[0]?.message ?? 'one of its tests fails';
    return { status: 'error', errorMessage: `${broken.name}: ${why}` };
  };
  const mutantRun = runner.mutantRun.bind(runner);
  runner.mutantRun = async (options) => {
    process.env['SAVEPOINT_MUTATED'] = options.sandboxFileName;
    const result = await mutantRun(options);
    const broken = brokenFile();
    if (result.status !== 'survived' || broken === undefined) return result;
    return {
      status: 'killed',
      killedBy: [],
      nrOfTests: result.nrOfTests,
      failureMessage: `${broken.name} could not be loaded`,
    };
  };
  return runner;
}
createRunner.inject = vitest.factory.inject;

export { strykerValidationSchema };
export const strykerPlugins = [{ ...vitest, factory: createRunner }];
