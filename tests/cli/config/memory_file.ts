/** Settings files in memory. @module */
import type { OpenFile } from "../../../src/cli/config/reach.ts";

/** Opens files of `texts`. */
export function memoryFiles(texts: Map<string, string>): OpenFile {
  return (path) => ({
    path,
    read: () => Promise.resolve(texts.get(path)),
    update(change) {
      const { after } = change(texts.get(path));
      if (after !== undefined) texts.set(path, after);
      return Promise.resolve();
    },
  });
}

/** Where the fake world's settings are. */
export const PATH = "/home/a/.svc/settings.json";

/** A file with that text or value; nothing for none. */
export function textsWith(stored?: unknown): Map<string, string> {
  if (stored === undefined) return new Map();
  const text = typeof stored === "string" ? stored : JSON.stringify(stored);
  return new Map([[PATH, text]]);
}
