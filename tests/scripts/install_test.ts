import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { bareRun, type Ended, namesIn } from "../bare_run.ts";

const SCRIPT = new URL("../../scripts/install.sh", import.meta.url).pathname;

/** Name of this machine's kind in release files. */
const NAME = `svc-${Deno.build.target}`;

/** What stands in for the program. */
const PROGRAM = "#!/bin/sh\n# svc 1.2.3\necho svc 1.2.3\n";

/** How an older version begins. */
const OLDER = "#!/bin/sh\n# svc 0.0.1 for this machine\n";

interface Place extends AsyncDisposable {
  readonly path: string;
  /** Writes a release: the program and its checksum. */
  release(directory: string, options?: Release): Promise<string>;
  /** Runs the script, or a copy of it, with these variables. */
  run(args: readonly string[], options?: Options): Promise<Ended>;
}

type Options = Readonly<Record<string, string>> & {
  readonly script?: string;
  readonly cwd?: string;
};

interface Release {
  readonly name?: string;
  readonly program?: string;
  readonly sum?: string;
}

async function place(): Promise<Place> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  return {
    path,
    async release(directory, { name = NAME, program = PROGRAM, sum } = {}) {
      const target = `${path}/${directory}`;
      await Deno.mkdir(target, { recursive: true });
      await Deno.writeTextFile(`${target}/${name}`, program);
      const bytes = new TextEncoder().encode(program);
      const hash = await crypto.subtle.digest("SHA-256", bytes);
      const hex = sum ?? new Uint8Array(hash).toHex();
      await Deno.writeTextFile(
        `${target}/${name}.sha256`,
        `${hex}  ${name}\n`,
      );
      return target;
    },
    run: (args, { script = SCRIPT, cwd = path, ...env } = {}) =>
      bareRun({
        command: ["/bin/sh", script, ...args],
        cwd,
        env: { PATH: Deno.env.get("PATH")!, HOME: `${path}/home`, ...env },
      }),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/** Runs where the script can be run. */
function test(name: string, body: () => Promise<void>): void {
  const ignore = !["linux", "darwin"].includes(Deno.build.os);
  Deno.test({ name: `install.sh ${name}`, ignore, fn: body });
}

test("installs from a directory into ~/.local/bin, and says what it did and what comes next", async () => {
  await using here = await place();
  const from = await here.release("files");
  const bin = `${here.path}/home/.local/bin`;
  const { code, out, err } = await here.run(["--from", from]);
  assert.deepEqual([code, err], [0, ""]);
  assert.equal(
    out,
    `Installed ${bin}/svc: svc 1.2.3, checksum verified.
Start it:  ${bin}/svc proxy
To run it as svc, add this line to ~/.profile:  export PATH="${bin}:$PATH"
Remove it: svc uninstall
`,
  );
  assert.deepEqual(await namesIn(bin), ["svc"]);
  const file = await Deno.stat(`${bin}/svc`);
  assert.equal(file.mode! & 0o777, 0o755);
});

test("installs what one built, to a relative directory in PATH, over an older one", async () => {
  await using here = await place();
  await here.release("dist", { name: "svc" });
  const bin = `${here.path}/my bin`;
  await Deno.mkdir(bin);
  await Deno.writeTextFile(`${bin}/svc`, OLDER);
  const PATH = `${bin}:${Deno.env.get("PATH")}`;
  const args = ["--from", "dist", "--to", "my bin"];
  const { code, out } = await here.run(args, { PATH });
  assert.equal(code, 0);
  assert.match(out, /^Start it: {2}svc proxy$/m);
  assert.doesNotMatch(out, /\.profile|comes first/);
  assert.equal(await Deno.readTextFile(`${bin}/svc`), PROGRAM);
});

test("installs what was built in its checkout when it knows no releases, from anywhere", async () => {
  await using here = await place();
  await Deno.mkdir(`${here.path}/checkout/scripts`, { recursive: true });
  await Deno.copyFile(SCRIPT, `${here.path}/checkout/scripts/install.sh`);
  const script = "checkout/scripts/install.sh";
  const early = await here.run([], { script });
  assert.equal(early.code, 1);
  assert.match(
    early.err,
    /Cannot find a built svc: run `npx --yes deno@\S+ task compile` in the che/,
  );
  await here.release("checkout/dist", { name: "svc" });
  const { code, out } = await here.run([], { script });
  assert.equal(code, 0);
  assert.match(
    out,
    /^Installed .*\/home\/.local\/bin\/svc: svc 1\.2\.3, check/,
  );
  const inside = `${here.path}/checkout/scripts`;
  const again = await here.run([], { script: "install.sh", cwd: inside });
  assert.equal(again.code, 0);
});

test("downloads the newest release, or the one that is named", async () => {
  await using here = await place();
  await here.release("latest/download");
  await here.release("download/v1.0.0", {
    program: "#!/bin/sh\n# svc 1\necho old\n",
  });
  const asked: string[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      try {
        return new Response(await Deno.readFile(`${here.path}${pathname}`));
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
        return new Response(null, { status: 404 });
      }
    },
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  const env = { SVC_RELEASES_URL: `${url}/` };
  assert.match((await here.run([], env)).out, /svc 1\.2\.3, checksum/);
  for (const version of ["1.0.0", "v1.0.0"]) {
    const { out } = await here.run(["--version", version], env);
    assert.match(out, /: old, checksum verified/);
  }
  assert.deepEqual(asked.slice(0, 2), [
    `/latest/download/${NAME}.sha256`,
    `/latest/download/${NAME}`,
  ]);
  const { code, err } = await here.run(["--version", "9"], env);
  assert.equal(code, 1);
  assert.match(
    err,
    new RegExp(`\ninstall.sh: Cannot get ${url}/download/v9/${NAME}.sha256\n$`),
  );
});

test("installs nothing that has another checksum or does not run, and keeps what was there", async () => {
  await using here = await place();
  const bin = `${here.path}/bin`;
  await Deno.mkdir(bin);
  await Deno.writeTextFile(`${bin}/svc`, OLDER);
  const cases: [Release, RegExp][] = [
    [{ sum: "0".repeat(64) }, /its SHA-256 is \w{64}, and .* says 0{64}; noth/],
    [{ sum: "" }, /Cannot trust/],
    [{ program: "#!/bin/sh\nexit 3\n" }, /Cannot run .* nothing was installed/],
  ];
  for (const [release, message] of cases) {
    const from = await here.release("files", release);
    const { code, out, err } = await here.run(["--from", from, "--to", bin]);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, message);
    assert.deepEqual(await namesIn(bin), ["svc"]);
    assert.equal(await Deno.readTextFile(`${bin}/svc`), OLDER);
  }
});

test("overwrites no other program that is called svc", async () => {
  await using here = await place();
  const from = await here.release("files");
  const bin = `${here.path}/bin`;
  await Deno.mkdir(bin);
  await Deno.writeTextFile(`${bin}/svc`, "#!/bin/sh\necho services\n");
  const { code, err } = await here.run(["--from", from, "--to", bin]);
  assert.equal(code, 1);
  assert.match(err, /bin\/svc: that is another program of this name; remove/);
  assert.deepEqual(await namesIn(bin), ["svc"]);
  assert.match(await Deno.readTextFile(`${bin}/svc`), /services/);
  // An executable has no first line; the build's facts are in its text.
  await Deno.writeTextFile(`${bin}/svc`, "\x7fELF\0globalThis.svcBuild={");
  assert.equal((await here.run(["--from", from, "--to", bin])).code, 0);
});

test("installs nothing where a checksum cannot be made, or others could change it on its way", async () => {
  await using here = await place();
  const from = await here.release("files");
  await Deno.writeTextFile(`${from}/${NAME}.sha256`, "");
  const tools = `${here.path}/tools`;
  await Deno.mkdir(tools);
  for (
    const name of ["chmod", "cp", "cut", "mkdir", "mktemp", "mv", "rm", "uname"]
  ) {
    const [path] = ["/bin", "/usr/bin"].map((bin) => `${bin}/${name}`)
      .filter((path) => existsSync(path));
    await Deno.symlink(path!, `${tools}/${name}`);
  }
  const blind = await here.run(["--from", from], { PATH: tools });
  assert.deepEqual([blind.code, blind.out], [1, ""]);
  assert.match(
    blind.err,
    /needs sha256sum or shasum; nothing was installed\n$/,
  );
  const open = await here.run(["--from", "http://releases.example.com"]);
  assert.deepEqual([open.code, open.out], [1, ""]);
  assert.match(open.err, /Cannot trust http:.*; use https/);
  assert.equal(existsSync(`${here.path}/home`), false);
});

test("says what is missing", async () => {
  await using here = await place();
  const from = await here.release("files");
  await Deno.mkdir(`${here.path}/taken/svc`, { recursive: true });
  const cases: [string[], Record<string, string>, RegExp][] = [
    [
      ["--version", "1"],
      {},
      /knows no address of releases; set SVC_RELEASES_URL/,
    ],
    [["--from"], {}, /Cannot use --from without a value/],
    [["--form", "x"], {}, /Cannot use --form: the options are/],
    [["--from", from, "--version", "1"], {}, /Cannot use --version with --fro/],
    [["--from", from], { HOME: "" }, /without HOME: name one with --to/],
    [["--from", "nowhere"], {}, /Cannot get nowhere\/svc-.*\.sha256/],
    [["--from", from, "--to", `${from}/${NAME}/x`], {}, /Cannot write to/],
    [["--from", from, "--to", "taken"], {}, /svc: that is a directory/],
  ];
  for (const [args, env, message] of cases) {
    const { code, out, err } = await here.run(args, env);
    assert.deepEqual([code, out], [1, ""], args.join(" "));
    assert.match(err, message);
  }
});

test("prints its options", async () => {
  await using here = await place();
  const direct = await here.run(["--help"]);
  const fromPipe = await bareRun({
    command: ["/bin/sh", "-s", "--", "--help"],
    env: { PATH: Deno.env.get("PATH")! },
    input: await Deno.readTextFile(SCRIPT),
  });
  assert.deepEqual([direct.code, fromPipe.code], [0, 0]);
  assert.equal(fromPipe.out, direct.out);
  for (const option of ["--from", "--to", "--version"]) {
    assert.match(direct.out, new RegExp(`^ {2}${option} `, "m"));
  }
});
