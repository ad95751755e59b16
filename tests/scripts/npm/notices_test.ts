import assert from "node:assert/strict";
import { notices } from "../../../scripts/npm/notices.ts";

Deno.test("notices has the licence of each package in the bundle, once", async () => {
  const cwd = new URL(`file://${await Deno.makeTempDir()}/`);
  try {
    const folder = new URL("cache/npm/registry.example/@a/b/1.2.3/", cwd);
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(new URL("LICENSE", folder), "Licence of b\n");
    const path = "cache/npm/registry.example/@a/b/1.2.3";
    const text = await notices(
      [`// ${path}/x.js\nvar x;\n// src/own.ts\n// ${path}/y.js\n`],
      cwd,
    );
    assert.deepEqual(text.match(/^## @a\/b 1\.2\.3\n\nLicence of b$/gm), [
      "## @a/b 1.2.3\n\nLicence of b",
    ]);
    assert.match(text, /## tiktoken/);
    await assert.rejects(
      notices([`// ${path.replace("b", "c")}/x.js\n`], cwd),
      /Cannot bundle @a\/c 1\.2\.3: no licence file/,
    );
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});
