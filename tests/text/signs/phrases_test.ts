import assert from "node:assert/strict";
import { codesOf } from "../../../src/text/lines.ts";
import {
  exitCode,
  isAnswer,
  isPhrased,
  ownerOfCode,
} from "../../../src/text/signs/phrases.ts";

function found(marked: string) {
  const part = marked.indexOf("{");
  const stop = marked.indexOf("}") - 1;
  const text = marked.replace(/[{}]/g, "");
  return { text, codes: codesOf(text), start: 0, end: text.length, part, stop };
}

Deno.test("exitCode reads the code that follows", () => {
  for (
    const text of [
      "{exit} code 3",
      "{exit} status: 3",
      "{exited} with code 3",
      "{exited} (3)",
      "{exit}_code=3",
      "{exited} with non-zero code (3)",
    ]
  ) assert.equal(exitCode(found(text)), 3, text);
  for (const text of ["{exit} handler 3", "{exit}", "{exit} code\n3x"]) {
    assert.equal(exitCode(found(text)), undefined, text);
  }
});

Deno.test("isAnswer and isPhrased know a status that is said", () => {
  for (
    const text of [
      "{returned} 503",
      "{responded} with 404",
      "{got} a 404 from x",
    ]
  ) {
    assert.ok(isAnswer(found(text)), text);
  }
  for (
    const text of ["{returned} 404 rows", "{got} 500 new mails", "{got} 200"]
  ) {
    assert.ok(!isAnswer(found(text)), text);
  }
  assert.ok(isPhrased(found("{404} Not Found")));
  assert.ok(!isPhrased(found("{404} files")));
});

Deno.test("ownerOfCode knows names of codes that are no results", () => {
  for (
    const text of [
      "{code}",
      "status_{code}",
      "statusC{ode}".replace("C{ode}", "{Code}"),
    ]
  ) {
    assert.ok(ownerOfCode(found(text)), text);
  }
  for (const text of ["zip_{code}", "country{Code}"]) {
    assert.ok(!ownerOfCode(found(text)), text);
  }
});
