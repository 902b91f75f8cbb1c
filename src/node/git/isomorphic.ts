/**
 * The only functions of the library that are used, so that the build can leave out the others.
 * Loaded on demand.
 */
export { Errors, expandOid, readBlob, readCommit, readTree, resolveRef } from 'isomorphic-git';
