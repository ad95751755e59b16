import assert from "node:assert/strict";
import { refuseQuestions } from "../../../src/cli/confine/questions.ts";

Deno.test("refuseQuestions lets a program go on that asks nobody", () => {
  refuseQuestions("--offline", { mayAsk: () => false });
  assert.throws(
    () => refuseQuestions("SVC_OFFLINE", { mayAsk: () => true }),
    /^CliFailure: Cannot enforce SVC_OFFLINE: /,
  );
});
