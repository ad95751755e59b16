/** What would go to JSR. */
import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);

/** Bytes; JSR takes 20 MB. */
const LARGEST = 10_000_000;

const UNITS: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1024,
  MB: 1024 ** 2,
};

/** Modules that users name are imported by their names. */
const USERS_MODULES =
  /^warning\[unanalyzable-dynamic-import\][^\n]*\n +--> \S*src\/extension_worker\.ts:/gm;

Deno.test("deno publish takes the library and the command line, and nothing else", async () => {
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    // Types are a check of their own; slow ones are still looked for.
    args: ["publish", "--dry-run", "--allow-dirty", "--no-check"],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const utf8 = new TextDecoder();
  const said = utf8.decode(stderr) + utf8.decode(stdout);
  assert(success, said);
  assert.doesNotMatch(said.replace(USERS_MODULES, ""), /warning/i);
  const files = [...said.matchAll(/(file:\S+) \(([\d.]+)([KM]?B)\)/g)].map((
    [, url, size, unit],
  ) => ({
    path: url!.slice(ROOT.href.length),
    bytes: Number(size) * UNITS[unit!]!,
  }));
  const paths = files.map(({ path }) => path);
  const beside = paths.filter((path) => !path.startsWith("src/"));
  assert.deepEqual(beside.sort(), [
    ...["CHANGES.md", "LICENSE", "README.md", "deno.json", "main.ts", "mod.ts"],
  ]);
  const others = paths.filter((path) => !/\.(?:ts|json|md)$/.test(path));
  assert.deepEqual(others, ["LICENSE"]);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  assert(bytes < LARGEST, `${bytes} bytes`);
});
