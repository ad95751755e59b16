/** Modules of the runtime that every start would load for nothing. @module */

/**
 * What commander imports for subcommands that are programs of their own. svc has none, and the two cost a fifth of
 * the time of `svc --version`.
 */
const SELDOM: readonly string[] = ["node:child_process", "node:fs"];

/** Stands in commander and nowhere else. */
const COMMANDER = '"commander.invalidArgument"';

/**
 * Makes the bundled commander load these modules when it first uses them.
 *
 * @param chunks Text of each bundled module by its path.
 * @returns The chunks that changed.
 * @throws {Error} If commander is not bundled once, or imports them otherwise.
 */
export function withLazyBuiltins(
  chunks: ReadonlyMap<string, string>,
): Map<string, string> {
  const found = [...chunks].filter(([, text]) => text.includes(COMMANDER));
  const [path, text] = found[0] ?? [];
  if (path === undefined || text === undefined || found.length > 1) {
    throw new Error(
      `Cannot find commander in the bundle: expected ${COMMANDER} in 1 module, found it in ${found.length}; see scripts/compile/lazy_builtins.ts`,
    );
  }
  return new Map([[path, SELDOM.reduce(withLazy, text)]]);
}

function withLazy(text: string, module: string): string {
  const parts = text.split(`from"${module}"`);
  const name = /import ([\w$]+)\s*$/.exec(parts[0]!)?.[1];
  if (parts.length !== 2 || name === undefined) {
    throw new Error(
      `Cannot load ${module} later: commander does not import it as import name from"${module}"; see scripts/compile/lazy_builtins.ts`,
    );
  }
  const before = parts[0]!.replace(/import [\w$]+\s*$/, "");
  return `${before}const ${name}=new Proxy({},{get:(_,name)=>process.getBuiltinModule("${module}")[name]})${
    parts[1]
  }`;
}
