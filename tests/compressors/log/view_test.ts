import assert from "node:assert/strict";
import {
  FRAME,
  LIBRARY,
  SECTION,
  viewLog,
} from "../../../src/compressors/log/view.ts";
import { ERROR, FAILED } from "../../../src/text/signs/flags.ts";

const flagsOf = (text: string) => [...viewLog(text).flags];

Deno.test("viewLog marks failing names and report lines", () => {
  const failed = ERROR | FAILED;
  assert.deepEqual(
    flagsOf("  ✕ adds (3 ms)\nnot ok 3 - adds\n--- FAIL: TestAdd (0.00s)").map((
      f,
    ) => f & failed),
    [failed, failed, failed],
  );
  assert.deepEqual(flagsOf("E   assert 1 == 2\n>   assert x"), [ERROR, ERROR]);
});

Deno.test("viewLog does not take a passed test for a failure", () => {
  assert.ok(
    flagsOf(
      "=== RUN   TestError\n--- PASS: TestError (0.00s)\nok   errors 0.1s",
    )
      .every((flags) => (flags & (ERROR | SECTION)) === 0),
  );
});

Deno.test("viewLog tells frames of libraries from the user's", () => {
  assert.deepEqual(
    flagsOf(
      "    at load (src/app.ts:1:2)\n    at next (node_modules/x/i.js:1:2)\n" +
        '  File "app/main.py", line 3, in f\n  File "/usr/lib/python3/json.py", line 1, in g\n' +
        "main.run(0x1)\n\t/home/dev/main.go:3 +0x1\ntesting.tRunner(0x1)\n\t/usr/local/go/src/testing/testing.go:1 +0x2",
    ).map((flags) => flags & (FRAME | LIBRARY)),
    [
      FRAME,
      FRAME | LIBRARY,
      FRAME,
      FRAME | LIBRARY,
      FRAME,
      FRAME,
      FRAME | LIBRARY,
      FRAME | LIBRARY,
    ],
  );
});

Deno.test("viewLog joins rare lines only when enough of them agree", () => {
  const names = ["serde", "tokio", "hyper", "regex", "rand", "syn"];
  const many = viewLog(names.map((n) => `Compiling ${n} v1.0`).join("\n"));
  assert.equal(many.sizes.size, 1);
  const few = viewLog(
    names.slice(0, 3).map((n) => `Compiling ${n} v1.0`).join("\n"),
  );
  assert.equal(few.sizes.size, 3);
});

Deno.test("viewLog gives blank lines no group", () => {
  assert.equal(viewLog("a\n\nb").groups[1], 0);
});
