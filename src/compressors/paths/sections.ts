/** Names below a heading for each directory, as `ls -R` prints them, read as whole paths. @module */
import type { ListForm, PathList } from "./list_form.ts";
import { MOST_GROWTH } from "./rows.ts";

/** What `ls -R` and `ls` of several directories print. */
export const sectionsForm: ListForm = {
  label: "ls",
  isSized: false,
  read(text: string): PathList | undefined {
    if (!text.includes(":\n")) return undefined;
    const lines = text.split("\n");
    let directory: string | undefined;
    let length = 0;
    let sections = 0;
    const out: string[] = [];
    for (const [i, line] of lines.entries()) {
      if (isHeading(lines, i)) {
        directory = line.slice(0, -1);
        sections++;
        out.push(line);
      } else if (line === "" || directory === undefined) out.push(line);
      else {
        const path = `${directory}/${line}`;
        out.push(path);
        length += path.length;
      }
      if (length > MOST_GROWTH * text.length) return undefined;
    }
    return sections > 1 ? { text: out.join("\n"), notes: "" } : undefined;
  },
  print(list: string): string {
    const lines = list.split("\n");
    let start = "";
    return lines.map((line, i) => {
      if (isHeading(lines, i)) start = `${line.slice(0, -1)}/`;
      else if (start !== "" && line.startsWith(start)) {
        return line.slice(start.length);
      }
      return line;
    }).join("\n");
  },
};

/** `dir:`, at the start or after a blank line. */
export function isHeading(lines: readonly string[], index: number): boolean {
  const line = lines[index]!;
  return line.length > 1 && line.endsWith(":") &&
    (index === 0 || lines[index - 1] === "");
}

/**
 * Leaves out the blank lines and headings of directories whose names follow.
 *
 * @param directoryOf Directory of the paths that a line stands for; `undefined` for another line.
 */
export function dropHeadings(
  lines: readonly string[],
  directoryOf: (line: string) => string | undefined,
): string[] {
  const out: string[] = [];
  lines.forEach((line, i) => {
    const isFollowed = (at: number) =>
      isHeading(lines, at) && at + 1 < lines.length &&
      directoryOf(lines[at + 1]!) === lines[at]!.slice(0, -1);
    const isBlank = line === "" && out.length > 0 && i + 1 < lines.length &&
      isFollowed(i + 1);
    if (!isBlank && !isFollowed(i)) out.push(line);
  });
  return out;
}

/** Inverse of {@linkcode dropHeadings}. */
export function addHeadings(
  lines: readonly string[],
  directoryOf: (line: string) => string | undefined,
): string[] {
  const out: string[] = [];
  let current: string | undefined;
  for (const line of lines) {
    const directory = directoryOf(line);
    // Names before the first heading have no directory, and so had no heading.
    if (directory && directory !== current) {
      if (out.length > 0) out.push("");
      out.push(`${directory}:`);
      current = directory;
    }
    out.push(line);
  }
  return out;
}
