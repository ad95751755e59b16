/** A script that carries the program and its runtime, packed, and unpacks them on its first start. @module */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { quote } from "shell-quote";
import { concat } from "../../src/bytes/concat.ts";
import { VERSION } from "../../src/version.ts";
import { runProgram } from "./run_program.ts";
import { type Target, unameOf } from "./targets.ts";

/** What to pack. */
export interface SelfExtractingOptions {
  /** Directory with `app/`, the bundle; what is packed with it is put beside it. */
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

/** An archive with the program and the beginning of the runtime, and the runtime's end. */
export type Parts = readonly [first: Uint8Array, second: Uint8Array];

/** Keeps the runtime from looking around: all that it may load is in the file. */
const CLOSED = [
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--no-npm",
  "--cached-only",
];

const BYTES_PER_MEGABYTE = 1_000_000;

/** Of the runtime: what is unpacked with the program. The rest takes as long, at the same time. */
const FIRST_PART = 0.47;

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
  const runtime = await Deno.readFile(Deno.execPath());
  const cut = Math.floor(runtime.length * FIRST_PART);
  const begin = runtime.subarray(0, cut);
  await Deno.writeFile(join(directory, "deno"), begin);
  // Whatever the umask of who builds.
  await Deno.chmod(join(directory, "deno"), 0o755);
  const tar = join(directory, "program.tar");
  await runProgram({
    command: [
      ...["tar", "-cf", tar, "-C", directory, "--sort=name", "--mtime=@0"],
      ...["--owner=0", "--group=0", "--numeric-owner", "--mode=u+rwX,go-w"],
      ...["deno", "app"],
    ],
  });
  const parts: Parts = [await Deno.readFile(tar), runtime.subarray(cut)];
  const packed = await Promise.all([
    promisify(gzip)(parts[0], { level }),
    promisify(gzip)(parts[1], { level }),
  ]);
  const script = await Deno.readTextFile(
    new URL("./launcher.sh", import.meta.url),
  );
  return joined(script, packed, {
    VERSION,
    TARGET: target,
    KEY: keyOf(parts),
    FILES: String(modules.length + 1),
    UNAME: unameOf(target) ?? "",
    FLAGS: quote([...flags, ...CLOSED]),
    MEGABYTES: String(megabytesFor(parts)),
  });
}

/** What both parts need on disk: the second is there twice while it is put behind the first, the caches come later. */
function megabytesFor([first, second]: Parts): number {
  const more = Math.max(CACHE_BYTES, second.length);
  return Math.ceil((first.length + second.length + more) / BYTES_PER_MEGABYTE);
}

/** Name of the directory for what is unpacked from these parts. */
export function keyOf(parts: Parts): string {
  return sha256(concat(parts));
}

/** SHA-256, in hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * The script with its values, and both parts behind it, packed.
 *
 * @param script Text with `@NAME@` for every value; `@LINE@`, `@REST@` and `@SIZE@` are filled in here.
 * @throws {Error} If the script names a value that is not given.
 */
export function joined(
  script: string,
  packed: Parts,
  values: Readonly<Record<string, string>>,
): Uint8Array {
  const line = String(script.split("\n").length);
  const archive = concat(packed);
  let size = 0;
  // The number of digits of the size is part of the size.
  for (;;) {
    const all: Record<string, string> = {
      ...values,
      LINE: line,
      REST: String(packed[1].length),
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
    const file = [header, archive];
    if (header.length + archive.length === size) return concat(file);
    size = header.length + archive.length;
  }
}
