/** Finds what breaks the rules of `layers.ts`. Pure: texts in, findings out. @module */
import { codeText } from "./code_text.ts";
import {
  AMBIENT,
  AMBIENT_PLACES,
  COMPOSITION_ROOTS,
  LAYERS,
  PROVIDER_NAME,
  PROVIDER_PLACES,
  SIBLINGS,
} from "./layers.ts";

/** One relative import of a source file. */
interface Import {
  /** Path below `src/` of the imported file; starts with `..` when outside. */
  readonly target: string;
  /** Line, from 1. */
  readonly line: number;
  /** Whether it is erased at run time. */
  readonly typeOnly: boolean;
}

const IMPORT =
  /\b(import|export)\s+(type\s)?[^"'`;()]*?from\s*"(\.[^"]+)"|\bimport\s*\(?\s*"(\.[^"]+)"/g;
const ANY_TYPE = /(?:[:<|&=]|\bas\b|\bextends\b)\s*any\b|\bany\[\]/;

/**
 * Every finding, as `src/path:line: message`.
 *
 * @param files Text of every file of `src/` by its path below it, with slashes.
 */
export function layerFindings(files: ReadonlyMap<string, string>): string[] {
  const findings: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [path, text] of files) {
    const code = codeText(text, { strings: true });
    const imports = importsOf(path, code);
    graph.set(path, imports.filter(isCyclic(path)).map((one) => one.target));
    for (const one of imports) {
      const message = importFinding(path, one.target);
      if (message) findings.push(`src/${path}:${one.line}: ${message}`);
    }
    findings.push(...textFindings(path, code, text));
  }
  return [...findings, ...cycles(graph)];
}

function importsOf(path: string, code: string): Import[] {
  const base = new URL(path, "file:///src/");
  return [...code.matchAll(IMPORT)].map((match) => {
    const url = new URL(match[3] ?? match[4]!, base).pathname;
    return {
      target: url.startsWith("/src/") ? url.slice(5) : `..${url}`,
      line: lineAt(code, match.index),
      typeOnly: match[2] !== undefined,
    };
  });
}

/** Contracts in `core` may refer to each other as types; nothing else may close a circle. */
function isCyclic(path: string): (one: Import) => boolean {
  return (one) => !(one.typeOnly && path.startsWith("core/"));
}

function importFinding(path: string, target: string): string | undefined {
  const from = folderOf(path);
  const to = folderOf(target);
  if (from === to) return siblingFinding(path, target);
  const allowed = COMPOSITION_ROOTS.includes(path) ? "all" : LAYERS[from];
  if (allowed === undefined) {
    return `scripts/layers.ts has no row for ${from}`;
  }
  const inside = !target.startsWith("..");
  const fine = inside &&
    (allowed === "all" || to === "core" || allowed.includes(to));
  return fine ? undefined : `may not import ${target}`;
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

function textFindings(path: string, code: string, text: string): string[] {
  const bare = codeText(text, { strings: false });
  const found: string[] = [];
  const search = (where: string, pattern: RegExp, message: string) => {
    const match = pattern.exec(where);
    if (match) {
      found.push(`src/${path}:${lineAt(where, match.index)}: ${message}`);
    }
  };
  if (!isIn(path, AMBIENT_PLACES)) {
    search(
      bare,
      AMBIENT,
      "may not touch the outside world; take a Clock, Send or path as a parameter",
    );
  }
  if (!isIn(path, PROVIDER_PLACES)) {
    search(code, PROVIDER_NAME, "may not name a provider");
  }
  search(bare, /\bexport\s+default\b/, "has a default export; name it");
  search(bare, ANY_TYPE, "uses any; use unknown or the real type");
  return found;
}

function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) =>
    place.endsWith("/") ? path.startsWith(place) : path === place
  );
}

function folderOf(path: string): string {
  return path.split("/")[0]!;
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
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
