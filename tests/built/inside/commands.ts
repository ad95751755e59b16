/** Scenes about starting, and commands that end by themselves. */
import assert from "node:assert/strict";
import { runProgram } from "../../../scripts/compile/run_program.ts";
import { bareRun, type Ended, namesIn } from "../../bare_run.ts";
import { LOG } from "../../e2e/agent.ts";
import {
  assertVersion,
  cacheOfRuntime,
  makeWorld,
  VERSION_LINE,
} from "./world.ts";
import { tempDir } from "../../temp_dir.ts";

const REPOSITORY = new URL("../../../", import.meta.url).pathname;

/** The same texts give the same bytes and the same numbers as from source. */
export async function commands(file: string): Promise<void> {
  await using world = await makeWorld(file);
  const code = await Deno.readTextFile(`${REPOSITORY}src/services.ts`);
  for (
    const [name, input] of [["app.log", LOG], ["services.ts", code]] as const
  ) {
    const path = `${world.place}/${name}`;
    await Deno.writeTextFile(path, input);
    const built = await world.run(["compress", path]);
    const source = await fromSource(["compress", path], world.env);
    assert.deepEqual(said(built), said(source));
    assert.match(
      built.err,
      /\d+ -> \d+ tokens \(\d.*% saved, (log|source code)/,
    );
  }
  const demo = await world.run(["demo"]);
  assert.equal(demo.code, 0, demo.err);
  assert.match(
    demo.out,
    /Whole conversation: [\d,]+ -> [\d,]+ tokens, [\d,]+ saved/,
  );
  const doctor = await world.run(["doctor"]);
  assert.equal(doctor.code, 2, doctor.err);
  assert.match(doctor.out, /^fail {2}proxy /m);
  assert.match(doctor.out, /^\d+ passed, \d+ warnings?, 1 failed/m);
  const help = await world.run(["--help"]);
  assert.deepEqual(
    said(help),
    said(await fromSource(["--help"], world.env)),
  );
  const unknown = await world.run(["bogus"]);
  assert.deepEqual([unknown.code, unknown.out], [2, ""]);
}

function said({ code, out, err }: Ended) {
  return [code, out, err];
}

/** Svc as a checkout runs it, with the same environment. */
function fromSource(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return bareRun({
    command: [
      ...[Deno.execPath(), "run", "-A", "--no-prompt", "--no-check"],
      ...[`${REPOSITORY}main.ts`, ...args],
    ],
    env: { ...env, DENO_DIR: cacheOfRuntime() },
  });
}

/** From the directory into which it was built. */
export async function install(file: string): Promise<void> {
  await using world = await makeWorld(file, { isFresh: true });
  const out = await runProgram({
    command: [
      ...["sh", `${REPOSITORY}scripts/install.sh`],
      ...["--from", file.slice(0, file.lastIndexOf("/"))],
    ],
    env: { ...world.env },
  });
  const bin = `${world.home}/.local/bin`;
  assert.ok(out.startsWith(`Installed ${bin}/svc: svc `), out);
  assert.deepEqual(await namesIn(bin), ["svc"]);
  assert.deepEqual(await namesIn(world.home), [".cache", ".local"]);
  assert.deepEqual(await namesIn(`${world.place}/tmp`), []);
  assert.match(
    await runProgram({
      command: [`${bin}/svc`, "--version"],
      env: { ...world.env },
    }),
    VERSION_LINE,
  );
  // It is the same file: what the installer tried out is what runs.
  assertVersion(await world.run(["--version"]));
}

/** Nothing can be downloaded here. */
export async function targets(): Promise<void> {
  await using temp = await tempDir();
  const out = temp.path;
  for (
    const [target, message] of [
      [
        "aarch64-apple-darwin",
        /^error: Cannot build for aarch64-apple-darwin here: deno compile needs denort, .* or name the file in DENORT_BIN/m,
      ],
      ["vax", /^error: Cannot build for "vax": the targets are x86_64-/m],
    ] as const
  ) {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--no-prompt", "--no-check", "scripts/compile.ts"],
        ...["--quick", "--target", target, "--out", `${out}/dist`],
      ],
      cwd: REPOSITORY,
      env: { NO_COLOR: "1" },
      stdin: "null",
    }).output();
    assert.equal(code, 1);
    assert.match(new TextDecoder().decode(stderr), message);
  }
  assert.deepEqual(await namesIn(out), []);
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
