/** The program itself: its file, and what that unpacked. @module */
import { isAbsolute, join } from "node:path";
import type { TextValues } from "../../settings/row.ts";
import {
  bytesBelow,
  entriesIn,
  entryAt,
  type Findings,
  joined,
  NO_FINDINGS,
  type PlacedItem,
  startOf,
} from "./disk.ts";

/** How the running program came here. */
export type ProgramForm =
  /** A file that unpacks itself. */
  | { readonly type: "self_extracting"; readonly file: string }
  /** An executable that holds the runtime. */
  | { readonly type: "executable"; readonly file: string }
  /** Sources; `undefined` when they were not loaded from a directory. */
  | { readonly type: "source"; readonly directory: string | undefined };

/** What is known of the program and of who runs it. */
export interface ProgramFacts {
  /** Its form. */
  readonly form: ProgramForm;
  /** Number of the present user; `null` where the system has none. */
  readonly userId: number | null;
}

/** Name of a directory with an unpacked program: the digest of what is in it. */
const KEY = /^[\da-f]{64}$/;
/** Name of one that is being unpacked. */
const UNFINISHED = /^\.new\.\w{6}(\.broken)?$/;
/** How the file that unpacks itself begins. */
const FILE_START = "#!/bin/sh\n# svc ";

/** Finds every unpacked version, and the file of the running one. */
export async function programItems(
  env: TextValues,
  facts: ProgramFacts,
): Promise<Findings> {
  const roots = cacheRoots(env, facts.userId);
  const unpacked = await Promise.all(
    roots.map((root) => unpackedIn(root, facts.userId)),
  );
  return joined([
    ...unpacked,
    await installedFile(env, facts.form),
    await fileOf(facts.form),
  ]);
}

/** The file where the installer puts it, if another one is running. */
async function installedFile(
  { HOME: home }: TextValues,
  form: ProgramForm,
): Promise<Findings> {
  if (!home) return NO_FINDINGS;
  const file = join(home, ".local/bin/svc");
  if (form.type !== "source" && form.file === file) return NO_FINDINGS;
  const { items } = await fileOf({ type: "self_extracting", file });
  return { ...NO_FINDINGS, items };
}

/** Directories in which a file unpacks itself; it may have been started with fewer variables than this command. */
function cacheRoots(env: TextValues, userId: number | null): string[] {
  const home = env.HOME && join(env.HOME, ".cache");
  const caches = [env.XDG_CACHE_HOME, home].filter(isPlace)
    .map((cache) => join(cache, "svc"));
  const spare = isPlace(env.TMPDIR) ? env.TMPDIR : "/tmp";
  const spares = userId === null ? [] : [join(spare, `svc-${userId}`)];
  return [...new Set([...caches, ...spares])];
}

function isPlace(path: string | undefined): path is string {
  return path !== undefined && isAbsolute(path);
}

/** In a place that all may write to, what is not the user's own was not put there by this svc. */
async function unpackedIn(
  root: string,
  userId: number | null,
): Promise<Findings> {
  const self = await entryAt(root, "");
  if (self?.kind !== "directory" || self.owner !== userId) return NO_FINDINGS;
  const items: PlacedItem[] = [];
  for (const { path, name, kind } of await entriesIn(root)) {
    if (kind !== "directory") continue;
    const isWhole = KEY.test(name) &&
      (await entryAt(path, "app/main.js"))?.kind === "file";
    if (!isWhole && !UNFINISHED.test(name)) continue;
    const what = isWhole ? "unpacked program" : "unpacked in part";
    const bytes = await bytesBelow(path);
    items.push({ what, shown: path, paths: [path], isTree: true, bytes });
  }
  const own = items.map(({ shown }) => shown);
  const staying = (await entriesIn(root))
    .filter(({ path }) => !own.includes(path))
    .map(({ path }) => ({ path, why: "not made by svc" }));
  return { items, staying, directories: [root] };
}

async function fileOf(form: ProgramForm): Promise<Findings> {
  if (form.type === "source") return sourceOf(form.directory);
  const { file } = form;
  const entry = await entryAt(file, "");
  if (entry === undefined) return NO_FINDINGS;
  const isOurs = entry.kind === "file" &&
    (form.type === "executable" ||
      (await startOf(file, FILE_START.length)) === FILE_START);
  if (!isOurs) {
    const why = entry.kind === "link"
      ? "a link to the program: remove both yourself"
      : "not the program any more";
    return { ...NO_FINDINGS, staying: [{ path: file, why }] };
  }
  const item = { what: "the program", shown: file, paths: [file] };
  return { ...NO_FINDINGS, items: [{ ...item, bytes: entry.bytes }] };
}

function sourceOf(directory: string | undefined): Findings {
  if (directory === undefined) return NO_FINDINGS;
  const why = "the sources that svc runs from, which are yours";
  return { ...NO_FINDINGS, staying: [{ path: directory, why }] };
}
