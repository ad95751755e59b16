import assert from "node:assert/strict";
import { viewConfig } from "../../../src/compressors/config/view.ts";
import {
  FAILING,
  saidBy,
  WARNING,
} from "../../../src/compressors/config/words_said.ts";

const flagOf = (line: string) => saidBy(viewConfig(line))[0];

Deno.test("saidBy flags values that report a failure", () => {
  for (
    const line of [
      "reason: CrashLoopBackOff",
      "reason: ErrImagePull",
      "phase: Failed",
      "message: connection refused by the peer",
      "- 'Error: disk lost'",
    ]
  ) assert.equal(flagOf(line), FAILING, line);
});

Deno.test("saidBy takes keys and parts of names for settings", () => {
  for (
    const line of [
      "timeout: 30",
      "on_error: stop",
      "restart: on-failure",
      "$ref: '#/components/responses/Invalid'",
      "file: error.log",
      "back: office",
    ]
  ) assert.equal(flagOf(line), 0, line);
});

Deno.test("saidBy flags comments that warn", () => {
  assert.equal(flagOf("# TODO: rename"), WARNING);
  assert.equal(flagOf("; DEPRECATED since 1.2"), WARNING);
  assert.equal(flagOf("# port of the service"), 0);
});
