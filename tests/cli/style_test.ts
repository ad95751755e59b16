import assert from "node:assert/strict";
import { makeStyle } from "../../src/cli/style.ts";

Deno.test("makeStyle colours on a terminal", () => {
  assert.equal(makeStyle(true, {}).failure("x"), "\x1b[31mx\x1b[0m");
});

Deno.test("makeStyle leaves texts as they are off a terminal, with NO_COLOR and on a dumb terminal", () => {
  for (
    const style of [
      makeStyle(false, {}),
      makeStyle(true, { NO_COLOR: "1" }),
      makeStyle(true, { TERM: "dumb" }),
    ]
  ) {
    for (const paint of Object.values(style)) assert.equal(paint("x"), "x");
  }
});

Deno.test("makeStyle colours when NO_COLOR is there but empty", () => {
  assert.notEqual(makeStyle(true, { NO_COLOR: "" }).strong("x"), "x");
});
