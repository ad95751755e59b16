/** A self-extracting file whose runtime is a script that says how it was started: small, so tests of it are quick. */
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { type BareRun, bareRun, type Ended } from "../../bare_run.ts";
import { joined, keyOf } from "../../../scripts/compile/self_extracting.ts";

/** Stands in for the runtime; `$1` of `svc` is what it does. */
const RUNTIME = `#!/bin/sh
[ "$1" = --version ] && exit
while [ "$1" != -- ]; do shift; done
main=$2; shift 2
case $1 in
args) shift; for arg; do printf '<%s>' "$arg"; done ;;
env) printf '%s|' "$SVC_FILE" "$DENO_DIR" "$SVC_OUTER_DENO_DIR" "$main" "$(umask)" "$$" ;;
input) cat ;;
hidden) printf "%s" "$HOME$DENO_SERVE_ADDRESS$DENO_TRUST_PROXY_HEADERS$OTEL_DENO$DENO_CERT" ;;
fail) echo failing >&2; exit 42 ;;
esac
exit
`;

/** What cannot be compressed: both parts shall be larger than a pipe. */
const NOISE_BYTES = 131_072;

/** Where it is, and a place of its own for everything else. */
export interface FakeFile extends AsyncDisposable {
  readonly path: string;
  /** Directory that is removed in the end. */
  readonly place: string;
  /** Directory that it unpacks into below a cache directory. */
  readonly key: string;
  readonly bytes: Uint8Array;
  /** Where in the bytes the second part begins. */
  readonly second: number;
  /** Runs it; nothing of this process's environment but `PATH` is there. */
  run(
    args: readonly string[],
    options?: Partial<BareRun> & { readonly path?: string },
  ): Promise<Ended>;
}

/** Packs a program that does little. */
export async function makeFakeFile(version = "1"): Promise<FakeFile> {
  const place = await Deno.realPath(await Deno.makeTempDir());
  const packed = `${place}/packed`;
  await Deno.mkdir(`${packed}/app/src`, { recursive: true });
  const runtime = new TextEncoder().encode(RUNTIME);
  const cut = runtime.length >> 1;
  const [begin, end] = [runtime.subarray(0, cut), runtime.subarray(cut)];
  await Deno.writeFile(`${packed}/deno`, begin, { mode: 0o755 });
  await Deno.writeTextFile(`${packed}/app/main.js`, `// ${version}\n`);
  for (const name of ["chunk", "src/a_worker", "src/b_worker"]) {
    await Deno.writeTextFile(`${packed}/app/${name}.js`, "");
  }
  await Deno.writeFile(`${packed}/app/noise`, randomBytes(NOISE_BYTES));
  const tar = await new Deno.Command("tar", {
    args: ["-cf", "-", "-C", packed, "deno", "app"],
  }).output();
  const script = await Deno.readTextFile(
    new URL("../../../scripts/compile/launcher.sh", import.meta.url),
  );
  const rest = new Uint8Array([...end, ...randomBytes(NOISE_BYTES)]);
  const key = keyOf([tar.stdout, rest]);
  const last = gzipSync(rest);
  const bytes = joined(script, [gzipSync(tar.stdout), last], {
    VERSION: version,
    TARGET: Deno.build.target,
    KEY: key,
    FILES: "5",
    UNAME: `Linux ${Deno.build.arch}`,
    FLAGS: "--",
    MEGABYTES: "110",
  });
  const path = `${place}/svc`;
  await Deno.writeFile(path, bytes, { mode: 0o755 });
  return {
    path,
    place,
    key,
    bytes,
    second: bytes.length - last.length,
    run: (args, { path: program = path, env, ...options } = {}) =>
      bareRun({
        ...options,
        command: [program, ...args],
        env: { PATH: Deno.env.get("PATH")!, ...env },
      }),
    [Symbol.asyncDispose]: () => Deno.remove(place, { recursive: true }),
  };
}
