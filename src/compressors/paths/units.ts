/** Which paths of a large list stay, and what is said of the others. @module */
import { addTo } from "../../text/counts.ts";
import type { CompressContext } from "../../core/compressor.ts";
import type { Elided, Gap, Units } from "../../core/kind.ts";
import { keepAnswers } from "../../engine/answers.ts";
import { STAYS } from "../../engine/choose.ts";
import { indexLines, lineStart } from "../../text/lines.ts";
import { foldPaths, foldRows } from "./fold.ts";
import { type PathsView, plainLine, readPlain, type Row } from "./parse.ts";

/** Paths of a list that is too short to leave any out, and of one that is not if this share of them is in few directories. */
const SHORT = 600;
const SHORTEST = 300;
const CROWDED_SHARE = 1 / 3;
/** Paths of a directory that has many. */
const CROWD = 40;
/** Share of the price that paths may have besides those that stay: they are written shorter than they are. */
const SHARE = 0.12;
/** Weights of paths: where nobody wrote anything by hand, elsewhere, with a name that is rare or that a reader looks for. */
const BULKY = 8;
const USUAL = 64;
const RARE = 180;
const NOTABLE = 200;
/** Paths with the same extension, and names that break a pattern, that weigh more. */
const RARE_EACH = 2;
const MOST_RARE = 30;
/** A directory has a pattern if so many names, and this share of them, are alike but for numbers. */
const LEAST_PATTERN = 20;
const PATTERN_SHARE = 0.9;
const MOST_ODD = 10;
/** Largest paths of a list with sizes, which stay, and most equal ones of the smallest. */
const LARGEST = 12;
const LEAST_EACH = 2;
/** A size before a path; of fewer different ones the largest say nothing. */
const SIZE = /^\s*(\d[\d.]*[KMGTP]?)\s+$/;
const LEAST_SIZES = 6;
/** Directories that are named of a gap, and extensions. */
const MOST_FOLDERS = 48;
const MOST_EXTENSIONS = 3;

/** What git says of a file that is known to it. */
const CHANGED = /^(?!\?\?|!!)\s*[^\s\d#]+\s*$/;

/** Names, without their extension, of which each list has a few and a reader looks for. */
const DOCUMENTS = new Set(
  ("readme license licence copying changelog changes contributing authors notice security agents claude makefile " +
    "gnumakefile dockerfile containerfile jenkinsfile vagrantfile procfile gemfile rakefile justfile brewfile " +
    "docker-compose codeowners").split(" "),
);
/** Names of manifests and settings. */
const MANIFESTS = new Set(
  ("compose.yml compose.yaml package.json cargo.toml go.mod go.sum go.work pyproject.toml setup.py setup.cfg " +
    "requirements.txt pipfile tsconfig.json jsconfig.json deno.json deno.jsonc composer.json pom.xml build.gradle " +
    "build.gradle.kts settings.gradle settings.gradle.kts gradlew mvnw cmakelists.txt configure meson.build tox.ini " +
    "noxfile.py manage.py build.sbt mix.exs build.zig pubspec.yaml package.swift conanfile.py conanfile.txt flake.nix")
    .split(" "),
);
/** Directories of what nobody wrote by hand. */
const BULK = new RegExp(
  `(?:^|[\\\\/])(?:${
    ("node_modules .git .hg .svn vendor third_party dist build out target .next .nuxt .output .cache .venv venv env " +
      "site-packages __pycache__ .tox .mypy_cache .pytest_cache .ruff_cache .gradle .idea coverage bower_components " +
      "Pods DerivedData .terraform .yarn .pnpm .turbo .parcel-cache obj")
      .replaceAll(".", "\\.").replaceAll(" ", "|")
  })(?:[\\\\/]|$)`,
);

/** Whether a base name is one that a reader looks for: a readme, a manifest, a lock, a configuration. */
function isNotable(name: string): boolean {
  const lower = name.toLowerCase();
  const dot = lower.indexOf(".", 1);
  const stem = dot < 0 ? lower : lower.slice(0, dot);
  return DOCUMENTS.has(stem) || MANIFESTS.has(lower) || lower.startsWith(".") ||
    lower.endsWith(".lock") ||
    lower.endsWith("-lock.json") || lower.endsWith("-lock.yaml") ||
    lower.includes(".config.") || lower.startsWith("dockerfile.") ||
    lower.endsWith(".orig") || lower.endsWith(".rej");
}

/** The paths that matter: changed ones, the largest, the first and the last, then by how telling a name is. */
export function unitsOf(
  view: PathsView,
  { query }: CompressContext,
): Units | undefined {
  const { lines, rows, count } = view;
  if (count < SHORT && !isCrowded(view)) return undefined;
  const starts = lines.starts.slice();
  starts[lines.count] = lines.text.length;
  const weights = new Uint8Array(rows.length);
  const groups = new Int32Array(rows.length);
  const directories = new Map<string, { group: number; isBulk: boolean }>();
  for (const [i, row] of rows.entries()) {
    if (row.lead === undefined) {
      weights[i] = STAYS;
      continue;
    }
    const known = directories.get(row.dir) ??
      { group: directories.size + 1, isBulk: isBulk(row.dir) };
    directories.set(row.dir, known);
    groups[i] = known.group;
    weights[i] = isChanged(row.lead)
      ? STAYS
      : known.isBulk
      ? BULKY
      : isNotable(row.name)
      ? NOTABLE
      : USUAL;
  }
  for (const i of telling(rows)) if (weights[i] === USUAL) weights[i] = RARE;
  for (const i of extreme(rows)) weights[i] = STAYS;
  const isPath = (i: number) => rows[i]?.lead !== undefined;
  keepAnswers(lines, { query, groups, mayAnswer: isPath }, weights);
  const write = (i: number) => {
    const row = rows[i];
    if (row === undefined) return "";
    return `${row.values.length > 0 ? row.text : plainLine(row)}\n`;
  };
  return { starts, weights, groups, write, share: SHARE };
}

/** Whether many paths are in directories of many, or of what nobody wrote by hand. O(n). */
function isCrowded({ rows, count }: PathsView): boolean {
  if (count < SHORTEST) return false;
  const sizes = new Map<string, number>();
  for (let from = 0; from < rows.length;) {
    const { lead, dir = "" } = rows[from] ?? {};
    let to = from + 1;
    while (rows[to]?.dir === dir) to++;
    if (lead !== undefined) sizes.set(dir, (sizes.get(dir) ?? 0) + to - from);
    from = to;
  }
  let crowded = 0;
  for (const [dir, size] of sizes) {
    if (size >= CROWD || isBulk(dir)) crowded += size;
  }
  return crowded >= CROWDED_SHARE * count;
}

/** Rows that are written as they are, digits of the ids of others, and ids that are worth that. */
const WHOLE_IDS = 6;
const ID_DIGITS = 8;
const LEAST_IDS = 16;
const ID = /^[0-9a-f]{32,64}$/;

/** A short list with hashes, as `git ls-files -s` prints it: ids behind the first rows are cut to the digits that tell them apart. */
export function cutIds(
  view: PathsView,
  { query, countTokens }: CompressContext,
): Elided | undefined {
  const { lines, rows, form, count } = view;
  const hasId = ({ values }: Row) => values.some((value) => ID.test(value));
  if (count >= SHORT || rows.filter(hasId).length < LEAST_IDS) return undefined;
  const cut = new Map<string, string>();
  const short = rows.slice(WHOLE_IDS).map((row) => {
    const values = row.values.map((value) => {
      const start = value.slice(0, ID_DIGITS);
      const isAsked = query.includes(row.name) || query.includes(start);
      if (!ID.test(value) || isAsked) return value;
      cut.set(value, start);
      return start;
    });
    return { ...row, values };
  });
  if (new Set(cut.values()).size < cut.size) return undefined;
  const at = lineStart(lines, WHOLE_IDS);
  const label = `${form.label}, ids cut to ${ID_DIGITS} digits`;
  const folded = foldPaths({
    ...view,
    lines: indexLines(lines.text.slice(at)),
    form: { ...form, label },
    rows: short,
    count: short.length,
  }, countTokens);
  return folded && {
    type: "elided",
    text: lines.text.slice(0, at) + folded.text,
    omitted: { count: cut.size, total: count, unit: "ids" },
  };
}

function isChanged(lead: string): boolean {
  return lead !== "" && CHANGED.test(lead);
}

function isBulk(directory: string): boolean {
  return BULK.test(directory);
}

/** Paths with an extension that few have, and names that break the pattern of their directory. */
function telling(rows: readonly Row[]): number[] {
  const byExtension = new Map<string, number[]>();
  const byPattern = new Map<string, Map<string, number[]>>();
  for (const [i, { lead, dir, name }] of rows.entries()) {
    if (lead === undefined) continue;
    const dot = name.lastIndexOf(".");
    addTo(byExtension, dot > 0 ? name.slice(dot) : "", i);
    const patterns = byPattern.get(dir) ?? new Map<string, number[]>();
    byPattern.set(dir, patterns);
    addTo(patterns, /\d/.test(name) ? name.replace(/\d+/g, "0") : name, i);
  }
  const rare = [...byExtension.values()].filter((found) =>
    found.length <= RARE_EACH
  ).flat();
  const found = rare.length <= MOST_RARE ? rare : [];
  for (const patterns of byPattern.values()) {
    const sizes = [...patterns.values()].map(({ length }) => length);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    const most = sizes.reduce((a, b) => Math.max(a, b), 0);
    if (all < LEAST_PATTERN || most < PATTERN_SHARE * all) continue;
    const odd = [...patterns.values()].filter(({ length }) => length < most);
    found.push(...odd.flat().slice(0, MOST_ODD));
  }
  return found;
}

/** Paths with the largest first number, and those with the least if they are few. */
function extreme(rows: readonly Row[]): number[] {
  const sized: { readonly i: number; readonly size: number }[] = [];
  for (const [i, { values, lead = "" }] of rows.entries()) {
    const value = values[0] ?? SIZE.exec(lead)?.[1];
    if (value === undefined) continue;
    const unit = "KMGTP".indexOf(value.at(-1) ?? "") + 1;
    sized.push({ i, size: Number.parseFloat(value) * 1024 ** unit });
  }
  if (new Set(sized.map(({ size }) => size)).size < LEAST_SIZES) return [];
  sized.sort((a, b) => b.size - a.size || a.i - b.i);
  const least = sized.at(-1)?.size ?? 0;
  const small = sized.slice(-LEAST_EACH - 1).filter(({ size }) =>
    size === least
  );
  return [
    ...sized.slice(0, LARGEST),
    ...small.length > LEAST_EACH ? [] : small,
  ].map(({ i }) => i);
}

/** `src/net/ 35 (32 .ts, 3 .json) in 4 folders: a b c d` for the paths of a gap. */
export function labelOf({ rows }: PathsView, { from, to }: Gap): string {
  const paths = rows.slice(from, to).filter(({ lead }) => lead !== undefined);
  const [first] = paths;
  if (first === undefined) return "";
  let start = first.dir;
  const types = new Map<string, number>();
  for (const { dir, name } of paths) {
    while (start !== "" && !dir.startsWith(start)) {
      const above = start.slice(0, -1).lastIndexOf("/");
      start = start.slice(0, above + 1);
    }
    const dot = name.lastIndexOf(".");
    const type = dot > 0 ? name.slice(dot) : "other";
    types.set(type, (types.get(type) ?? 0) + 1);
  }
  const folders = new Set(
    paths.map(({ dir }) => dir.slice(start.length).split("/", 1)[0] ?? ""),
  );
  folders.delete("");
  const counts = [...types].sort((a, b) => b[1] - a[1]);
  const said = counts.length === 1
    ? `${paths.length} ${counts[0]?.[0]}`
    : `${paths.length}: ${
      counts.slice(0, MOST_EXTENSIONS).map(([type, n]) => `${n} ${type}`).join(
        ", ",
      )
    }`;
  const isNamed = folders.size <= MOST_FOLDERS && !isBulk(start);
  const names = isNamed ? `: ${[...folders].join(" ")}` : "";
  const below = folders.size === 0
    ? ""
    : ` in ${folders.size} ${
      folders.size === 1 ? "folder" : "folders"
    }${names}`;
  return `${start}${start === "" ? "" : " "}${said}${below}`;
}

/** Writes kept paths with each directory once, below a line that says how to read that. */
export function polish(text: string, { count }: PathsView): string {
  const lines = text.split("\n");
  const isCut = lines.at(-1) === "";
  if (isCut) lines.pop();
  const rows = readPlain(lines).rows.map((row, i) => {
    const line = lines[i] ?? "";
    return line.startsWith("… ")
      ? { ...row, lead: undefined, text: line }
      : row;
  });
  const folded = foldRows(rows, "");
  if (folded === undefined) return text;
  const kept = rows.filter(({ lead }) => lead !== undefined).length;
  const heading = `… ${kept} of ${count} paths; names fill the *`;
  const whole = [heading, ...folded].join("\n") + (isCut ? "\n" : "");
  return whole.length < text.length ? whole : text;
}
