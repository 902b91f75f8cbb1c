import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { absent, extras, looser } from './differences.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Api {
  readonly checker: ts.TypeChecker;
  readonly ours: ReadonlyMap<string, ts.Symbol>;
  readonly theirs: ReadonlyMap<string, ts.Symbol>;
}

const isValue = (symbol: ts.Symbol) => (symbol.flags & ts.SymbolFlags.Value) !== 0;

function readApi(): Api {
  const config = ts.readConfigFile(`${root}/tsconfig.json`, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const files = ['tests/host/obsidian/documented.ts', 'node_modules/obsidian/obsidian.d.ts'].map(
    (path) => root + path,
  );
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const [ours, theirs] = files.map((file) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
    const symbols = checker
      .getExportsOfModule(module)
      .map((each) => (each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each));
    return new Map(
      checker
        .getExportsOfModule(module)
        .flatMap((each, index) =>
          isValue(symbols[index]!) ? [[each.name, symbols[index]!] as const] : [],
        ),
    );
  });
  return { checker, ours: ours!, theirs: theirs! };
}

const { checker, ours, theirs } = readApi();

const kindOf = ({ flags }: ts.Symbol): string => {
  if (flags & ts.SymbolFlags.Class) return 'class';
  if (flags & ts.SymbolFlags.Enum) return 'enum';
  if (flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Method)) return 'function';
  return 'value';
};

const membersOf = (symbol: ts.Symbol): Map<string, ts.Symbol> => {
  const instance = checker
    .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
    .filter(({ name }) => !name.startsWith('#'));
  const statics = checker
    .getPropertiesOfType(checker.getTypeOfSymbol(symbol))
    .filter(({ name }) => name !== 'prototype' && !name.startsWith('#'));
  return new Map([
    ...instance.map((each) => [each.name, each] as const),
    ...statics.map((each) => [`static ${each.name}`, each] as const),
  ]);
};

/** Members that a class inherits. */
const inheritedBy = (symbol: ts.Symbol): Map<string, ts.Symbol> => {
  const [base] = checker.getBaseTypes(checker.getDeclaredTypeOfSymbol(symbol) as ts.InterfaceType);
  return base?.symbol ? membersOf(base.symbol) : new Map<string, ts.Symbol>();
};

const classes = [...ours]
  .filter(([name, symbol]) => kindOf(symbol) === 'class' && theirs.has(name))
  .map(([name, symbol]) => ({
    name,
    own: membersOf(symbol),
    declared: membersOf(theirs.get(name)!),
    base: inheritedBy(symbol),
  }));

const shared = classes.flatMap(({ name, own, declared }) =>
  [...own].flatMap(([member, each]) =>
    declared.has(member)
      ? [{ name: `${name}.${member}`, own: each, declared: declared.get(member)! }]
      : [],
  ),
);

/** Number of required arguments per call signature. */
const requiredOf = (symbol: ts.Symbol): number[] => {
  const isOptional = (parameter: ts.Symbol) => {
    const declaration = parameter.valueDeclaration;
    return (
      declaration !== undefined &&
      ts.isParameter(declaration) &&
      (checker.isOptionalParameter(declaration) || declaration.dotDotDotToken !== undefined)
    );
  };
  const signatures = checker.getSignaturesOfType(
    checker.getTypeOfSymbol(symbol),
    ts.SignatureKind.Call,
  );
  return [
    Infinity,
    ...signatures.map(
      (signature) => signature.parameters.filter((parameter) => !isOptional(parameter)).length,
    ),
  ].slice(signatures.length > 0 ? 1 : 0);
};

describe('the module obsidian', () => {
  test('has no name that obsidian.d.ts does not declare', () => {
    expect([...ours.keys()].filter((name) => !theirs.has(name))).toEqual([]);
  });

  test('lacks exactly the names listed as absent', () => {
    expect([...theirs.keys()].filter((name) => !ours.has(name)).sort()).toEqual([...absent].sort());
  });

  test('has each name as the declared kind', () => {
    const kinds = (symbols: ReadonlyMap<string, ts.Symbol>) =>
      [...ours.keys()].map((name) => `${name}: ${kindOf(symbols.get(name)!)}`);
    expect(kinds(ours)).toEqual(kinds(theirs));
  });

  test('has every declared member of its classes', () => {
    const missing = classes.flatMap(({ name, own, declared }) =>
      [...declared.keys()]
        .filter((member) => !own.has(member))
        .map((member) => `${name}.${member}`),
    );
    expect(missing).toEqual([]);
  });

  test('has each member as the declared kind', () => {
    expect(
      shared
        .filter(({ own, declared }) => kindOf(own) !== kindOf(declared))
        .map(({ name }) => name),
    ).toEqual([]);
  });

  test('has only declared members and those listed as the host’s', () => {
    const undeclared = classes.map(
      ({ name, own, declared, base }) =>
        [
          name,
          [...own.keys()].filter((member) => !declared.has(member) && !base.has(member)).sort(),
        ] as const,
    );
    const listed = Object.entries(extras).map(
      ([name, members]) => [name, [...members].sort()] as const,
    );
    expect(Object.fromEntries(undeclared.filter(([, members]) => members.length > 0))).toEqual(
      Object.fromEntries(listed),
    );
  });

  test('requires no more arguments than declared', () => {
    const stricter = shared.filter(
      ({ own, declared }) => Math.min(...requiredOf(own)) > Math.min(...requiredOf(declared)),
    );
    expect(stricter.map(({ name }) => name)).toEqual([]);
  });

  test('is assignable to the declared types, except where listed', () => {
    const differs = [...ours].filter(([name, symbol]) => {
      const declared = theirs.get(name)!;
      const type = (each: ts.Symbol) =>
        kindOf(each) === 'class'
          ? checker.getDeclaredTypeOfSymbol(each)
          : checker.getTypeOfSymbol(each);
      return !checker.isTypeAssignableTo(type(symbol), type(declared));
    });
    expect(differs.map(([name]) => name).sort()).toEqual([...looser].sort());
  });
});
