import assert from "node:assert/strict";
import { CliFailure } from "../../src/cli/failure.ts";
import { readSetWords } from "../../src/cli/set_flag.ts";
import { PATH_VARIABLES } from "../../src/settings/paths.ts";
import { ROWS } from "../../src/settings/registry.ts";

/** Why a word is refused. */
function refusal(word: string): string {
  try {
    readSetWords([word]);
  } catch (error) {
    assert(error instanceof CliFailure);
    assert.equal(error.exitCode, 2);
    return error.message;
  }
  assert.fail(`${word} is not refused`);
}

Deno.test("readSetWords knows every variable of a setting and of a place", () => {
  const names = [...ROWS, ...PATH_VARIABLES].map(({ env }) => env);
  const values = readSetWords(names.map((name) => `${name}=1`));
  assert.deepEqual(Object.keys(values).sort(), names.toSorted());
});

Deno.test("readSetWords takes any text as a value, further names for the first, and the last of several", () => {
  assert.deepEqual(
    readSetWords([
      "SVC_OTEL_METRICS_HEADERS=a=b\nc=d",
      "SVC_CHAT_TARGET_API_URL=http://a",
      "SVC_RPM=1",
      "SVC_RPM=2",
    ]),
    {
      SVC_OTEL_METRICS_HEADERS: "a=b\nc=d",
      CHAT_TARGET_API_URL: "http://a",
      SVC_RPM: "2",
    },
  );
  assert.deepEqual(readSetWords([]), {});
});

Deno.test("readSetWords names what was meant by another name, and never a value", () => {
  const meant = (name: string, hint: string) =>
    assert.equal(
      refusal(`${name}=secret`),
      `Cannot use --set ${name}: there is no such setting; ${hint}`,
    );
  meant("rpm", "did you mean SVC_RPM?");
  meant("SVC_RMP", "did you mean SVC_RPM?");
  meant("SVC_PROXY_TOKN", "did you mean SVC_PROXY_TOKEN?");
  meant("svc_workspace_dir", "did you mean SVC_WORKSPACE_DIR?");
  meant("PATH", "docs/settings.md lists the names");
  meant("toString", "docs/settings.md lists the names");
});

Deno.test("readSetWords refuses a word without a name or without a value", () => {
  for (const word of ["", "secret", "=secret", "a b=secret", "--port=1"]) {
    assert.equal(
      refusal(word),
      "Cannot use --set: must be NAME=value, e.g. SVC_RPM=60",
    );
  }
  assert.match(refusal("SVC_RPM="), /^Cannot use --set SVC_RPM: a value must/);
  assert.match(refusal("SVC_RPM= "), /^Cannot use --set SVC_RPM: a value must/);
});
