import assert from "node:assert/strict";
import { writeFiles } from "../../../src/cli/install/files.ts";
import {
  allInstalled,
  describe,
  findInstalled,
  manifestPath,
  ownerOf,
  PLATFORMS,
  printManifest,
} from "../../../src/cli/install/installed.ts";
import { type Home, inHome } from "../uninstall/home.ts";

const MACHINE = { userId: 1, sources: "/src" };

async function install(home: Home, profile: string, port: number) {
  const request = { profile, port, scope: "user", platform: "linux" } as const;
  const one = describe(home.io(), request, { machine: MACHINE });
  await writeFiles(home.io(), ownerOf(one.service), [
    { path: manifestPath(one.service.directory), text: printManifest(one) },
  ]);
  return one;
}

Deno.test("findInstalled reads what printManifest wrote, and finds nothing where nothing is installed", async () => {
  await inHome(async (home) => {
    const find = (profile: string) =>
      findInstalled(home.io(), profile, MACHINE);
    assert.equal(await find("default"), undefined);
    const one = await install(home, "default", 9000);
    assert.deepEqual(await find("default"), one);
    assert.equal(await find("work"), undefined);
  });
});

Deno.test("allInstalled finds every service of this workspace", async () => {
  await inHome(async (home) => {
    assert.deepEqual(await allInstalled(home.io(), MACHINE), []);
    const all = [
      await install(home, "a", 9001),
      await install(home, "b-2", 9002),
    ];
    await home.write({ ".svc/edits/wrap-claude.json": "{}" });
    assert.deepEqual(await allInstalled(home.io(), MACHINE), all);
  });
});

Deno.test("findInstalled refuses a manifest that is not one", async () => {
  await inHome(async (home) => {
    const manifests = [
      "{",
      "[]",
      '{"profile": "default", "platform": "toString", "scope": "user", "port": 1}',
      '{"profile": "$(id)", "platform": "linux", "scope": "user", "port": 1}',
      '{"profile": "default", "platform": "linux", "scope": "all", "port": 1}',
      '{"profile": "default", "platform": "linux", "scope": "user"}',
    ];
    for (const text of manifests) {
      await home.write({ ".svc/deploy/default/manifest.json": text });
      await assert.rejects(
        findInstalled(home.io(), "default", MACHINE),
        /not what svc install apply wrote/,
        text,
      );
    }
  });
});

Deno.test("PLATFORMS describe themselves as health reports it", () => {
  const facts = Object.values(PLATFORMS)
    .map(({ preset, runtime, supervisor }) => [preset, runtime, supervisor]);
  assert.deepEqual(facts, [
    ["persistent-service", "deno", "systemd"],
    ["persistent-service", "deno", "launchd"],
    ["persistent-task", "deno", "task-scheduler"],
    ["persistent-docker", "docker", "docker"],
  ]);
});
