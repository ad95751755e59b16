import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { runProgram } from "../../../scripts/compile/run_program.ts";
import { namesIn } from "../../bare_run.ts";
import { type FakeFile, makeFakeFile } from "./fake_file.ts";

/** Runs where such a file can be run. */
function test(name: string, body: () => Promise<void>): void {
  const ignore = Deno.build.os !== "linux";
  Deno.test({ name: `launcher.sh ${name}`, ignore, fn: body });
}

/** Programs that the script needs. */
const TOOLS = [
  ...["cat", "find", "grep", "gzip", "head", "id", "ls", "mkdir", "mktemp"],
  ...["mv", "rm", "tail", "tar", "uname", "wc"],
];

/** A directory with the programs that the script needs, and no others. */
async function toolsBelow(place: string): Promise<string> {
  const tools = `${place}/tools`;
  await Deno.mkdir(tools);
  for (const name of TOOLS) {
    const path = ["/bin", "/usr/bin"].map((bin) => `${bin}/${name}`)
      .find(existsSync);
    await Deno.symlink(path!, `${tools}/${name}`);
  }
  return tools;
}

/** Whether `gzip` is started to unpack the first part, whose receiver is `tar`, or the second. */
const IS_FIRST = "[ $1 = -dc ] && [ -p /dev/stdout ]";
const IS_SECOND = "[ $1 = -dc ] && [ -f /dev/stdout ]";

/** A search path on which one program is a script; `$real` is the program, which is run when the script goes on. */
async function pathWith(
  place: string,
  tool: string,
  script: string,
): Promise<string> {
  const path = Deno.env.get("PATH")!;
  const real = path.split(":").map((bin) => `${bin}/${tool}`).find(existsSync)!;
  const bin = await Deno.makeTempDir({ dir: place });
  const text = `#!/bin/sh\nreal=${real}\n${script}\nexec "$real" "$@"\n`;
  await Deno.writeTextFile(`${bin}/${tool}`, text, { mode: 0o755 });
  return `${bin}:${path}`;
}

/** Whether something was unpacked below a cache directory, or began to be. */
async function isUnpacked(cache: string): Promise<boolean> {
  return existsSync(`${cache}/svc`) &&
    (await namesIn(`${cache}/svc`)).length > 0;
}

const homeOf = (file: FakeFile) => ({ HOME: `${file.place}/home` });

test("unpacks once and passes arguments, input, output and exit code on", async () => {
  await using file = await makeFakeFile();
  const env = homeOf(file);
  const words = ["", "a b", "*", "$HOME", "'\"`\\", "-n", "line\nbreak", "ü"];
  const expected = words.map((word) => `<${word}>`).join("");
  const main = `${env.HOME}/.cache/svc/${file.key}/app/main.js`;
  for (const _ of ["first", "second"]) {
    const { code, out, err } = await file.run(["args", ...words], { env });
    assert.deepEqual([code, out, err], [0, expected, ""]);
    // Who unpacks again has another file there.
    await Deno.utime(main, 1, 1);
  }
  assert.equal((await Deno.stat(main)).mtime?.getTime(), 1000);
  const input = "x".repeat(100_000);
  assert.equal((await file.run(["input"], { env, input })).out, input);
  const failed = await file.run(["fail"], { env });
  assert.deepEqual([failed.code, failed.err], [42, "failing\n"]);
});

test("becomes the program: same process, umask, and the file's own path however it was named", async () => {
  await using file = await makeFakeFile();
  const env = { ...homeOf(file), DENO_DIR: "/user's own" };
  const home = `${env.HOME}/.cache/svc/${file.key}`;
  const cwd = file.place;
  const PATH = `${file.place}:${Deno.env.get("PATH")}`;
  const mask = Deno.umask().toString(8).padStart(4, "0");
  const runs = [
    await file.run(["env"], { env }),
    await file.run(["env"], { env, cwd, path: "./svc" }),
    await file.run(["svc", "env"], { env, cwd, path: "/bin/sh" }),
    await file.run(["-c", "exec svc env"], {
      env: { ...env, PATH },
      path: "/bin/sh",
    }),
  ];
  for (const { out, pid } of runs) {
    const cache = `${home}/cache`;
    assert.deepEqual(out.split("|").slice(0, -1), [
      ...[file.path, cache, env.DENO_DIR, `${home}/app/main.js`],
      ...[mask, String(pid)],
    ]);
  }
});

test("keeps what would change the runtime's doing from it, and leaves the rest", async () => {
  await using file = await makeFakeFile();
  const env = {
    HOME: "/dev/null",
    XDG_CACHE_HOME: `${file.place}/cache`,
    DENO_SERVE_ADDRESS: "tcp:0.0.0.0:80",
    DENO_TRUST_PROXY_HEADERS: "1",
    OTEL_DENO: "true",
    DENO_CERT: "/ca.pem",
  };
  assert.equal((await file.run(["hidden"], { env })).out, "/ca.pem");
  const absent = { ...env, HOME: "/absent" };
  const { out } = await file.run(["hidden"], { env: absent });
  assert.equal(out, "/absent/ca.pem");
});

test("takes nothing for whole that did not fit on the disk", async () => {
  await using file = await makeFakeFile();
  const TMPDIR = `${file.place}/tmp`;
  await Deno.mkdir(TMPDIR);
  const cases: [string, string][] = [
    // Every file is there, the last ones are empty, and tar says so in the end.
    ["tar", '"$real" "$@"; : >"$4/app/main.js"; exit 2'],
    // A part ends early, or is there and has another checksum.
    ["gzip", `${IS_FIRST} && { "$real" "$@" | head -c 9999; exit 1; }`],
    ["gzip", `${IS_FIRST} && { "$real" "$@"; exit 1; }`],
    ["gzip", `${IS_SECOND} && { "$real" "$@" | head -c 9999; exit 1; }`],
    ["gzip", `${IS_SECOND} && { "$real" "$@"; exit 1; }`],
    // There is no room for the second part behind the first.
    ["cat", 'head -c 9999 "$1"; exit 1'],
  ];
  for (const [tool, script] of cases) {
    const PATH = await pathWith(file.place, tool, script);
    const env = { ...homeOf(file), TMPDIR, PATH };
    const { code, out, err } = await file.run(["args"], { env });
    assert.deepEqual([code, out], [1, ""], script);
    assert.match(err, /^svc: Cannot unpack into .*: svc needs 110 MB there/);
    assert.equal(await isUnpacked(`${env.HOME}/.cache`), false, script);
    assert.deepEqual(await namesIn(`${TMPDIR}/svc-${Deno.uid()}`), [], script);
  }
});

test("leaves nothing, and nobody, when a signal ends it while either part is unpacked", async () => {
  await using file = await makeFakeFile();
  const env = homeOf(file);
  const cache = `${env.HOME}/.cache/svc`;
  const pipe = `${file.place}/pipe`;
  await runProgram({ command: ["mkfifo", pipe] });
  for (const [one, other] of [[IS_FIRST, IS_SECOND], [IS_SECOND, IS_FIRST]]) {
    const script = [
      `${one} && { echo >'${pipe}'; exec sleep 600; }`,
      // To all that were started together with this one.
      `${other} && { head -c 9999 /dev/zero; read -r _ <'${pipe}'; kill -TERM 0; exec sleep 600; }`,
    ].join("\n");
    const PATH = await pathWith(file.place, "gzip", script);
    const { code, out } = await file.run([file.path, "args"], {
      path: "setsid",
      env: { ...env, PATH },
    });
    assert.deepEqual([code, out], [143, ""]);
    assert.deepEqual(await namesIn(cache), []);
    // Everybody who unpacks has the lock, until the signal has reached all of them.
    await runProgram({ command: ["flock", "-w", "60", cache, "true"] });
  }
  assert.equal((await file.run(["args", "x"], { env })).out, "<x>");
});

test("makes one directory when eight are started at once, also without flock", async () => {
  await using file = await makeFakeFile();
  const tools = await toolsBelow(file.place);
  for (const [i, env] of [{}, { PATH: tools }].entries()) {
    const HOME = `${file.place}/home${i}`;
    const runs = await Promise.all(
      Array.from(
        { length: 8 },
        (_, i) => file.run(["args", `${i}`], { env: { HOME, ...env } }),
      ),
    );
    assert.deepEqual(
      runs.map(({ code, out, err }) => [code, out, err]),
      runs.map((_, i) => [0, `<${i}>`, ""]),
    );
    const cache = `${HOME}/.cache/svc`;
    assert.deepEqual(await namesIn(cache), [file.key]);
    assert.deepEqual(
      await namesIn(`${cache}/${file.key}`),
      ["app", "deno", "used"],
    );
  }
});

test("says what is wrong with a file that is cut off or damaged, and leaves nothing", async () => {
  await using file = await makeFakeFile();
  const { bytes: { length }, path, second } = file;
  const inFirst = second >> 1;
  const inSecond = (second + length) >> 1;
  const cases: [Uint8Array, string][] = [];
  for (const size of [inFirst, second, inSecond, length - 1]) {
    cases.push([
      file.bytes.subarray(0, size),
      `svc: Cannot start: ${path} has ${size} bytes instead of ${length}, so it was not copied as a whole; get it again\n`,
    ]);
  }
  // The ends of both parts have their checksums and sizes.
  for (
    const at of [inFirst, second - 8, second, inSecond, length - 8, length - 1]
  ) {
    const damaged = file.bytes.slice();
    damaged[at]! ^= 1;
    cases.push([
      damaged,
      `svc: Cannot start: ${path} is damaged; get it again\n`,
    ]);
  }
  const env = { ...homeOf(file), TMPDIR: file.place };
  const before = await namesIn(file.place);
  for (const [bytes, message] of cases) {
    await Deno.writeFile(file.path, bytes);
    const { code, out, err } = await file.run(["args"], { env });
    assert.deepEqual([code, out, err], [1, "", message]);
    assert.equal(await isUnpacked(`${env.HOME}/.cache`), false);
    const after = (await namesIn(file.place)).filter((name) => name !== "home");
    assert.deepEqual(after, before);
  }
});

test("takes XDG_CACHE_HOME, and not a relative one", async () => {
  await using file = await makeFakeFile();
  const xdg = `${file.place}/x d g`;
  await file.run(["args"], { env: { ...homeOf(file), XDG_CACHE_HOME: xdg } });
  assert.deepEqual(await namesIn(`${xdg}/svc`), [file.key]);
  const env = { ...homeOf(file), XDG_CACHE_HOME: "relative" };
  await file.run(["args"], { env, cwd: file.place });
  assert.deepEqual(await namesIn(`${env.HOME}/.cache/svc`), [file.key]);
  assert.ok(!(await namesIn(file.place)).includes("relative"));
});

test("uses a private directory below TMPDIR without a home that can be written, and says so once", async () => {
  await using file = await makeFakeFile();
  const blocked = `${file.path}/home`;
  const cases = [
    { env: { HOME: blocked }, what: `${blocked}/.cache/svc` },
    { env: {}, what: "a home directory" },
  ];
  for (const [i, { env: { HOME }, what }] of cases.entries()) {
    const TMPDIR = `${file.place}/tmp${i}`;
    await Deno.mkdir(TMPDIR);
    // What is made in there gets its group and this bit.
    await Deno.chmod(TMPDIR, 0o2755);
    const env = { TMPDIR, ...HOME !== undefined && { HOME } };
    const spare = `${TMPDIR}/svc-${Deno.uid()}`;
    const first = await file.run(["args", "1"], { env });
    assert.deepEqual([first.code, first.out], [0, "<1>"]);
    assert.equal(
      first.err,
      `svc: Unpacked into ${spare}/${file.key}, because ${what} cannot be used\n`,
    );
    assert.equal((await Deno.stat(spare)).mode! & 0o777, 0o700);
    assert.equal((await Deno.stat(TMPDIR)).mode! & 0o2000, 0o2000);
    const second = await file.run(["args", "2"], { env });
    assert.deepEqual([second.code, second.out, second.err], [0, "<2>", ""]);
  }
});

test("runs nothing from a directory below TMPDIR that others can have made", async () => {
  await using file = await makeFakeFile();
  const TMPDIR = `${file.place}/tmp`;
  const spare = `${TMPDIR}/svc-${Deno.uid()}`;
  await Deno.mkdir(spare, { recursive: true });
  const planted = `${file.place}/planted`;
  // What is there looks whole.
  const HOME = `${file.place}/home`;
  await file.run(["args"], { env: { HOME } });
  await Deno.rename(`${HOME}/.cache/svc`, planted);
  const refused = async (why: string) => {
    const { code, out, err } = await file.run(["args"], { env: { TMPDIR } });
    assert.deepEqual([code, out], [1, ""], why);
    assert.equal(
      err,
      `svc: Cannot unpack into ${spare}: must be a directory that only you may read and write; set TMPDIR or XDG_CACHE_HOME to one\n`,
    );
  };
  await Deno.remove(spare);
  await Deno.symlink(planted, spare);
  await refused("a link");
  await Deno.remove(spare);
  await Deno.rename(planted, spare);
  await Deno.chmod(spare, 0o755);
  await refused("open to others");
  if (Deno.uid() !== 0) return;
  const NOBODY = 65_534;
  await Deno.chmod(spare, 0o700);
  await Deno.chown(spare, NOBODY, NOBODY);
  await refused("somebody else's");
});

test("unpacks anew what is not whole", async () => {
  await using file = await makeFakeFile();
  const env = homeOf(file);
  const home = `${env.HOME}/.cache/svc/${file.key}`;
  for (const lost of ["deno", "app/chunk.js", "app/src/a_worker.js", "app"]) {
    await file.run(["args"], { env });
    await Deno.remove(`${home}/${lost}`, { recursive: true });
    const { code, out, err } = await file.run(["args", "x"], { env });
    assert.deepEqual([code, out, err], [0, "<x>", ""]);
    assert.ok(await Deno.stat(`${home}/${lost}`));
    assert.deepEqual(await namesIn(`${env.HOME}/.cache/svc`), [file.key]);
  }
});

test("removes versions and remains that nobody uses any more, and nothing else", async () => {
  await using file = await makeFakeFile();
  const env = homeOf(file);
  const cache = `${env.HOME}/.cache/svc`;
  // Running programs have their real paths.
  await Deno.mkdir(`${file.place}/elsewhere`);
  await Deno.mkdir(env.HOME);
  await Deno.symlink(`${file.place}/elsewhere`, `${env.HOME}/.cache`);
  const day = 24 * 60 * 60 * 1000;
  const old = new Date(Date.now() - 30 * day);
  const young = new Date(Date.now() - 10 * day);
  const make = async (name: string, used: Date) => {
    await Deno.mkdir(`${cache}/${name}/app`, { recursive: true });
    await Deno.writeTextFile(`${cache}/${name}/app/main.js`, "");
    await Deno.writeTextFile(`${cache}/${name}/used`, "");
    await Deno.utime(`${cache}/${name}/used`, used, used);
    return `${cache}/${name}`;
  };
  await make("old", old);
  await make("young", young);
  await Deno.copyFile("/bin/sleep", `${await make("running", old)}/deno`);
  await Deno.mkdir(`${cache}/foreign`);
  await Deno.mkdir(`${cache}/.new.crashed`);
  await Deno.utime(`${cache}/.new.crashed`, old, old);
  await Deno.mkdir(`${cache}/.new.busy`);
  const sleeper = new Deno.Command(`${cache}/running/deno`, { args: ["60"] })
    .spawn();
  try {
    assert.equal((await file.run(["args"], { env })).code, 0);
  } finally {
    sleeper.kill("SIGKILL");
    await sleeper.status;
  }
  assert.deepEqual(
    await namesIn(cache),
    [".new.busy", file.key, "foreign", "running", "young"].sort(),
  );
});

test("says which machine it is for, on another", async () => {
  await using file = await makeFakeFile();
  const other = new TextDecoder("latin1").decode(file.bytes)
    .replace(`= "Linux ${Deno.build.arch}"`, '= "Plan9 mips"');
  const bytes = Uint8Array.from(other, (letter) => letter.charCodeAt(0));
  await Deno.writeFile(file.path, bytes);
  const { code, err } = await file.run(["args"], { env: homeOf(file) });
  assert.equal(code, 1);
  assert.match(err, /^svc: Cannot start on Linux \w+: this file is for Linux/);
});
