import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** A text in the source that a caller may read. */
export interface SourceText {
  /** Path from `src`. */
  readonly file: string;
  /** With `x` for each value that is filled in. */
  readonly text: string;
  /** Names of the properties, functions and constants that it is in, innermost first. */
  readonly within: readonly string[];
}

const root = fileURLToPath(new URL('../../src/', import.meta.url));

/** Returns the texts of several words in these folders of `src`, without those of examples. */
export function sourceTexts(folders: readonly string[]): SourceText[] {
  return folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => textsOf(`${folder}/${path}`)),
  );
}

function textsOf(file: string): SourceText[] {
  const found: SourceText[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    const within = text?.includes(' ') === true ? namesAround(node) : [];
    if (text !== undefined && within.length > 0 && !within.includes('examples'))
      found.push({ file, text, within });
    ts.forEachChild(node, visit);
  };
  const source = readFileSync(`${root}${file}`, 'utf8');
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return found;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return node.text.replace(/\{\w+\}(?=\p{Lu})/gu, 'x. ').replace(/\{\w+\}/gu, 'x');
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('');
}

function namesAround(node: ts.Node): string[] {
  const names: string[] = [];
  for (let at: ts.Node | undefined = node.parent; at; at = at.parent) {
    if (ts.isPropertyAssignment(at) || ts.isVariableDeclaration(at)) names.push(at.name.getText());
    if (ts.isFunctionDeclaration(at)) names.push(at.name?.text ?? '');
    if (ts.isCallExpression(at) || ts.isNewExpression(at))
      names.push(at.expression.getText().split('.').at(-1) ?? '');
  }
  return names;
}
