/** New and deleted files: one line says what their header lines and the sign of every line say. @module */

/** With one name, as the fold of such lines leaves it. */
const GIT = /^diff --git (\S+)$/;
const MODE = /^(new|deleted) file mode (\d{6})$/;
const INDEX = /^index ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})$/;
const HUNK = {
  new: /^@@ -0,0 \+1(?:,(\d{1,7}))? @@$/,
  deleted: /^@@ -1(?:,(\d{1,7}))? \+0,0 @@$/,
};
const HEADLINE =
  /^(new|deleted) file (\S+) \((\d{6})(?: ([0-9a-f]{4,64}))?\), (\d{1,7}) lines?:$/;
/** What a text must not hold, so that a line like it always was made here. */
const LIKE_HEADLINE = /^(?:new|deleted) file \S+ \(/m;

type Kind = "new" | "deleted";

interface WholeFile {
  readonly headline: string;
  readonly sign: "+" | "-";
  /** Index of its first line. */
  readonly start: number;
  readonly count: number;
}

/**
 * Writes `new file src/a.ts (100644 12ab34c), 30 lines:` and the lines without their signs.
 *
 * @returns The same text when no file is whole, or when there are such lines already. O(n).
 */
export function foldWholeFiles(text: string): string {
  if (!text.includes(" file mode ") || LIKE_HEADLINE.test(text)) return text;
  const lines = text.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length;) {
    const file = wholeFile(lines, at);
    if (file === undefined) {
      out.push(lines[at++]!);
      continue;
    }
    out.push(file.headline);
    at = file.start + file.count;
    for (let i = file.start; i < at; i++) out.push(lines[i]!.slice(1));
  }
  return out.length === lines.length ? text : out.join("\n");
}

/** Inverse of {@linkcode foldWholeFiles}. */
export function unfoldWholeFiles(folded: string): string {
  if (!LIKE_HEADLINE.test(folded)) return folded;
  const lines = folded.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const match = HEADLINE.exec(lines[at]!);
    if (match === null) {
      out.push(lines[at]!);
      continue;
    }
    const [, kind, path, mode, hash, count] = match;
    out.push(...headerOf(kind as Kind, { path, mode, hash, count }));
    const end = Math.min(lines.length - 1, at + Number(count));
    const sign = kind === "new" ? "+" : "-";
    while (at < end) out.push(sign + lines[++at]!);
  }
  return out.join("\n");
}

function headerOf(
  kind: Kind,
  { path, mode, hash, count }: Record<string, string | undefined>,
): readonly string[] {
  const none = "0".repeat(hash?.length ?? 0);
  const index = kind === "new" ? `${none}..${hash}` : `${hash}..${none}`;
  const range = count === "1" ? "1" : `1,${count}`;
  return [
    `diff --git ${path}`,
    `${kind} file mode ${mode}`,
    ...hash === undefined ? [] : [`index ${index}`],
    kind === "new" ? `@@ -0,0 +${range} @@` : `@@ -${range} +0,0 @@`,
  ];
}

function wholeFile(
  lines: readonly string[],
  at: number,
): WholeFile | undefined {
  const [, path] = GIT.exec(lines[at]!) ?? [];
  if (path === undefined) return undefined;
  const [, kind, mode] = MODE.exec(lines[at + 1] ?? "") ?? [];
  if (kind !== "new" && kind !== "deleted") return undefined;
  const hash = hashOf(lines[at + 2] ?? "", kind);
  const header = at + (hash === undefined ? 2 : 3);
  const range = HUNK[kind].exec(lines[header] ?? "");
  const count = range === null ? 0 : Number(range[1] ?? "1");
  const sign = kind === "new" ? "+" : "-";
  const start = header + 1;
  if (count === 0 || range![1] === "1") return undefined;
  // A note behind its lines says that the file had more of them.
  if (start + count > lines.length || lines[start + count]?.startsWith("…")) {
    return undefined;
  }
  for (let i = start; i < start + count; i++) {
    if (!lines[i]!.startsWith(sign)) return undefined;
  }
  const said = hash === undefined ? mode : `${mode} ${hash}`;
  const size = count === 1 ? "1 line" : `${count} lines`;
  return {
    headline: `${kind} file ${path} (${said}), ${size}:`,
    sign,
    start,
    count,
  };
}

/** The one hash of an `index` line whose other one is zero. */
function hashOf(line: string, kind: Kind): string | undefined {
  const [, old, added] = INDEX.exec(line) ?? [];
  if (old === undefined || old.length !== added!.length) return undefined;
  const [hash, none] = kind === "new" ? [added!, old] : [old, added!];
  return /^0+$/.test(none) ? hash : undefined;
}
