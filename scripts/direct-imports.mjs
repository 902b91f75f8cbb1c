/**
 * Imports from the index.ts of a folder lead to the files that it names in main.js. They would
 * otherwise bring all of them, also into the part that a hook reads.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const EXPORT = /^export \{([^}]*)\} from '(\.[^']*)';$/gm;
const IMPORT = /^import \{([^}]*)\} from '(\.[^']*\/index\.js)';$/gm;

/**
 * Plugin of esbuild. An import of several names stays in one line, so that the lines keep their
 * numbers.
 * @param {string} root
 * @param {readonly string[]} names of folders of src
 */
export const directImports = (root, names) => ({
  name: 'direct-imports',
  setup({ onLoad }) {
    const indexes = new Map(names.map((name) => indexOf(join(root, 'src', name))));
    onLoad({ filter: /[\\/]src[\\/].*\.tsx?$/, namespace: 'file' }, ({ path }) => ({
      contents: withDirectImports(readFileSync(path, 'utf8'), dirname(path), indexes),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
  },
});

/** Returns the path of a folder's index.js, with the module of each value that it exports. */
function indexOf(folder) {
  const modules = new Map();
  for (const [, list, module] of readFileSync(join(folder, 'index.ts'), 'utf8').matchAll(EXPORT))
    for (const name of namesIn(list)) modules.set(name, join(folder, module));
  return [join(folder, 'index.js'), modules];
}

function withDirectImports(code, folder, indexes) {
  return code.replace(IMPORT, (statement, list, path) => {
    const modules = indexes.get(join(folder, path));
    if (!modules) return statement;
    const imports = namesIn(list).map((name) => {
      const module = relative(folder, modules.get(name.split(' as ')[0])).replaceAll('\\', '/');
      return `import { ${name} } from ${JSON.stringify(module.startsWith('.') ? module : `./${module}`)};`;
    });
    return imports.join(' ') + '\n'.repeat(statement.split('\n').length - 1);
  });
}

/** Types need no module. */
function namesIn(list) {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}
