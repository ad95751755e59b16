/** Lock files: which packages they hold. @module */
import {
  indexLines,
  lineAt,
  lineEnd,
  type Lines,
  lineStart,
} from "../../text/lines.ts";
import { queryTerms } from "../../text/relevance.ts";

/** Packages that are left out together, with a note that names them; or lines that only repeat what is elsewhere. */
export interface Stretch {
  /** Lines `[from, to)`. */
  readonly from: number;
  readonly to: number;
}

/** One package as locked. */
interface Package extends Stretch {
  to: number;
  name: string;
  version: string;
  /** Where it comes from. */
  source: string;
  /** Names of its fields. */
  readonly fields: Set<string>;
}

/** The packages of a lock file, ascending. */
export interface LockFile {
  /** Each with its lines, its name and its version. */
  readonly packages: readonly Package[];
  /** Lines that only repeat what packages need. */
  readonly echoes: readonly Stretch[];
}

/** How entries of a format look. */
interface Format {
  /** What its texts hold: a cheap look. */
  readonly word: string;
  /** Two of them at the start make a text such a lock file. */
  readonly sign: RegExp;
  /** First line of an entry: the name, and the version where it is there. */
  readonly entry: RegExp;
  /** Other lines of an entry, blank ones aside. */
  readonly body: RegExp;
  /** A field of an entry, and its value. */
  readonly field?: RegExp;
  /** Line after which there are entries; they start at once when absent. */
  readonly opens?: RegExp;
  /** Line after which entries only repeat. */
  readonly echoes?: RegExp;
}

const FORMATS: readonly Format[] = [
  { // Cargo.lock, poetry.lock, uv.lock, pdm.lock
    word: "[[package]]",
    sign: /^\[\[package\]\]\r?\nname = "[^"\n]*"\r?\nversion = "/gm,
    entry: /^\[\[package\]\]$/,
    body: /^(?!\[)|^\[{1,2}package\./,
    field: /^\[*(?:package\.)?([\w-]+)(?:[\w.-]*\]+| = (.*))/,
  },
  { // yarn.lock
    word: "\n  version",
    sign:
      /^"?[^\s"][^\n]{0,300}@[^\n]{0,300}:\r?\n {2}version:? "?[^\s"]+"?\r?\n {2}resol(?:ved|ution):? "/gm,
    entry: /^"?'?(@?[^@\s"']+)@.*:$/,
    body: /^[ #]/,
    field: /^ {2}([\w-]+):?(?: (.*))?$/,
  },
  { // pnpm-lock.yaml
    word: "packages:",
    sign:
      /^ {2}'?[^\s'][^\n]*:\r?\n {4}resolution: \{(?:integrity|tarball|directory)|^lockfileVersion: |^importers:/gm,
    opens: /^packages:$/,
    echoes: /^snapshots:$/,
    entry: /^ {2}['"]?\/?(@?[^\s'"@][^@'"]*)@([^'"\s]*?)['"]?:(?: \{\})?$/,
    body: /^ {4}/,
    field: /^ {4}([\w-]+):(?: (.*))?$/,
  },
  { // go.sum
    word: " h1:",
    sign: /^\S+ v\S+ h1:[\w+/]+=*\r?(?:\n\S+ v\S+ h1:[\w+/]+=*\r?){2}$/gm,
    entry: /^(\S+) (v\S+?)(?:\/go\.mod)? h1:/,
    body: /^\0/,
  },
  { // Gemfile.lock
    word: "  specs:",
    sign: /^(?:GEM|PATH|GIT|PLATFORMS|DEPENDENCIES)\r?$/gm,
    opens: /^ {2}specs:$/,
    entry: /^ {4}(\S+) \((.*)\)$/,
    body: /^ {6}/,
  },
];

/** UTF-16 units at the start that tell; signs, and then entries, that must be there. */
const LOOKED_AT = 4000;
const FEWEST = 2;
/** Lines of a program or a document that quotes a lock file. */
const CODE = /;\r?$|^import |^```/m;
/** Packages with such a field, or from such a source, are odd when they are so few of all. */
const RARE = 0.1;
/** Fields that set a package apart. */
const TELLING = /^(?:deprecated|optional)$/;
/** Packages that stay because they are odd, and because a question names them. */
const MOST_ODD = 12;
const MOST_ASKED = 4;
/** Fields that a note names. */
const MOST_FIELDS = 8;

/** Reads a lock file or a stretch of one; `undefined` for any other text. O(n). */
export function readLock(text: string): LockFile | undefined {
  const format = formatOf(text);
  if (format === undefined) return undefined;
  const lock = packagesIn(indexLines(text), format);
  return lock.packages.length < FEWEST ? undefined : lock;
}

/** Whether a text starts as a lock file does, at a bounded cost. */
export function startsAsLock(text: string): boolean {
  return formatOf(text) !== undefined;
}

function formatOf(text: string): Format | undefined {
  const head = text.slice(0, LOOKED_AT);
  return FORMATS.find(({ word, sign }) =>
    head.includes(word) && (head.match(sign) ?? []).length >= FEWEST &&
    !CODE.test(head)
  );
}

function packagesIn(lines: Lines, format: Format): LockFile {
  const { opens, entry, body } = format;
  const packages: Package[] = [];
  const echoes: Package[] = [];
  /** Where entries go; nowhere before they start and after they ended. */
  let into = opens === undefined ? packages : undefined;
  for (let line = 0; line < lines.count; line++) {
    const said = lineAt(lines, line).trimEnd();
    if (said === "") continue;
    const last = into?.at(-1);
    const found = entry.exec(said);
    if (format.echoes?.test(said)) into = echoes;
    else if (opens?.test(said)) into = packages;
    else if (into !== undefined && found !== null) {
      addPackage(into, line, found);
    } else if (last !== undefined && body.test(said)) {
      last.to = line + 1;
      readField(said, last, format);
    } else if (last !== undefined) into = undefined;
  }
  const [first] = echoes;
  const to = echoes.at(-1)?.to ?? 0;
  return {
    packages: packages.filter(({ name }) => name !== ""),
    echoes: first === undefined ? [] : [{ from: first.from, to }],
  };
}

/** Adds the package whose entry begins on a line; a module's code and its list of needs have a line each. */
function addPackage(
  into: Package[],
  line: number,
  [, name = "", version = ""]: RegExpExecArray,
): void {
  const last = into.at(-1);
  const to = line + 1;
  const isSame = last?.name === name && last.version === version;
  if (isSame && name !== "") last.to = to;
  else {
    const fields = new Set<string>();
    into.push({ from: line, to, name, version, source: "", fields });
  }
}

function readField(said: string, entry: Package, { field }: Format): void {
  const [, key = "", quoted = ""] = field?.exec(said) ?? [];
  if (key === "") return;
  const value = quoted.replace(/^['"]|['"],?$/g, "");
  if (key === "name") entry.name ||= value;
  else if (key === "version") entry.version ||= value;
  else if (key !== "optional" || value === "true") entry.fields.add(key);
  if (key === "source" || key === "resolved" || key === "url") {
    // The registry of a package file; the whole of any other address.
    entry.source += value.replace(/^(\w+:\/\/[^/]+\/).*\/-\/.*\.tgz.*/, "$1");
  } else if (key === "linkType" || value.includes("tarball:")) {
    entry.source += value;
  }
}

/** Packages that stay whole: odd ones, and those that the words of the question make up (`serde_json` for `serde json`). */
export function wholePackages(
  { packages }: LockFile,
  query: string,
): Stretch[] {
  const counts = new Map<string, number>();
  const signsOf = ({ source, fields }: Package) => [
    `=${source}`,
    ...[...fields].filter((field) => TELLING.test(field)),
  ];
  for (const entry of packages) {
    for (const sign of signsOf(entry)) {
      counts.set(sign, (counts.get(sign) ?? 0) + 1);
    }
  }
  const terms = new Set(queryTerms(query));
  const odd = packages.filter((entry) =>
    signsOf(entry).some((sign) =>
      (counts.get(sign) ?? 0) <= RARE * packages.length
    )
  );
  const asked = terms.size === 0 ? [] : packages.filter(({ name }) => {
    const words = queryTerms(name.slice(name.lastIndexOf("/") + 1));
    return words.length > 0 && words.every((word) => terms.has(word));
  });
  return [...odd.slice(0, MOST_ODD), ...asked.slice(0, MOST_ASKED)];
}

/** Lines that are left out: packages in a row that their names and versions are shorter than, and what repeats. */
export function packageLines(lock: LockFile, lines: Lines): Stretch[] {
  const stretches: Stretch[] = [...lock.echoes];
  let open: Stretch | undefined;
  for (const { from, to } of lock.packages) {
    const isNext = open !== undefined && from - open.to < 2;
    if (!isNext && open !== undefined) stretches.push(open);
    open = { from: isNext && open !== undefined ? open.from : from, to };
  }
  if (open !== undefined) stretches.push(open);
  return stretches.filter(({ from, to }) => {
    const size = lineEnd(lines, to - 1) - lineStart(lines, from);
    return labelOfPackages(lock, { from, to }).length + 40 < size;
  });
}

/** `2 packages, without checksum:`, then name and version of each in a line. O(log n) and the packages. */
export function labelOfPackages(
  { packages }: LockFile,
  { from, to }: Stretch,
): string {
  let first = 0;
  for (let end = packages.length; first < end;) {
    const middle = (first + end) >> 1;
    if ((packages[middle]?.from ?? from) < from) first = middle + 1;
    else end = middle;
  }
  const fields = new Set<string>();
  const said: string[] = [];
  for (let n = first; n < packages.length; n++) {
    const entry = packages[n];
    if (entry === undefined || entry.to > to) break;
    said.push(`${entry.name} ${entry.version}`.trim());
    for (const field of entry.fields) fields.add(field);
  }
  if (said.length === 0) return "what each package needs";
  const some = [...fields].slice(0, MOST_FIELDS).join(", ");
  const count = said.length === 1 ? "1 package" : `${said.length} packages`;
  const without = some === "" ? "" : `, without ${some}`;
  return `${count}${without}:\n${said.join("\n")}`;
}
