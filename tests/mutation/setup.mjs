import fc from 'fast-check';

/** A mutant is to be found, not to be understood: no smaller counter-example is looked for. */
fc.configureGlobal({ endOnFailure: true });
