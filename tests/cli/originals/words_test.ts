import assert from "node:assert/strict";
import {
  ageText,
  nameText,
  sizeText,
} from "../../../src/cli/originals/words.ts";

Deno.test("sizeText gives three digits in a unit that fits", () => {
  const sizes = [0, 1, 999, 1000, 9994, 9995, 99_949, 99_950, 999_499, 999_500];
  assert.deepEqual(sizes.map(sizeText), [
    "0 bytes",
    "1 bytes",
    "999 bytes",
    "1.00 kB",
    "9.99 kB",
    "10.0 kB",
    "99.9 kB",
    "100 kB",
    "999 kB",
    "1.00 MB",
  ]);
  assert.equal(sizeText(2 ** 30), "1.07 GB");
  assert.equal(sizeText(5e12), "5000 GB");
});

Deno.test("ageText names the largest unit and rounds down", () => {
  const seconds = [-5, 0, 0.9, 59, 60, 3599, 3600, 86_399, 86_400, 1e6];
  assert.deepEqual(seconds.map((one) => ageText(one * 1000)), [
    "0 s",
    "0 s",
    "0 s",
    "59 s",
    "1 min",
    "59 min",
    "1 h",
    "23 h",
    "1 d",
    "11 d",
  ]);
});

Deno.test("nameText lets no name break a line or colour a terminal", () => {
  assert.equal(nameText(""), "-");
  assert.equal(nameText("a\n\x1b[31m\u202eb"), "a??[31m?b");
  assert.equal(nameText("x".repeat(32)), "x".repeat(32));
  assert.equal(nameText("😀".repeat(40)), `${"😀".repeat(31)}…`);
});
