import assert from "node:assert/strict";
import {
  failuresIn,
  failuresOf,
  hitsOf,
} from "../../../src/compressors/json/failure.ts";
import { childrenOf, rawOf } from "../../../src/compressors/json/tape.ts";
import { tapeOf } from "./tapes.ts";

function failing(json: string): string[] {
  const tape = tapeOf(json);
  return [...failuresOf(tape)].map((node) => rawOf(tape, node));
}

Deno.test("failuresOf finds words of failure in string values", () => {
  for (
    const word of [
      "Error: x",
      "TypeError",
      "FAILED",
      "2 failed",
      "v2.0 failed",
      "Exception",
      "critical",
      "kernel panic",
      "timed out",
      "access denied",
      "CrashLoopBackOff",
      "OOMKilled",
      "connection refused",
      "Traceback (most recent call last)",
    ]
  ) {
    assert.deepEqual(failing(`[${JSON.stringify(word)},"fine"]`), [
      `"${word}"`,
    ]);
  }
});

Deno.test("failuresOf ignores keys, null, false, 0 and empty values", () => {
  for (
    const json of [
      '{"error":null}',
      '{"errors":[],"failed":0,"failures":{}}',
      '{"error":"","error_count":0,"failed":false}',
      '{"error_rate":0.0,"timeout":30,"exception":null}',
      '{"exit_code":0,"status":200,"code":"abc","ok":true}',
      '{"summary":"0 errors, no failures"}',
    ]
  ) assert.deepEqual(failing(json), [], json);
});

Deno.test("failuresOf finds flags and counts that report a failure", () => {
  for (
    const [json, value] of [
      ['{"ok":false}', "false"],
      ['{"passed":false}', "false"],
      ['{"failed":3}', "3"],
      ['{"errors":["x"]}', '["x"]'],
      ['{"error":"bad gateway"}', '"bad gateway"'],
      ['{"exitCode":1}', "1"],
      ['{"exit_code":-9}', "-9"],
      ['{"status":503}', "503"],
      ['{"statusCode":404,"a":1}', "404"],
    ] as const
  ) assert.deepEqual(failing(json), [value], json);
});

Deno.test("failuresIn gives the failures of one subtree", () => {
  const tape = tapeOf('[{"a":["error"]},{"a":["ok"]},{"a":"panic"}]');
  const failures = failuresOf(tape);
  const counts = [...childrenOf(tape, 1)].map((row) =>
    failuresIn(tape, failures, row).length
  );
  assert.deepEqual(counts, [1, 0, 1]);
});

Deno.test("hitsOf gives spans in order and skips negated words", () => {
  assert.deepEqual(hitsOf("no error, then an error and a crash"), [
    [18, 23],
    [30, 35],
  ]);
});
