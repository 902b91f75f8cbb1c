/**
 * Modules that isomorphic-git asks for and Node has itself, as those modules would answer. Only
 * programs with Node load them: nothing else imports that library (src/node/git/isomorphic.ts).
 */
const MODULES = {
  // Packs are neither indexed nor written here, so there is no class `Inflate`.
  pako: `
    import { deflateSync as deflate, inflateSync as inflate } from 'node:zlib';
    export default { deflate, inflate };`,
  'sha.js/sha1.js': `
    import { createHash } from 'node:crypto';
    export default function Sha1() { return createHash('sha1'); }`,
};
const namespace = 'modules-of-node';

/** Plugin of esbuild that resolves them. */
export const modulesOfNode = {
  name: namespace,
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:pako|sha\.js\/sha1\.js)$/ }, ({ path }) => ({ path, namespace }));
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: MODULES[path] }));
  },
};
