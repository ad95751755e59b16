import assert from "node:assert/strict";
import { launchFor, proxyUrlOf } from "../../../src/cli/agents/launch.ts";

const world = {
  env: { HOME: "/h", PATH: "/bin" },
  cwd: "/project",
  selfCommand: () => ["/opt/deno", "run", "/opt/svc/main.ts"],
};

Deno.test("launchFor is this program with mcp serve and nothing else", () => {
  assert.deepEqual(launchFor(world, undefined), {
    command: [...world.selfCommand(), "mcp", "serve"],
    env: {},
  });
});

Deno.test("launchFor keeps directories that are set, as absolute paths, settings of the server, and the proxy", () => {
  const env = {
    SVC_WORKSPACE_DIR: "w",
    DENO_DIR: "/cache",
    SVC_PROXY_URL: "http://127.0.0.1:9/",
    SVC_STATELESS: "1",
    SVC_LOSSLESS: "",
  };
  assert.deepEqual(launchFor({ ...world, env }, undefined).env, {
    SVC_WORKSPACE_DIR: "/project/w",
    DENO_DIR: "/cache",
    SVC_STATELESS: "1",
    SVC_PROXY_URL: "http://127.0.0.1:9",
  });
});

Deno.test("launchFor appends the proxy's URL, which proxyUrlOf reads back", () => {
  const launch = launchFor(world, "http://127.0.0.1:9000/");
  assert.deepEqual(launch.command.slice(-2), [
    "--proxy-url",
    "http://127.0.0.1:9000",
  ]);
  assert.equal(proxyUrlOf(launch), "http://127.0.0.1:9000");
  assert.equal(proxyUrlOf(launchFor(world, undefined)), undefined);
});

Deno.test("launchFor refuses a URL that the server would refuse, without showing a password", () => {
  const env = { SVC_PROXY_URL: "http://u:secret@h" };
  for (
    const run of [
      () => launchFor(world, "ftp://u:secret@h"),
      () => launchFor({ ...world, env }, undefined),
    ]
  ) {
    assert.throws(
      run,
      (error) => error instanceof RangeError && !/secret/.test(error.message),
    );
  }
});
