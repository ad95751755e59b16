import assert from "node:assert/strict";
import {
  choiceRow,
  headerMapRow,
  integerRow,
  listRow,
  numberRow,
  optionalSwitchRow,
  secondsRow,
  switchRow,
  textRow,
} from "../../src/settings/row_kinds.ts";

const words = { env: "X", doc: "What it does." };

Deno.test("switchRow and optionalSwitchRow take the words of switches", () => {
  const row = switchRow({ ...words, fallback: true });
  assert.deepEqual([row.type, row.fallback, row.parse("off")], [
    "bool",
    true,
    false,
  ]);
  const optional = optionalSwitchRow(words);
  assert.equal(optional.type, "optional-bool");
  assert.equal(optional.fallback, undefined);
  assert.throws(() => optional.parse("maybe"), /^RangeError: Cannot use X=/);
});

Deno.test("integerRow, numberRow and secondsRow keep the bounds that they say", () => {
  const whole = integerRow({ ...words, fallback: 2, min: 1, max: 3 });
  assert.deepEqual([whole.min, whole.max, whole.parse("3")], [1, 3, 3]);
  assert.throws(() => whole.parse("4"), /an integer from 1 to 3/);
  const any = numberRow({ ...words, fallback: undefined, min: 0 });
  assert.equal(any.parse("0.5"), 0.5);
  assert.throws(() => any.parse("-1"), /a number of at least 0/);
  const seconds = secondsRow({ ...words, fallback: 1, min: 0.5, max: 2 });
  assert.throws(() => seconds.parse("3"), /of seconds from 0.5 to 2/);
});

Deno.test("choiceRow, textRow, listRow and headerMapRow say their types", () => {
  const choice = choiceRow({ ...words, fallback: "a", choices: ["a", "b"] });
  assert.deepEqual([choice.type, choice.choices], ["enum", ["a", "b"]]);
  assert.throws(() => choice.parse("c"), /must be a or b/);
  const text = textRow({ ...words, fallback: undefined });
  assert.deepEqual([text.type, text.parse(" x ")], ["str", " x "]);
  const upper = textRow({
    ...words,
    fallback: "",
    parse: (raw) => raw.toUpperCase(),
  });
  assert.equal(upper.parse("a"), "A");
  const list = listRow({ ...words, parse: (raw) => raw.split(",") });
  assert.deepEqual([list.type, list.fallback], ["csv-list", []]);
  const map = headerMapRow(words);
  assert.deepEqual([map.type, map.secret], ["header-map", true]);
  assert.deepEqual(map.parse('{"A":"b"}'), [["a", "b"]]);
});
