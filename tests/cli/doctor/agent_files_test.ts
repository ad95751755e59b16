import assert from "node:assert/strict";
import { jsonFormat } from "../../../src/cli/agents/json_format.ts";
import { agentFiles } from "../../../src/cli/doctor/agent_files.ts";
import { systemError } from "../../../src/cli/failure.ts";
import { fakeFiles } from "../fake_io.ts";

const FORMAT = jsonFormat({ container: "env", comments: true });

Deno.test("agentFiles reads those that are there, in the order given, and says which cannot be read", async () => {
  const texts = new Map([
    ["/project/b.json", '{"a": 1, /* why */}'],
    ["/c.json", "{"],
  ]);
  const files = fakeFiles(texts);
  const all = await agentFiles(["/a.json", "b.json", "/c.json"], FORMAT, {
    cwd: "/project",
    files,
  });
  assert.deepEqual(all.map(({ path }) => path), ["/project/b.json", "/c.json"]);
  assert.deepEqual({ ...all[0]?.values }, { a: 1 });
  assert.match(all[1]?.fault ?? "", /not valid JSON/);
  const read = () => Promise.reject(systemError("EACCES", "closed"));
  const [closed] = await agentFiles(["/a.json"], FORMAT, {
    cwd: "/",
    files: { ...files, read },
  });
  assert.equal(closed?.fault, "EACCES");
});
