import assert from "node:assert/strict";
import { runCli } from "../../../src/cli/run.ts";
import { type Home, inHome } from "../uninstall/home.ts";

/** Runs `svc install` on a system that does all it is told. */
async function run(home: Home, line: string) {
  const io = home.io({
    runProgram: () => Promise.resolve({ code: 0, text: "" }),
  });
  const code = await runCli(["install", ...line.split(" ")], io);
  return { code, out: io.out(), err: io.err() };
}

Deno.test("svc install apply --dry-run shows every system's files and makes nothing", async () => {
  await inHome(async (home) => {
    const signs = {
      linux: /ExecStart=.*\n.*systemctl --user enable/s,
      darwin: /<plist .*launchctl bootstrap/s,
      windows: /<Task .*schtasks \/Create/s,
      container: /read_only: true.*docker compose/s,
    };
    for (const [platform, sign] of Object.entries(signs)) {
      const line = `apply --dry-run --platform ${platform}`;
      const { code, out } = await run(home, line);
      assert.equal(code, 0);
      assert.match(out, sign);
    }
    assert.deepEqual(await home.all(), []);
  });
});

Deno.test("svc install takes another system's files for a look only, and refuses what cannot be", async () => {
  await inHome(async (home) => {
    const foreign = Deno.build.os === "darwin" ? "linux" : "darwin";
    const refused = {
      [`apply --platform ${foreign}`]: /add --dry-run to look at it/,
      "apply --port 0": /Give a port from 1 to 65535/,
      "apply --profile ../x": /Give a name of up to 32/,
      "apply --platform plan9": /Allowed choices are linux, darwin/,
      "bogus": /unknown command 'bogus'/,
    };
    for (const [line, sign] of Object.entries(refused)) {
      const { code, err } = await run(home, line);
      assert.equal(code, 2, line);
      assert.match(err, sign);
    }
    assert.deepEqual(await home.all(), []);
  });
});

Deno.test("svc install refuses a stored port 0, which no client could know", async () => {
  await inHome(async (home) => {
    await home.write({ ".svc/settings.json": '{"port": 0}' });
    const { code, err } = await run(home, "apply --dry-run");
    assert.equal(code, 2);
    assert.match(err, /name one with --port/);
  });
});

Deno.test("svc install says that nothing is installed, each command in its way", async () => {
  await inHome(async (home) => {
    assert.equal((await run(home, "status")).code, 1);
    const removed = await run(home, "remove");
    assert.equal(removed.code, 0);
    assert.match(removed.out, /There is no service default/);
    for (const act of ["start", "stop", "restart", "status --profile x"]) {
      const { code, err } = await run(home, act);
      assert.equal(code, 1, act);
      assert.match(err, /Cannot find service .*svc install apply/);
    }
    assert.deepEqual(await home.all(), []);
  });
});

Deno.test("svc install keeps the port of a service that is applied again without one", async () => {
  await inHome(async (home) => {
    await run(home, "apply --port 9000");
    const { out } = await run(home, "apply --dry-run");
    assert.match(out, /SVC_PORT=?.*9000/);
  });
});
