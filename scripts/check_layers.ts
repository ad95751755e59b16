/** Fails when a file in `src/` breaks a rule of `layers.ts`. Usage: `deno task check:layers`. @module */
import process from "node:process";
import type { Node, SourceFile } from "typescript";
import {
  AMBIENT,
  AMBIENT_MODULE,
  AMBIENT_PLACES,
  COMPOSITION_ROOTS,
  LAYERS,
  PROVIDER_NAME,
  PROVIDER_PLACES,
  SIBLINGS,
} from "./layers.ts";
import { reportAndExit, textsBelow } from "./walk.ts";

// The compiler reads the environment while it loads, except in a browser. This check may read files only.
Object.assign(process, { browser: true });
const { default: ts } = await import("typescript");

/** One relative import of a source file. */
interface Import {
  /** Path below `src/` of the imported file; starts with `..` when outside. */
  readonly target: string;
  readonly node: Node;
  /** Whether it is erased at run time. */
  readonly typeOnly: boolean;
}

/**
 * Every finding, as `src/path:line: message`.
 *
 * @param files Text of every file of `src/` by its path below it, with slashes.
 */
export function layerFindings(files: ReadonlyMap<string, string>): string[] {
  const findings: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [path, text] of files) {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
    const nodes = [...nodesBelow(source)];
    const imports = nodes.flatMap((node) => importIn(node, path));
    graph.set(path, imports.filter(isCyclic(path)).map((one) => one.target));
    const report = (node: Node | undefined, message: string | undefined) => {
      if (node === undefined || message === undefined) return;
      findings.push(`src/${path}:${lineOf(node, source)}: ${message}`);
    };
    for (const { node, target } of imports) {
      report(node, importFinding(path, target));
    }
    if (!isIn(path, Object.values(AMBIENT_PLACES).flat())) {
      report(
        nodes.find(isAmbient),
        "may not touch the outside world; take a Clock, Send or path as a parameter",
      );
    }
    if (!isIn(path, PROVIDER_PLACES)) {
      report(
        nodes.find(namesProvider),
        "may not name a provider",
      );
    }
    report(nodes.find(isDefaultExport), "has a default export; name it");
  }
  return [...findings, ...cycles(graph)];
}

function* nodesBelow(node: Node): Generator<Node> {
  const children: Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) {
    yield child;
    yield* nodesBelow(child);
  }
}

function lineOf(node: Node, source: SourceFile): number {
  const start = node.getStart(source);
  return source.getLineAndCharacterOfPosition(start).line + 1;
}

/** The module that an import, export or `import()` names; nothing for other nodes. */
function moduleIn(
  node: Node,
): { name: string; typeOnly: boolean } | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    const typeOnly = ts.isImportDeclaration(node)
      ? node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
      : node.isTypeOnly;
    const name = node.moduleSpecifier;
    return name && ts.isStringLiteral(name)
      ? { name: name.text, typeOnly }
      : undefined;
  }
  if (!ts.isCallExpression(node)) return undefined;
  const [name] = node.arguments;
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isImport && name && ts.isStringLiteral(name)
    ? { name: name.text, typeOnly: false }
    : undefined;
}

function importIn(node: Node, path: string): Import[] {
  const found = moduleIn(node);
  if (!found?.name.startsWith(".")) return [];
  const base = new URL(path, "file:///src/");
  const url = new URL(found.name, base).pathname;
  const target = url.startsWith("/src/") ? url.slice(5) : `..${url}`;
  return [{ target, node, typeOnly: found.typeOnly }];
}

/** Contracts in `core` may refer to each other as types; nothing else may close a circle. */
function isCyclic(path: string): (one: Import) => boolean {
  return (one) => !(one.typeOnly && path.startsWith("core/"));
}

function importFinding(path: string, target: string): string | undefined {
  const from = folderOf(path);
  const to = folderOf(target);
  if (from === to) return siblingFinding(path, target);
  const allowed = LAYERS[from];
  const isInside = !target.startsWith("..");
  const isRoot = COMPOSITION_ROOTS.includes(path) ||
    !path.includes("/") && allowed === undefined;
  if (isRoot && isInside) return undefined;
  if (allowed === undefined && !isRoot) {
    return `scripts/layers.ts has no row for ${from}`;
  }
  const isAllowed = isInside && (to === "core" || allowed?.includes(to));
  return isAllowed ? undefined : `may not import ${target}`;
}

function siblingFinding(path: string, target: string): string | undefined {
  const [folder, own, ...rest] = path.split("/");
  const [, other, ...further] = target.split("/");
  if (!SIBLINGS.includes(folder!) || own === other) return undefined;
  const intoFolder = further.length > 0;
  if (rest.length === 0) {
    return intoFolder && own !== "registry.ts"
      ? `only ${folder}/registry.ts may import ${target}`
      : undefined;
  }
  return intoFolder || other === "registry.ts"
    ? `may not import its sibling ${target}`
    : undefined;
}

function isAmbient(node: Node): boolean {
  const found = moduleIn(node);
  if (found) return !found.typeOnly && AMBIENT_MODULE.test(found.name);
  const name = nameOf(node);
  return name !== undefined && (AMBIENT.has(name) || /^Deno\./.test(name));
}

/** `a.b` of a member, `a()` of a call by name, `new A()` without arguments; `globalThis.` is left out. */
function nameOf(node: Node): string | undefined {
  if (ts.isCallExpression(node)) return `${wordOf(node.expression)}()`;
  if (ts.isNewExpression(node) && !node.arguments?.length) {
    return `new ${wordOf(node.expression)}()`;
  }
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  return `${wordOf(node.expression)}.${node.name.text}`;
}

function wordOf(node: Node): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  const isGlobal = ts.isPropertyAccessExpression(node) &&
    wordOf(node.expression) === "globalThis";
  return isGlobal ? node.name.text : undefined;
}

/** Names and texts; comments are in no node. */
function namesProvider(node: Node): boolean {
  return "text" in node && PROVIDER_NAME.test(`${node.text}`);
}

function isDefaultExport(node: Node): boolean {
  return ts.isExportAssignment(node) ||
    node.kind === ts.SyntaxKind.DefaultKeyword;
}

function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) =>
    place.endsWith("/") ? path.startsWith(place) : path === place
  );
}

function folderOf(path: string): string {
  return path.split("/")[0]!;
}

/** One finding per circle of imports, at the file where it was entered. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const findings: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) {
      const circle = [...trail.slice(trail.indexOf(path)), path].join(" → ");
      findings.push(`src/${path}:1: imports itself: ${circle}`);
    } else if (!done.has(path)) {
      for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
      done.add(path);
    }
  };
  for (const path of graph.keys()) visit(path, []);
  return findings;
}

if (import.meta.main) {
  const src = new URL("../src/", import.meta.url);
  reportAndExit(layerFindings(await textsBelow(src, ".ts")));
}
