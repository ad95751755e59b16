/** Lists of files: each directory once, and of large lists the paths that say something. @module */
import type { ContentHint } from "../../core/detector.ts";
import type { Kind } from "../../core/kind.ts";
import { lineHeads } from "../../text/lines.ts";
import { foldDependencies, isDependencies } from "./dependencies.ts";
import { foldPaths } from "./fold.ts";
import { readStat, readTree } from "./forms.ts";
import {
  type PathsView,
  readColumns,
  readPaths,
  readPlain,
  STATE,
} from "./parse.ts";
import { cutIds, labelOf, polish, unitsOf } from "./units.ts";

/** Lines looked at in the start, the middle and the end each, and UTF-16 units of one. */
const SAMPLE = 40;
const WIDTH = 4096;
/** Paths that there must be at least. */
const LEAST = 4;
/** Lines of another kind that may be among them, as a share. */
const MOST_OTHERS = 0.15;
/** Lines of another kind after which the others are not looked at, unless more paths were before. */
const ENOUGH_OTHERS = 6;

/** One path and nothing else: no blank, quote, bracket of code, sign of an assignment, colon but that of a drive. */
const ONE =
  /^(?:[A-Za-z]:[\\/])?[^\s"'`<>|*?:;,=&%{}^!]*[^\s"'`<>|*?:;,=&%^!]$/;
/** The start of a call, or an empty one. */
const OPEN_CALL = /[({]\)?$/;
/** A path with blanks, which must start like one. */
const SPACED = /^(?:\/|\.{1,2}\/|[A-Za-z]:[\\/])[^"'`<>|*?:;=&]*$/;
/** A size, a mode or a count before a path; a file of `git diff --stat`. */
const SIZED =
  /^ \S.* \| +(?:\d+(?: [+-]+)?|Bin.*)$|^\d[\d.]*[KMGTP]?\t\S*[./]\S*$|^ *\d+ [^\s:,;=()]*[./][^\s:,;=()]*$|^ *(?:[\d.]+[KMGTPB]?|[-dlbcps][rwxsStT-]{9}[.+@]?(?! +\d+ ))(?:[ \t]+[\w:.,+@/-]+){1,7}[ \t]+[^\s:,;=()]*\/[^\s:,;=()]*$/;
/** An entry of a drawn tree. */
const DRAWN = /^[│ \u00a0|]*(?:├─[─┬] |└─[─┬] |\|-- |`-- |├── |└── )(\S.*)$/;
/** What is printed beside paths: headings, totals, messages. */
const BESIDE =
  /^\S+:$|^## \S|^ *\d+ (?:director|file|total)|^ ?\d+ .*changed|^\(.*\)$|^(?:find|ls|tree|du|rg|fd|tar|wc|git): |^Found \d+ files?|^total \d+$|^-{3,}$|^={3,}|^(?:On branch|Your branch|Changes|Untracked|Unmerged|You have|nothing |no changes|Initial|HEAD ) ?|^ {2}\(use |^ (?:create|delete|rename) mode |^(?:commit [0-9a-f]{7,40}|Author:|Date:|Merge:)|^ {4}\S/;
/** The first lines of `git status`. */
const STATUS =
  /^(?:On branch \S|HEAD detached |Not currently on any branch|## \S)/;
/** Files whose lines are paths. Other files hold patterns, packages or imports. */
const LISTS = /\.(?:txt|lst|list|log|out)$|(?:^|[\\/])[^.\\/]+$/i;
const NO_LISTS = /require|constraint|package|word|ignore|licen|owners/i;

/** Extensions of files. */
const EXTENSIONS = new Set(
  ("ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi pyx ipynb rb rs go java kt kts scala groovy gradle c h cc cpp " +
    "cxx hh hpp hxx m mm swift cs fs vb csproj sln php pl pm lua r jl ex exs erl hrl hs ml mli clj cljs el lisp zig nim " +
    "dart sh bash zsh fish ps1 bat cmd sql graphql gql proto thrift html htm css scss sass less xml xsl xsd svg json " +
    "jsonc json5 jsonl ndjson yaml yml toml ini cfg conf env properties lock md mdx markdown rst txt tex adoc csv tsv " +
    "parquet avro log out diff patch png jpg jpeg gif webp ico bmp tif tiff pdf doc docx xls xlsx ppt pptx odt mp3 mp4 " +
    "wav ogg webm mov avi ttf otf woff woff2 eot zip tar gz tgz bz2 xz zst 7z jar war whl deb rpm o a so dll dylib exe " +
    "bin dat db sqlite wasm map snap pem crt key pub tf tfvars hcl dockerfile mk cmake bazel bzl nix tmpl tpl ejs hbs " +
    "njk jinja j2 po pot mo plist class pyc rake gemspec podspec lockb pid sock bak orig rej tmp sample example")
    .split(" "),
);

const BARE =
  /(?:^|[\\/])(?:\.[A-Za-z][\w.-]*|[A-Z][a-z]*file|LICENSE|README|AUTHORS|NOTICE|COPYING|CODEOWNERS)$/;

/** Paths of a list that is only shortened by leaving some out, where that is allowed. */
const LARGE = 2000;
/** Asked in this order. */
const WAYS = [readTree, readStat, readColumns, readPlain];

/** What was recognised: paths, which are read when they are needed, or a tree of packages. */
interface View {
  readonly read: () => PathsView | undefined;
  readonly packages: string | undefined;
}

/** What `find`, `ls`, `tree`, `du`, `wc`, `tar` and `git` print of files, and package managers of what depends on what. */
export const pathsKind: Kind<View> = {
  id: "paths",
  unit: "lines",
  fewestLines: 2,
  parse(text, hint) {
    if (hint.path === undefined && isDependencies(text)) {
      return { read: () => undefined, packages: text };
    }
    if (!isPaths(text, hint)) return undefined;
    let found: { readonly view: PathsView | undefined } | undefined;
    const read = () => (found ??= { view: readPaths(text, WAYS) }).view;
    return { read, packages: undefined };
  },
  fold: ({ read, packages }, { mayElide, countTokens }) => {
    if (packages !== undefined) return foldDependencies(packages, countTokens);
    const view = read();
    const isLarge = mayElide && (view?.count ?? 0) > LARGE;
    return view && !isLarge ? foldPaths(view, countTokens) : undefined;
  },
  elide: ({ read }, context) => {
    const view = read();
    return view && cutIds(view, context);
  },
  units: ({ read }, context) => {
    const view = read();
    return view && unitsOf(view, context);
  },
  label: ({ read }, gap) => {
    const view = read();
    return view === undefined ? "" : labelOf(view, gap);
  },
  polish: (text, { read }) => {
    const view = read();
    return view === undefined ? text : polish(text, view);
  },
};

/** Whether a bounded sample of the lines are paths of files, or what is printed beside them. */
function isPaths(text: string, { path }: ContentHint): boolean {
  if (path !== undefined && !mayList(path)) return false;
  const paths: string[] = [];
  const counts = { said: 0, beside: 0, other: 0 };
  for (const head of lineHeads(text, SAMPLE, WIDTH)) {
    const line = head.trimEnd();
    if (line === "") continue;
    const sort = sortOf(line);
    if (sort === "path") paths.push(line);
    else counts[sort]++;
    const isOver = counts.other >= ENOUGH_OTHERS &&
      counts.other > paths.length + counts.said;
    if (sort === "other" && isOver && !DRAWN.test(line)) return false;
  }
  const { said, beside, other: others } = counts;
  const listed = paths.length + said;
  const isClear = others <= MOST_OTHERS * (listed + beside);
  if (!isClear) return false;
  if (STATUS.test(text)) return listed > 0;
  if (listed < LEAST || beside > 2 * said + paths.length) return false;
  return said > paths.length || isOfFiles(paths);
}

function mayList(path: string): boolean {
  return LISTS.test(path) && !NO_LISTS.test(path);
}

/** What a line is: nothing but a path, a path with what is known of it, what is printed beside paths, or none of these. */
function sortOf(line: string): "path" | "said" | "beside" | "other" {
  const [, drawn] = DRAWN.exec(line) ?? [];
  if (drawn !== undefined) {
    return isPath(drawn) || / -> /.test(drawn) ? "said" : "other";
  }
  if (isStated(line) || SIZED.test(line)) return "said";
  if (isPath(line.replace(/^\t/, ""))) return "path";
  return BESIDE.test(line) ? "beside" : "other";
}

function isStated(line: string): boolean {
  const lead = STATE.exec(line)?.[0] ?? "";
  return lead !== "" && lead !== "\t" && line.length > lead.length;
}

function isPath(line: string): boolean {
  if (line.includes(" ")) return SPACED.test(line) && hasFileName(line);
  return ONE.test(line) && !isCall(line) && /\w/.test(line);
}

/** A call of code: brackets that hold a full stop or another bracket, or that end the line. O(line). */
function isCall(line: string): boolean {
  const open = line.indexOf("(");
  const close = line.lastIndexOf(")");
  const held = open < 0 || close < open ? "" : line.slice(open + 1, close);
  return OPEN_CALL.test(line) || /[.(]/.test(held);
}

/** Whether paths are those of files, not words, packages, branches or routes. */
function isOfFiles(paths: readonly string[]): boolean {
  const share = (passes: (path: string) => boolean) =>
    paths.filter(passes).length / paths.length;
  const named = share(hasFileName);
  if (share((path) => /[\\/]/.test(path)) < 0.5) return named >= 0.6;
  if (named >= 0.25) return true;
  if (share((path) => /^\.{0,2}\/|^[A-Za-z]:\\/.test(path)) >= 0.6) return true;
  const all = new Set(paths.map((path) => path.replace(/\/$/, "")));
  const above = (path: string) => path.replace(/\/?[^/]*\/?$/, "");
  return share((path) => all.has(above(path))) >= 0.6;
}

/** Whether a path ends with a name that only a file has. */
function hasFileName(path: string): boolean {
  const dot = path.lastIndexOf(".");
  if (dot > 0 && EXTENSIONS.has(path.slice(dot + 1).toLowerCase())) return true;
  return BARE.test(path);
}
