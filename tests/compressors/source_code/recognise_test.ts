import assert from "node:assert/strict";
import { recogniseSourceCode } from "../../../src/compressors/source_code/recognise.ts";
import ciAnsi from "../../golden/log/ci_ansi.txt" with { type: "text" };
import cargoTest from "../../golden/log/cargo_test.txt" with { type: "text" };
import gitDiff from "../../golden/diff/git_diff_two_files.txt" with {
  type: "text",
};
import gitShow from "../../golden/diff/git_show.txt" with { type: "text" };
import nestedConfig from "../../golden/json/nested_config.txt" with {
  type: "text",
};
import packageJson from "../../golden/json/package_json.txt" with {
  type: "text",
};
import service from "../../golden/log/service.txt" with { type: "text" };
import { GOLDENS } from "./samples.ts";

Deno.test("recogniseSourceCode is confident of code, by content or by path", () => {
  for (const { name, input, path } of GOLDENS) {
    assert.ok(recogniseSourceCode(input) >= 0.8, name);
    assert.ok(recogniseSourceCode(input, { path }) >= 0.8, name);
  }
});

Deno.test("recogniseSourceCode leaves other kinds alone", () => {
  const others = {
    cargoTest,
    ciAnsi,
    gitDiff,
    gitShow,
    nestedConfig,
    packageJson,
    service,
  };
  for (const [name, text] of Object.entries(others)) {
    assert.equal(recogniseSourceCode(text), 0, name);
  }
  for (const { name, input } of GOLDENS) {
    const grep = input.replace(/^/gm, "src/a.x:12:");
    assert.equal(recogniseSourceCode(grep), 0, name);
    assert.equal(recogniseSourceCode(input.replace(/^/gm, "+ ")), 0, name);
    assert.equal(recogniseSourceCode(input, { path: "a.md" }), 0, name);
  }
});

Deno.test("recogniseSourceCode is quick to answer for any shape of text", () => {
  for (
    const text of [
      "",
      "x",
      "(".repeat(1_000_000),
      "a ".repeat(1_000_000),
      "\n".repeat(1_000_000),
      " ".repeat(1_000_000),
      "const ".repeat(200_000),
    ]
  ) {
    assert.equal(recogniseSourceCode(text), 0);
  }
});

Deno.test("recogniseSourceCode leaves minified code to others, whatever its name", () => {
  const line = "function a(e,t){return e.b(t,1)}".repeat(300);
  assert.equal(recogniseSourceCode(line, { path: "app.js" }), 0);
  assert.equal(
    recogniseSourceCode(`/* a */\n${line}\n`, { path: "a.min.js" }),
    0,
  );
});
