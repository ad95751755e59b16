/** What `svc --version` says: version, commit, and how this program was built. @module */
import { VERSION } from "./version.ts";

/** Facts about the build. */
export interface BuildInfo {
  /** Semantic version. */
  readonly version: string;
  /** Full hash of the commit; not there when it is not known. */
  readonly commit?: string;
  /** How it was built, as a person says it: `from source`, `self-extracting file`, `deno compile`. */
  readonly way: string;
  /** Absolute path of the self-extracting file that was started; only there when one was. */
  readonly file?: string;
  /** Address of the releases, when the build was given one. */
  readonly releases?: string;
  /** Directory of the runtime's caches, beside which that file has unpacked itself; only there with `file`. */
  readonly cache?: string;
}

/** Name of the global in which `scripts/compile.ts` leaves what it knows, on top of every module it starts. */
export const BUILD_FACTS = "svcBuild";

/** Characters of a commit that are shown. */
const SHORT_COMMIT = 12;

/**
 * Reads the facts that were put in by the build, else what the checkout says.
 *
 * Nothing is asked of the user and no program is run: where a file cannot be
 * read, the commit is left out.
 */
export function buildInfo(): BuildInfo {
  const facts = builtFacts();
  if (facts !== undefined) return { version: VERSION, ...facts };
  const { dirname } = import.meta;
  const commit = dirname === undefined
    ? undefined
    : commitOf(`${dirname}/..`, textOf);
  return {
    version: VERSION,
    ...commit !== undefined && { commit },
    way: "from source",
  };
}

/** Address of the releases; `undefined` from source and in a build that was given none. Reads nothing. */
export function releasesUrl(): string | undefined {
  return builtFacts()?.releases;
}

/** Absolute path of the self-extracting file that was started; `undefined` when none was. Reads nothing. */
export function startedFile(): string | undefined {
  return builtFacts()?.file;
}

/**
 * Variables that the runtime of a self-extracting file needs, and that nothing else that is started shall have.
 */
export function runtimeVariables(): Readonly<Record<string, string>> {
  const cache = builtFacts()?.cache;
  return cache === undefined ? {} : { DENO_DIR: cache };
}

/** What the build left here; `undefined` from source. */
function builtFacts(): Omit<BuildInfo, "version"> | undefined {
  return (globalThis as { [BUILD_FACTS]?: Omit<BuildInfo, "version"> })[
    BUILD_FACTS
  ];
}

/** One line for `svc --version`, e.g. `svc 1.2.3 (0123456789ab, from source)`. */
export function versionLine({ version, commit, way }: BuildInfo): string {
  const facts = [...commit ? [commit.slice(0, SHORT_COMMIT)] : [], way];
  return `svc ${version} (${facts.join(", ")})`;
}

/**
 * The commit that is checked out in a directory.
 *
 * @param root The directory in which `.git` is.
 * @param read Gives a file's text, `undefined` when it cannot be read.
 * @returns The full hash; `undefined` when the directory is no checkout or has no commit.
 */
export function commitOf(
  root: string,
  read: (path: string) => string | undefined,
): string | undefined {
  // In a worktree, `.git` is a file that names the directory.
  const named = lineOf(read(`${root}/.git`), "gitdir: ");
  const git = named === undefined
    ? `${root}/.git`
    : /^(\/|\w:)/.test(named)
    ? named
    : `${root}/${named}`;
  const head = read(`${git}/HEAD`)?.trim();
  if (head === undefined) return undefined;
  const ref = lineOf(head, "ref: ");
  if (ref === undefined) return hashIn(head);
  const common = read(`${git}/commondir`)?.trim();
  const shared = common === undefined
    ? git
    : common.startsWith("/")
    ? common
    : `${git}/${common}`;
  return hashIn(read(`${shared}/${ref}`)) ??
    hashIn(
      read(`${shared}/packed-refs`)?.split("\n")
        .find((line) => line.endsWith(` ${ref}`)),
    );
}

/** The rest of a text that starts so. */
function lineOf(text: string | undefined, start: string): string | undefined {
  return text?.startsWith(start) ? text.slice(start.length).trim() : undefined;
}

function hashIn(text: string | undefined): string | undefined {
  return /^[0-9a-f]{40,64}(?=\s|$)/.exec(text ?? "")?.[0];
}

function textOf(path: string): string | undefined {
  // Without `--no-prompt` the user would be asked, for something this small.
  const { state } = Deno.permissions.querySync({ name: "read", path });
  if (state !== "granted") return undefined;
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    const isMissing = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.PermissionDenied ||
      error instanceof Deno.errors.NotADirectory ||
      error instanceof Deno.errors.IsADirectory;
    if (isMissing) return undefined;
    throw error;
  }
}
