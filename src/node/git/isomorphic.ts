/** The only functions of the library in use, so that the build drops the rest. Loaded on demand. */
export { Errors, expandOid, readBlob, readCommit, readTree, resolveRef } from 'isomorphic-git';
