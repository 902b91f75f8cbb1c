import { strykerPlugins as theirs, strykerValidationSchema } from '@stryker-mutator/vitest-runner';

const [vitest] = theirs;

/**
 * Stryker's runner for vitest, with two things more: it tells the order of the tests (vitest.config.mjs) what file is changed, and takes a
 * mutant for found where a file of tests cannot even be loaded with it.
 */
function createRunner(injector) {
  const runner = vitest.factory(injector);
  const mutantRun = runner.mutantRun.bind(runner);
  runner.mutantRun = async (options) => {
    process.env['SAVEPOINT_MUTATED'] = options.sandboxFileName;
    const result = await mutantRun(options);
    const broken = runner.ctx.state.getFiles().find((file) => file.result?.state === 'fail');
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
