import assert from "node:assert/strict";
import { lockFormatOf } from "../../../src/compressors/config/lock_format.ts";
import { inputOf } from "./samples.ts";

const FORMATS = {
  cargo_lock: "toml",
  uv_lock: "toml",
  yarn_lock: "yarn",
  pnpm_lock: "pnpm",
  go_sum: "go",
  gemfile_lock: "gem",
};

for (const [name, format] of Object.entries(FORMATS)) {
  Deno.test(`lockFormatOf knows ${name}, whole and with CRLF`, () => {
    assert.equal(lockFormatOf(inputOf(name)), format);
    assert.equal(lockFormatOf(inputOf(name).replaceAll("\n", "\r\n")), format);
  });
}

Deno.test("lockFormatOf knows a stretch of a lock file", () => {
  const lines = inputOf("yarn_lock").split("\n");
  assert.equal(lockFormatOf(lines.slice(20, 60).join("\n")), "yarn");
});

Deno.test("lockFormatOf leaves other texts alone", () => {
  const cargo = inputOf("cargo_lock").split("\n").slice(4, 40).join("\n");
  for (
    const text of [
      inputOf("openapi"),
      inputOf("fold_pyproject"),
      `# How to\n\n\`\`\`toml\n${cargo}\n\`\`\`\n`,
      `go: downloading\n${"go: finding x\n".repeat(9)}${
        inputOf("go_sum").split("\n").slice(0, 2).join("\n")
      }`,
      "@".repeat(100_000),
      "",
    ]
  ) assert.equal(lockFormatOf(text), undefined);
});
