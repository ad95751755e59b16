/** Names of extensions → modules to import: files, packages, and directories of plugins. @module */
import { isAbsolute, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ExtensionFailure, ExtensionModule } from "./messages.ts";

/** What decides which extensions are loaded. */
export interface ExtensionWishes {
  /** As the setting names them. */
  readonly names: readonly string[];
  /** Where the setting was given. */
  readonly source: "flag" | "shell" | "file" | "profile" | undefined;
  /** The setting that lets only a command line name them, e.g. `SVC_OFFLINE`; `undefined` for none. */
  readonly onlyByFlag: string | undefined;
  /** Directories in which plugins are looked for, in this order. */
  readonly directories: readonly string[];
}

/** Modules, and names that are none. */
export interface PlacedExtensions {
  /** To load, in the order of their names. */
  readonly modules: readonly ExtensionModule[];
  /** Not to load, and why. */
  readonly failures: readonly ExtensionFailure[];
}

const PACKAGE = /^(?:npm|jsr):/;
/** Files of a plugin's directory of which the first one is loaded. */
const ENTRIES = ["mod.ts", "mod.js", "index.ts", "index.js"] as const;
const FILES = [".ts", ".js"] as const;

/**
 * Finds the modules. Nothing is imported, and nothing in a directory of plugins counts unless it is named.
 *
 * @param isFile Whether a file of that path is there.
 */
export async function placeExtensions(
  wishes: ExtensionWishes,
  isFile: (path: string) => Promise<boolean>,
): Promise<PlacedExtensions> {
  const modules: ExtensionModule[] = [];
  const failures: ExtensionFailure[] = [];
  for (const name of new Set(wishes.names)) {
    const found = reasonAgainst(name, wishes) ??
      await placeOf(name, wishes.directories, isFile);
    if (typeof found === "string") failures.push({ name, reason: found });
    else modules.push({ name, specifier: found.href });
  }
  return { modules, failures };
}

/** Why a name is not even looked for. */
function reasonAgainst(
  name: string,
  { source, onlyByFlag }: ExtensionWishes,
): string | undefined {
  if (onlyByFlag !== undefined && source !== "flag") {
    return `${onlyByFlag} is on: then only --proxy-extension names extensions`;
  }
  // Whoever may change settings over the network must not choose code.
  return source === "file" && !isPlugin(name)
    ? "the settings file may name plugins only; files and packages are named by SVC_PROXY_EXTENSIONS or --proxy-extension"
    : undefined;
}

function isPlugin(name: string): boolean {
  return !PACKAGE.test(name) && !isPath(name);
}

function isPath(name: string): boolean {
  return name.startsWith("file:") || /^\.{1,2}[\\/]/.test(name) ||
    isAbsolute(name);
}

async function placeOf(
  name: string,
  directories: readonly string[],
  isFile: (path: string) => Promise<boolean>,
): Promise<URL | string> {
  if (PACKAGE.test(name)) return new URL(name);
  if (isPath(name)) {
    return name.startsWith("file:")
      ? new URL(name)
      : pathToFileURL(resolve(name));
  }
  if (/[\\/]/.test(name) || name === "." || name === "..") {
    return "the name of a plugin holds no / and no backslash; a file begins with ./ or /";
  }
  for (const directory of directories) {
    const paths = [
      ...ENTRIES.map((entry) => join(directory, name, entry)),
      ...FILES.map((end) => join(directory, `${name}${end}`)),
    ];
    for (const path of paths) {
      if (await isFile(path)) return pathToFileURL(path);
    }
  }
  return `there is no ${name}/${ENTRIES[0]} or ${name}${FILES[0]} in ${
    directories.join(" or ") || "any directory of plugins"
  }`;
}
