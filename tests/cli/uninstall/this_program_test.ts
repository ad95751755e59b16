import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { formOf, thisWorld } from "../../../src/cli/uninstall/this_program.ts";

Deno.test("formOf prefers the file that was started, then the executable, then the sources", () => {
  const file = "/bin/svc";
  const directory = "/src/svc/src/cli/uninstall";
  assert.deepEqual(formOf({ file, executable: "/x", directory }), {
    type: "self_extracting",
    file,
  });
  assert.deepEqual(formOf({ file: undefined, executable: file, directory }), {
    type: "executable",
    file,
  });
  const none = { file: undefined, executable: undefined };
  assert.deepEqual(formOf({ ...none, directory }), {
    type: "source",
    directory: "/src/svc",
  });
  assert.deepEqual(formOf({ ...none, directory: undefined }), {
    type: "source",
    directory: undefined,
  });
});

Deno.test("thisWorld knows the directory of the sources that it runs from", () => {
  const { form, userId } = thisWorld();
  assert(form.type === "source" && form.directory !== undefined);
  assert(existsSync(join(form.directory, "main.ts")));
  assert.equal(userId, Deno.uid());
});
