import assert from "node:assert/strict";
import { selfCommand } from "../../src/cli/self_command.ts";

const source = {
  execPath: "/opt/deno",
  standalone: false,
  mainModule: "file:///home/a%20b/main.ts",
};

Deno.test("selfCommand runs the main file with the same runtime, by absolute paths", () => {
  assert.deepEqual(selfCommand(source), [
    "/opt/deno",
    "run",
    "-A",
    "--no-prompt",
    "/home/a b/main.ts",
  ]);
});

Deno.test("selfCommand keeps an address that is no file, and is the file itself when compiled", () => {
  const mainModule = "https://example.com/main.ts";
  assert.equal(selfCommand({ ...source, mainModule }).at(-1), mainModule);
  assert.deepEqual(
    selfCommand({ ...source, execPath: "/opt/svc", standalone: true }),
    ["/opt/svc"],
  );
});

Deno.test("selfCommand is the self-extracting file, not what it unpacked", () => {
  const execPath = "/home/a/.cache/svc/1/deno";
  assert.deepEqual(
    selfCommand({ ...source, execPath, file: "/home/a/.local/bin/svc" }),
    ["/home/a/.local/bin/svc"],
  );
});
