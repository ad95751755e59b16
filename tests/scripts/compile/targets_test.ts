import assert from "node:assert/strict";
import {
  fileNameFor,
  targetNamed,
  TARGETS,
  unameOf,
} from "../../../scripts/compile/targets.ts";

Deno.test("targetNamed knows every target and this machine's, and names all of them for another", () => {
  for (const target of [...TARGETS, Deno.build.target]) {
    assert.equal(targetNamed(target), target);
  }
  assert.throws(() => targetNamed("linux"), {
    message: `Cannot build for "linux": the targets are ${TARGETS.join(", ")}`,
  });
});

Deno.test("unameOf gives what uname says, for systems with a shell that can unpack", () => {
  assert.equal(unameOf("x86_64-unknown-linux-gnu"), "Linux x86_64");
  assert.equal(unameOf("aarch64-unknown-linux-gnu"), "Linux aarch64");
  assert.equal(unameOf("aarch64-apple-darwin"), undefined);
  assert.equal(unameOf("x86_64-pc-windows-msvc"), undefined);
});

Deno.test("fileNameFor ends in .exe where that is needed", () => {
  assert.equal(fileNameFor("x86_64-pc-windows-msvc"), "svc.exe");
  assert.equal(fileNameFor("aarch64-apple-darwin", "svc-mac"), "svc-mac");
});
