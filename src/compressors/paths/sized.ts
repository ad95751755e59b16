/** Lists that give a number for each path, read as `path|number`: `git diff --stat`, `du`, `wc`. @module */
import type { ListForm, PathList } from "./list_form.ts";

/** Share of the lines that must be of the form. */
const LEAST_SHARE = 0.8;

/** Lines that are tried first, and units in which they stand. */
const TRIED = 5;
const HEAD = 4000;

const CHANGED = /^(\d+)(?: ([+-]+))?$/;
const DU_SIZE = /^\d+(?:\.\d+)?[KMGTP]?$/;
const COUNTED = /^( *)(\d+) (\S.*)$/;
const MEASURED = /^(.+)\|(\d[\d.]*[KMGTP]?)([+-]*)$/;

/** What `git diff --stat` prints. */
export const statForm: ListForm = {
  label: "diff --stat with name|lines changed",
  isSized: true,
  read: (text) =>
    readLines(text, (line) => {
      const bar = line.lastIndexOf(" | ");
      if (bar < 0 || !line.startsWith(" ")) return undefined;
      const found = CHANGED.exec(line.slice(bar + 3).trimStart());
      if (found === null) return undefined;
      const [, count, signs] = found;
      return `${line.slice(1, bar).trimEnd()}|${count}${signs ?? ""}`;
    }),
  print(list: string): string {
    const lines = list.split("\n");
    let names = 0;
    let digits = 0;
    for (const line of lines) {
      const found = MEASURED.exec(line);
      if (found !== null) {
        names = Math.max(names, found[1]!.length);
        digits = Math.max(digits, found[2]!.length);
      } else if (line.includes(" | Bin ")) {
        names = Math.max(names, line.lastIndexOf(" | Bin ") - 1);
        digits = Math.max(digits, 3);
      }
    }
    return lines.map((line) => {
      const [, name, count, signs] = MEASURED.exec(line) ?? [];
      if (name === undefined) return line;
      const number = count!.padStart(digits);
      return ` ${name.padEnd(names)} | ${number}${signs ? ` ${signs}` : ""}`;
    }).join("\n");
  },
};

/** What `du` prints. */
export const duForm: ListForm = {
  label: "du with name|size",
  isSized: true,
  read: (text) =>
    readLines(text, (line) => {
      const tab = line.indexOf("\t");
      return tab > 0 && DU_SIZE.test(line.slice(0, tab))
        ? `${line.slice(tab + 1)}|${line.slice(0, tab)}`
        : undefined;
    }),
  print: (list) =>
    list.split("\n").map((line) => {
      const [, name, size] = MEASURED.exec(line) ?? [];
      return name === undefined ? line : `${size}\t${name}`;
    }).join("\n"),
};

/** What `wc -l` prints for several files. */
export const wcForm: ListForm = {
  label: "wc with name|count",
  isSized: true,
  read: (text) =>
    readLines(text, (line) => {
      const [, , count, name] = COUNTED.exec(line) ?? [];
      return name === undefined || name === "total"
        ? undefined
        : `${name}|${count}`;
    }),
  print(list: string): string {
    const lines = list.split("\n");
    let width = 0;
    for (const line of lines) {
      const [, name, count] = MEASURED.exec(line) ?? [];
      const [, blank, total, word] = COUNTED.exec(line) ?? [];
      if (name !== undefined) width = Math.max(width, count!.length);
      else if (word === "total") {
        width = Math.max(width, blank!.length + total!.length);
      }
    }
    return lines.map((line) => {
      const [, name, count] = MEASURED.exec(line) ?? [];
      return name === undefined ? line : `${count!.padStart(width)} ${name}`;
    }).join("\n");
  },
};

function readLines(
  text: string,
  read: (line: string) => string | undefined,
): PathList | undefined {
  const head = text.slice(0, HEAD).split("\n", TRIED);
  if (head.every((line) => read(line) === undefined)) return undefined;
  const lines = text.split("\n");
  let rows = 0;
  let others = 0;
  const out = lines.map((line) => {
    const path = read(line);
    if (path !== undefined) rows++;
    else if (line !== "") others++;
    return path ?? line;
  });
  return rows >= LEAST_SHARE * (rows + others) && rows > 1
    ? { text: out.join("\n"), notes: "" }
    : undefined;
}
