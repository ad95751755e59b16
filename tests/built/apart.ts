/**
 * Scenes with the built file: each runs in a namespace that has no network but its own loopback, and the file in
 * a further one that has neither the repository nor the runtime's caches.
 */
import assert from "node:assert/strict";
import { builtFile } from "./built_file.ts";
import { SHARED_CACHE } from "./inside/world.ts";

/** A network of its own, files of its own, and the right to mount; its root is whoever started it. */
const APART = ["-rnm"];

const reason = whyNot();
// deno-lint-ignore no-console
if (reason) console.log(`tests of the built file are skipped: ${reason}`);

/** Registers a scene: the name of a module in `inside/` and the name of its function. */
export function testApart(
  scene: readonly [module: string, name: string],
  name: string,
): void {
  Deno.test({
    name: `the built file ${name}`,
    ignore: reason !== undefined,
    fn: () => playApart(scene),
  });
}

async function playApart(scene: readonly string[]): Promise<void> {
  const { path, cache } = await builtFile();
  const stage = new URL("./inside/stage.ts", import.meta.url).pathname;
  const command = [
    ...[Deno.execPath(), "run", "-A", "--no-prompt", "--no-check", stage],
    ...[...scene, path],
  ];
  const { code, stdout, stderr } = await new Deno.Command("unshare", {
    args: [
      ...[...APART, "sh", "-c", 'ip link set lo up && exec "$@"', "sh"],
      ...command,
    ],
    env: {
      NO_COLOR: "1",
      DENO_NO_UPDATE_CHECK: "1",
      [SHARED_CACHE]: cache,
    },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  assert.equal(code, 0, decoder.decode(stdout) + decoder.decode(stderr));
}

/** Why such a namespace cannot be made here; `undefined` when it can. */
function whyNot(): string | undefined {
  if (Deno.build.os !== "linux") return "they need Linux";
  try {
    const { success, stderr } = new Deno.Command("unshare", {
      args: [
        ...APART,
        "sh",
        "-c",
        "ip link set lo up && mount -t tmpfs x /mnt",
      ],
    }).outputSync();
    return success ? undefined : new TextDecoder().decode(stderr).trim();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return "there is no unshare";
  }
}
