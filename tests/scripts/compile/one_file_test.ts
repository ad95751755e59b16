import assert from "node:assert/strict";
import { runtimeFlags } from "../../../scripts/compile/runtime_flags.ts";
import { joined } from "../../../scripts/compile/self_extracting.ts";
import {
  fileNameFor,
  targetNamed,
  TARGETS,
  unameOf,
} from "../../../scripts/compile/targets.ts";

Deno.test("runtimeFlags are those of the task svc and the unstable features", () => {
  const project = {
    tasks: { svc: "deno run -A --no-prompt --v8-flags=--a=1,--b main.ts" },
    unstable: ["net"],
  };
  assert.deepEqual(runtimeFlags(project), [
    ...["-A", "--no-prompt", "--v8-flags=--a=1,--b", "--unstable-net"],
  ]);
});

Deno.test("runtimeFlags can be read from the project's own file", async () => {
  const file = new URL("../../../deno.json", import.meta.url);
  const flags = runtimeFlags(JSON.parse(await Deno.readTextFile(file)));
  for (const flag of ["-A", "--no-prompt", "--unstable-worker-options"]) {
    assert.ok(flags.includes(flag), flag);
  }
});

Deno.test("runtimeFlags refuses a task that it cannot read", () => {
  for (const svc of ["deno run main.ts proxy", "sh svc.sh", undefined]) {
    const tasks: Record<string, string> = svc === undefined ? {} : { svc };
    assert.throws(
      () => runtimeFlags({ tasks, unstable: [] }),
      /Cannot read the flags of the task svc/,
    );
  }
});

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

const SCRIPT =
  "#!/bin/sh\nsize=@SIZE@ rest=@REST@ line=@LINE@ name=@NAME@\nexit\n";
const FIRST = new Uint8Array([10, 0, 255]);
const SECOND = new Uint8Array([10, 1]);
const BYTES = FIRST.length + SECOND.length;

Deno.test("joined fills in the script's own line, the second part's size and the file's own", () => {
  for (const name of ["a", "x".repeat(40), "y".repeat(960)]) {
    const file = joined(SCRIPT, [FIRST, SECOND], { NAME: name });
    const text = new TextDecoder().decode(file.subarray(0, -BYTES));
    assert.match(
      text,
      new RegExp(`size=${file.length} rest=2 line=4 name=${name}\n`),
    );
    assert.deepEqual([...file.subarray(-BYTES)], [...FIRST, ...SECOND]);
    assert.equal(text.split("\n").length, 4);
  }
});

Deno.test("joined refuses a script with a value that nobody gave", () => {
  assert.throws(() => joined(SCRIPT, [FIRST, SECOND], {}), {
    message: "Cannot fill in launcher.sh: there is no value for NAME",
  });
});
