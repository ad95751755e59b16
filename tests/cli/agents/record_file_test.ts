import assert from "node:assert/strict";
import type { Install } from "../../../src/cli/agents/install_record.ts";
import { openRecord } from "../../../src/cli/agents/record_file.ts";
import { CliFailure, systemError } from "../../../src/cli/failure.ts";
import { fakeFiles } from "../fake_io.ts";
import { LAUNCH } from "./config_texts.ts";

const install: Install = {
  agent: "claude",
  file: "/c",
  launch: LAUNCH,
  created: true,
};
const place = { env: { SVC_WORKSPACE_DIR: "w" }, cwd: "/project" };

Deno.test("openRecord keeps what is saved, and removes a record without anything", async () => {
  const files = fakeFiles();
  const record = await openRecord({ ...place, files });
  assert.deepEqual(record.installs, []);
  await record.save([]);
  assert.equal(files.texts.size, 0);
  await record.save([install]);
  assert.deepEqual([...files.texts.keys()], ["/project/w/mcp_installs.json"]);
  const again = await openRecord({ ...place, files });
  assert.deepEqual(again.installs, [install]);
  await again.save([]);
  assert.equal(files.texts.size, 0);
});

Deno.test("openRecord refuses a record that it cannot understand, with its path", async () => {
  const files = fakeFiles(new Map([["/project/w/mcp_installs.json", "{"]]));
  await assert.rejects(
    openRecord({ ...place, files }),
    (error) =>
      error instanceof CliFailure &&
      error.message.includes("/project/w/mcp_installs.json"),
  );
});

Deno.test("openRecord says that the record cannot be written and that nothing was changed", async () => {
  const replace = () => Promise.reject(systemError("EACCES", "no"));
  const record = await openRecord({
    ...place,
    files: { ...fakeFiles(), replace },
  });
  await assert.rejects(record.save([install]), /EACCES.*Nothing was changed/);
});

Deno.test("openRecord says that the record cannot be read", async () => {
  const files = fakeFiles();
  files.read = () => Promise.reject(systemError("ENOTDIR", "no directory"));
  await assert.rejects(
    openRecord({ ...place, files }),
    (error) =>
      error instanceof CliFailure && /ENOTDIR\)\. Set SVC_/.test(error.message),
  );
});
