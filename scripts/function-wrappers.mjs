/**
 * V8 only scans a function that it has not yet called, but inside another function it parses arrow
 * functions in full. The app evaluates main.js inside a function, and esbuild wraps each module in
 * an arrow function, so that V8 would parse all of them at every start.
 */
const HELPER = /var ([\w$]+)=\([\w$,]+\)=>\(\)=>\{/g;
const END = /\}\)(?:;(?:var|function|async)\b|,[\w$]+=[\w$]+\()/;
/** To parse a shorter module takes less time than the longer text of its wrapper. */
const MIN_LENGTH = 300;

/**
 * Returns the minified code with functions as wrappers of modules. Throws an error if there are no
 * wrappers of the known form.
 * @param {string} code
 * @returns {string}
 */
export function functionWrappers(code) {
  const helpers = Array.from(code.slice(0, 2000).matchAll(HELPER), ([, name]) => name);
  const names = helpers.map((name) => name.replaceAll('$', '\\$')).join('|');
  const wrapper = new RegExp(
    `(?<=[,; ][\\w$]+=(?:${names})\\()(?:\\(([\\w$,]*)\\)|([\\w$]+))=>\\{`,
    'g',
  );
  let found = 0;
  const changed = code.replace(wrapper, (start, several, one, at) => {
    found++;
    const end = code.slice(at, at + MIN_LENGTH).search(END);
    return end >= 0 ? start : `function(${several ?? one}){`;
  });
  if (helpers.length === 0 || found === 0)
    throw new Error('The wrappers of modules cannot be found in main.js.');
  return changed;
}
