import assert from "node:assert/strict";
import {
  BUILD_FACTS,
  buildInfo,
  commitOf,
  releasesUrl,
  runtimeVariables,
  startedFile,
  versionLine,
} from "../src/build_info.ts";
import { VERSION } from "../src/version.ts";

const HASH = "0123456789abcdef0123456789abcdef01234567";
const OTHER = "f".repeat(40);

/** Reads from texts by path. */
function reader(files: Readonly<Record<string, string>>) {
  return (path: string) => files[path];
}

Deno.test("commitOf reads a branch, a detached head and a packed branch", () => {
  const branch = { "/r/.git/HEAD": "ref: refs/heads/a/b\n" };
  const cases = [
    { ...branch, "/r/.git/refs/heads/a/b": `${HASH}\n` },
    { "/r/.git/HEAD": `${HASH}\n` },
    {
      ...branch,
      "/r/.git/packed-refs":
        `# pack-refs with: peeled\n${OTHER} refs/heads/b\n${HASH} refs/heads/a/b\n^${OTHER}\n`,
    },
  ];
  for (const files of cases) {
    assert.equal(commitOf("/r", reader(files)), HASH);
  }
});

Deno.test("commitOf reads a worktree, whose branches are in the main checkout", () => {
  const files = {
    "/w/.git": "gitdir: /r/.git/worktrees/w\n",
    "/r/.git/worktrees/w/HEAD": "ref: refs/heads/x\n",
    "/r/.git/worktrees/w/commondir": "../..\n",
    "/r/.git/worktrees/w/../../refs/heads/x": `${HASH}\n`,
  };
  assert.equal(commitOf("/w", reader(files)), HASH);
  const submodule = {
    "/s/.git": "gitdir: ../r/.git/modules/s\n",
    "/s/../r/.git/modules/s/HEAD": HASH,
  };
  assert.equal(commitOf("/s", reader(submodule)), HASH);
});

Deno.test("commitOf knows nothing of what is no checkout, has no commit or is damaged", () => {
  const none = [
    {},
    { "/r/.git/HEAD": "ref: refs/heads/main\n" },
    { "/r/.git/HEAD": "" },
    { "/r/.git/HEAD": "ref: refs/heads/main", "/r/.git/refs/heads/main": "x" },
  ];
  for (const files of none) {
    assert.equal(commitOf("/r", reader(files)), undefined);
  }
});

Deno.test("buildInfo prefers what the build put in, and says what it is without", () => {
  const { commit: _, ...source } = buildInfo();
  assert.deepEqual(source, { version: VERSION, way: "from source" });
  const world = globalThis as { [BUILD_FACTS]?: unknown };
  world[BUILD_FACTS] = { commit: HASH, way: "deno compile" };
  try {
    const built = { version: VERSION, commit: HASH, way: "deno compile" };
    assert.deepEqual(buildInfo(), built);
    assert.equal(startedFile(), undefined);
    assert.deepEqual(runtimeVariables(), {});
    assert.equal(releasesUrl(), undefined);
    const releases = "https://code.example/releases";
    world[BUILD_FACTS] = { way: "deno compile", releases };
    assert.equal(releasesUrl(), releases);
    const way = "self-extracting file";
    world[BUILD_FACTS] = { way, file: "/opt/svc", cache: "/c" };
    assert.equal(startedFile(), "/opt/svc");
    assert.deepEqual(runtimeVariables(), { DENO_DIR: "/c" });
  } finally {
    delete world[BUILD_FACTS];
  }
});

Deno.test("versionLine leaves out a commit that is not known", () => {
  const info = { version: "1.2.3", way: "from source" };
  assert.equal(versionLine(info), "svc 1.2.3 (from source)");
  assert.equal(
    versionLine({ ...info, commit: HASH }),
    "svc 1.2.3 (0123456789ab, from source)",
  );
});

Deno.test("buildInfo leaves the commit out and asks nobody when files cannot be read", async () => {
  const root = new URL("../", import.meta.url);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "main.ts", "--version"],
    cwd: root,
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(stderr);
  assert.deepEqual([code, said], [0, ""]);
  const line = new TextDecoder().decode(stdout);
  assert.equal(line, `svc ${VERSION} (from source)\n`);
});
