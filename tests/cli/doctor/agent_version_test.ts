import assert from "node:assert/strict";
import {
  installedVersion,
  programPath,
} from "../../../src/cli/doctor/agent_version.ts";
import { worldOf } from "./world.ts";

async function version(
  texts: Record<string, string>,
  real = "/bin/x",
  name = "@a/x",
) {
  const { io, machine } = worldOf({
    env: { PATH: "/none:/bin" },
    texts: { "/bin/x": "", ...texts },
    machine: { realPath: () => Promise.resolve(real) },
  });
  return await installedVersion({ program: "x", package: name }, io, machine);
}

const named = (version: string) => JSON.stringify({ name: "x", version });

Deno.test("installedVersion takes it from the package of npm, not from files that only say how modules are read", async () => {
  const root = "/lib/node_modules/@a/x";
  const texts = {
    [`${root}/dist/package.json`]: '{"type": "module", "version": "0.0.0"}',
    [`${root}/package.json`]: named("1.2.3"),
  };
  assert.equal(await version(texts, `${root}/dist/x.js`), "1.2.3");
  const beside = { "/bin/node_modules/@a/x/package.json": named("4.5.6") };
  assert.equal(await version(beside), "4.5.6");
  const others = { "/work/package.json": named("7.8.9") };
  assert.equal(await version(others, "/work/venv/bin/x"), undefined);
});

Deno.test("installedVersion takes it from the record of PyPI's package, or from the path", async () => {
  const site = "/venv/lib/python3.12/site-packages";
  const texts = {
    [`${site}/x_chat-0.86.1.dist-info`]: "",
    [`${site}/x_chatty-1.0.dist-info`]: "",
  };
  assert.equal(await version(texts, "/venv/bin/x", "x-chat"), undefined);
  const { io, machine } = worldOf({
    env: { PATH: "/bin" },
    texts: { "/bin/x": "" },
    machine: { realPath: () => Promise.resolve("/venv/bin/x") },
  });
  const namesIn = (directory: string) =>
    Promise.resolve(
      directory === "/venv/lib"
        ? ["python3.12"]
        : ["x_chat-0.86.1.dist-info", "x_chatty-1.0.dist-info"],
    );
  const world = { ...io, files: { ...io.files, namesIn } };
  const row = { program: "x", package: "x-chat" };
  assert.equal(await installedVersion(row, world, machine), "0.86.1");
  assert.equal(await version({}, "/h/.local/share/x/versions/2.1.0"), "2.1.0");
});

Deno.test("installedVersion is undefined where nothing says it, or the program is not in PATH", async () => {
  assert.equal(await version({ "/bin/package.json": "{" }), undefined);
  const { io, machine } = worldOf({});
  assert.equal(
    await installedVersion({ program: "x" }, io, machine),
    undefined,
  );
});

Deno.test("programPath is the first in PATH", async () => {
  const { io } = worldOf({
    env: { PATH: "/a:/b:/c" },
    texts: { "/b/x": "", "/c/x": "" },
  });
  assert.equal(await programPath("x", io), "/b/x");
});
