/** Scenes about what happens before the program runs. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { sha256 } from "../../../scripts/compile/self_extracting.ts";
import { namesIn } from "../../bare_run.ts";
import { assertVersion, makeWorld } from "./world.ts";

/** Eight at once, in a home where nothing is yet. */
export async function first_starts(file: string): Promise<void> {
  await using world = await makeWorld(file, { isFresh: true });
  const runs = await Promise.all(
    Array.from({ length: 8 }, () => world.run(["--version"])),
  );
  runs.forEach(assertVersion);
  const cache = `${world.home}/.cache/svc`;
  assert.equal((await namesIn(cache)).length, 1);
  assert.deepEqual(await namesIn(world.home), [".cache"]);
  assert.deepEqual(await namesIn(`${world.place}/tmp`), []);
}

/** Everything but the place for temporary files is mounted read-only. */
export async function unwritable(file: string): Promise<void> {
  await using world = await makeWorld(file, { isFresh: true });
  const { home, place } = world;
  const mounts = [home, `${place}/bin`].flatMap((path) => [
    `mount --bind '${path}' '${path}'`,
    `mount -o remount,bind,ro '${path}'`,
  ]);
  const first = await world.run(["--version"], { mounts });
  const [spare] = await namesIn(`${place}/tmp`);
  const [key] = await namesIn(`${place}/tmp/${spare}`);
  assert.equal(
    first.err,
    `svc: Unpacked into ${place}/tmp/${spare}/${key}, because ${home}/.cache/svc cannot be used\n`,
  );
  assertVersion({ ...first, err: "" });
  assertVersion(await world.run(["--version"], { mounts }));
  const input = "line of a text\n".repeat(3);
  const compressed = await world.run(["compress"], { mounts, input });
  assert.deepEqual([compressed.code, compressed.out], [0, input]);
  assert.deepEqual(await namesIn(home), []);
  assert.deepEqual(await namesIn(`${place}/bin`), ["svc"]);
}

/** Half of it came. */
export async function cut_off(file: string): Promise<void> {
  await using world = await makeWorld(file, { isFresh: true });
  const { size } = await Deno.stat(world.file);
  await Deno.truncate(world.file, size >> 1);
  const { code, out, err } = await world.run(["--version"]);
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /^svc: Cannot start: .* bytes instead of \d+, .*again\n$/);
  assert.deepEqual(await namesIn(world.home), []);
  assert.deepEqual(await namesIn(`${world.place}/tmp`), []);
}

/** As `sha256sum --check` reads it. */
export async function checksum(file: string): Promise<void> {
  const { success, stdout } = await new Deno.Command("sha256sum", {
    args: ["--check", `${file}.sha256`],
    cwd: dirname(file),
  }).output();
  assert.deepEqual(
    [success, new TextDecoder().decode(stdout)],
    [true, "svc: OK\n"],
  );
  const sum = sha256(await Deno.readFile(file));
  const text = await Deno.readTextFile(`${file}.sha256`);
  assert.equal(text, `${sum}  svc\n`);
}

/** What it is. */
export async function version(file: string): Promise<void> {
  await using world = await makeWorld(file);
  assertVersion(await world.run(["--version"]));
}
