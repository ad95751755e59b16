/** A script that carries the program and its runtime, packed, and unpacks them on its first start. @module */
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { VERSION } from "../../src/version.ts";
import { runProgram } from "./run_program.ts";
import { type Target, unameOf } from "./targets.ts";

/** What to pack. */
export interface SelfExtractingOptions {
  /** Directory with `app/`, the bundle; the runtime is put beside it. */
  readonly directory: string;
  /** Paths of the bundled modules below `app/`. */
  readonly modules: readonly string[];
  /** The machine this runtime is for. */
  readonly target: Target;
  /** Flags of `deno run`. */
  readonly flags: readonly string[];
  /** 1 for a quick build, 9 for a small file. */
  readonly level: number;
}

/** Keeps the runtime from looking around: all that it may load is in the file. */
const CLOSED = [
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--no-npm",
  "--cached-only",
];

const BYTES_PER_MEGABYTE = 1_000_000;

/** What svc's caches add to what is unpacked, generously: compiled code of the modules that were used. */
const CACHE_BYTES = 20 * BYTES_PER_MEGABYTE;

/**
 * Packs program and runtime.
 *
 * @returns The file's bytes. The same input gives the same bytes.
 * @throws {Error} If `tar` is missing or fails.
 */
export async function selfExtractingFile(
  { directory, modules, target, flags, level }: SelfExtractingOptions,
): Promise<Uint8Array> {
  const runtime = join(directory, "deno");
  await Deno.copyFile(Deno.execPath(), runtime);
  await Deno.chmod(runtime, 0o755);
  const tar = join(directory, "program.tar");
  await runProgram({
    command: [
      ...["tar", "-cf", tar, "-C", directory, "--sort=name", "--mtime=@0"],
      ...["--owner=0", "--group=0", "--numeric-owner", "--mode=u+rwX,go-w"],
      ...["deno", "app"],
    ],
  });
  const archive = await Deno.readFile(tar);
  const packed = gzipSync(archive, { level });
  const script = await Deno.readTextFile(
    new URL("./launcher.sh", import.meta.url),
  );
  return joined(script, packed, {
    VERSION,
    TARGET: target,
    KEY: await sha256(archive),
    FILES: String(modules.length + 1),
    UNAME: unameOf(target) ?? "",
    FLAGS: [...flags, ...CLOSED].map(quoted).join(" "),
    MEGABYTES: String(
      Math.ceil((archive.length + CACHE_BYTES) / BYTES_PER_MEGABYTE),
    ),
  });
}

/** SHA-256, in hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return new Uint8Array(hash).toHex();
}

/**
 * The script with its values, and the archive behind it.
 *
 * @param script Text with `@NAME@` for every value; `@LINE@` and `@SIZE@` are filled in here.
 * @throws {Error} If the script names a value that is not given.
 */
export function joined(
  script: string,
  archive: Uint8Array,
  values: Readonly<Record<string, string>>,
): Uint8Array {
  const line = String(script.split("\n").length);
  let size = 0;
  // The number of digits of the size is part of the size.
  for (;;) {
    const all: Record<string, string> = {
      ...values,
      LINE: line,
      SIZE: String(size),
    };
    const text = script.replace(/@([A-Z]+)@/g, (_, name: string) => {
      const value = all[name];
      if (value !== undefined) return value;
      throw new Error(
        `Cannot fill in launcher.sh: there is no value for ${name}`,
      );
    });
    const header = new TextEncoder().encode(text);
    if (header.length + archive.length === size) {
      const file = new Uint8Array(size);
      file.set(header);
      file.set(archive, header.length);
      return file;
    }
    size = header.length + archive.length;
  }
}

/** A word for the shell, as it stands where that is enough. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word)
    ? word
    : `'${word.replaceAll("'", "'\\''")}'`;
}
