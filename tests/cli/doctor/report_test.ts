import assert from "node:assert/strict";
import {
  type Check,
  doctorJson,
  doctorText,
  exitCodeOf,
} from "../../../src/cli/doctor/report.ts";
import {
  failed,
  passed,
  skipped,
  warned,
} from "../../../src/cli/doctor/verdict.ts";

const OK: Check = { id: "one", ...passed("fine", { hint: "not shown" }) };
const SKIP: Check = { id: "two", ...skipped("nothing", { hint: "not shown" }) };
const WARN: Check = { id: "three", ...warned("hm", { hint: "do this" }) };
const FAIL: Check = { id: "four", ...failed("bad\n\x1b[2J") };

Deno.test("exitCodeOf is that of the worst", () => {
  assert.equal(exitCodeOf([]), 0);
  assert.equal(exitCodeOf([OK, SKIP]), 0);
  assert.equal(exitCodeOf([OK, WARN]), 1);
  assert.equal(exitCodeOf([FAIL, WARN]), 2);
});

Deno.test("doctorText has a line per check, with what to do below, and nothing that a terminal obeys", () => {
  assert.equal(
    doctorText([OK, SKIP, WARN, FAIL], 80),
    `pass  one    fine
skip  two    nothing
warn  three  hm
             do this
fail  four   bad ␛[2J

1 passed, 1 warning, 1 failed, 1 skipped
`,
  );
});

Deno.test("doctorJson has a shape that programs can rely on", () => {
  assert.deepEqual(JSON.parse(doctorJson([OK, WARN])), {
    checks: [
      {
        id: "one",
        status: "pass",
        summary: "fine",
        hint: "not shown",
        details: {},
      },
      {
        id: "three",
        status: "warn",
        summary: "hm",
        hint: "do this",
        details: {},
      },
    ],
    status: "warn",
    exit_code: 1,
  });
});
