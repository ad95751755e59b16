import assert from "node:assert/strict";
import {
  plain,
  unseenVariables,
  xmlText,
} from "../../../src/cli/install/service.ts";
import { sampleService } from "./sample.ts";
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
import { type Home, test } from "../uninstall/home.ts";

Deno.test("describe gives a program from its sources what the tasks set, and one file only its place", () => {
  const source = sampleService("linux", { env: { DENO_DIR: "/d" } });
  assert.equal(source.env["DENO_NO_UPDATE_CHECK"], "1");
  assert.equal(source.env["DENO_DIR"], "/d");
  const file = sampleService("linux", {
    command: ["/home/ada/.local/bin/svc"],
    env: { DENO_DIR: "/d" },
  });
  assert.deepEqual(file.command, ["/home/ada/.local/bin/svc", "proxy"]);
  assert.deepEqual(
    Object.keys(file.env).filter((name) => !name.startsWith("SVC_DEPLOYMENT")),
    ["SVC_WORKSPACE_DIR", "SVC_PORT"],
  );
});

Deno.test("describe passes on what no settings file can hold, and no secret of the shell", () => {
  const { env } = sampleService("linux", {
    env: {
      SVC_OFFLINE: "1",
      DO_NOT_TRACK: "1",
      SVC_PROXY_TOKEN: "0123456789abcdef",
      SVC_RPM: "5",
      ANTHROPIC_API_KEY: "sk-1",
      SVC_SETTINGS_PATH: "conf/settings.json",
    },
    stored: { SVC_BUDGET: "5" },
  });
  assert.equal(env["SVC_OFFLINE"], "1");
  assert.equal(env["DO_NOT_TRACK"], "1");
  assert.equal(env["SVC_SETTINGS_PATH"], "/project/conf/settings.json");
  for (
    const name of [
      "SVC_PROXY_TOKEN",
      "SVC_RPM",
      "ANTHROPIC_API_KEY",
      "SVC_BUDGET",
    ]
  ) {
    assert.equal(env[name], undefined, name);
  }
});

Deno.test("describe gives a container the stored settings, its own place and no path of this machine", () => {
  const { env } = sampleService("container", {
    env: { SVC_WORKSPACE_DIR: "/w", DENO_DIR: "/d" },
    stored: { SVC_BUDGET: "5", SVC_PORT: "1" },
  });
  assert.equal(env["SVC_BUDGET"], "5");
  assert.equal(env["SVC_PORT"], "8787");
  assert.equal(env["SVC_DEPLOYMENT_RUNTIME"], "docker");
  assert.equal(env["SVC_WORKSPACE_DIR"], undefined);
  assert.equal(env["DENO_DIR"], undefined);
});

Deno.test("describe runs the service of root under the account that asked for it, with files of its own", () => {
  const root = { HOME: "/root", USER: "root", SUDO_USER: "eve" };
  const options = { scope: "system", env: root, userId: 0 } as const;
  const service = sampleService("linux", options);
  assert.equal(service.account, "eve");
  assert.equal(service.env["SVC_WORKSPACE_DIR"], undefined);
  assert.equal(service.directory, "/root/.svc/deploy/default");
  assert.throws(
    () =>
      sampleService("linux", {
        ...options,
        env: { ...root, HOME: "/home/eve" },
      }),
    /use sudo -H svc install/,
  );
  // Nobody else's word counts.
  const user = sampleService("linux", { env: { SUDO_USER: "eve" } });
  assert.equal(user.account, "ada");
});

Deno.test("unseenVariables names settings of the shell that are not stored", () => {
  const env = {
    SVC_RPM: "5",
    SVC_BUDGET: "7",
    SVC_OFFLINE: "1",
    SVC_PORT: "9000",
  };
  assert.deepEqual(unseenVariables(env, { SVC_BUDGET: "7" }), ["SVC_RPM"]);
});

Deno.test("xmlText and plain keep texts one line and one element", () => {
  assert.equal(xmlText(`<a b="&">`), "&lt;a b=&quot;&amp;&quot;&gt;");
  for (const text of ["a\nb", "\0", "\x7f"]) {
    assert.throws(() => plain(text), /control characters/);
    assert.throws(() => xmlText(text), /control characters/);
  }
  assert.throws(() => plain("a%", /%/), /must not contain .* or %/);
});

const MACHINE = { userId: 1, sources: "/src" };

async function install(home: Home, profile: string, port: number) {
  const request = { profile, port, scope: "user", platform: "linux" } as const;
  const one = describe(home.io(), request, { machine: MACHINE });
  await writeFiles(home.io(), ownerOf(one.service), [
    { path: manifestPath(one.service.directory), text: printManifest(one) },
  ]);
  return one;
}

test("findInstalled reads what printManifest wrote, and finds nothing where nothing is installed", async (home) => {
  const find = (profile: string) => findInstalled(home.io(), profile, MACHINE);
  assert.equal(await find("default"), undefined);
  const one = await install(home, "default", 9000);
  assert.deepEqual(await find("default"), one);
  assert.equal(await find("work"), undefined);
});

test("allInstalled finds every service of this workspace", async (home) => {
  assert.deepEqual(await allInstalled(home.io(), MACHINE), []);
  const all = [
    await install(home, "a", 9001),
    await install(home, "b-2", 9002),
  ];
  await home.write({ ".svc/edits/wrap-claude.json": "{}" });
  assert.deepEqual(await allInstalled(home.io(), MACHINE), all);
});

test("findInstalled refuses a manifest that is not one", async (home) => {
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
