import assert from "node:assert/strict";
import { runtimeFlags } from "../../../scripts/compile/runtime_flags.ts";

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
