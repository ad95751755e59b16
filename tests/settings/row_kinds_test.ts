import assert from "node:assert/strict";
import { SETTINGS } from "../../src/settings/registry.ts";
import {
  choiceRow,
  integerRow,
  listRow,
  secondsRow,
  settingRow,
  switchRow,
  textRow,
} from "../../src/settings/row_kinds.ts";

const words = { name: "X", doc: "What it does." };

Deno.test("settingRow reads variables, flags and the placeholder from one text", () => {
  const { parse, ...row } = settingRow("CCR", {
    name: "SVC_A_B, OLD_AB, --no-ab, --ab <a, b>",
    doc: "What it does.",
    type: "str",
    fallback: "",
    parse: (env, raw) => env + raw,
  });
  assert.equal(parse("!"), "SVC_A_B!");
  assert.deepEqual(row, {
    env: "SVC_A_B",
    aliases: ["OLD_AB"],
    flag: "no-ab",
    flagAliases: ["ab"],
    placeholder: "<a, b>",
    key: "a_b",
    label: "A b",
    group: "CCR",
    doc: "What it does.",
    type: "str",
    fallback: "",
  });
});

Deno.test("settingRow makes up key and label unless they are given", () => {
  assert.equal(SETTINGS.requestsPerMinute.key, "rpm");
  assert.equal(SETTINGS.maxKeepalive.key, "max_keepalive_connections");
  assert.equal(SETTINGS.doNotTrack.key, "do_not_track");
  assert.equal(SETTINGS.maxConnections.label, "Max connections");
  assert.equal(SETTINGS.http2.label, "HTTP/2");
});

Deno.test("switchRow takes the words of switches", () => {
  const row = switchRow("CCR", { ...words, fallback: true });
  assert.deepEqual([row.type, row.parse("off")], ["bool", false]);
  assert.throws(() => row.parse("maybe"), /^RangeError: Cannot use X=/);
});

Deno.test("integerRow and secondsRow keep the bounds that they say", () => {
  const whole = integerRow("CCR", { ...words, fallback: 2, min: 1, max: 3 });
  assert.deepEqual([whole.min, whole.max, whole.parse("3")], [1, 3, 3]);
  assert.throws(() => whole.parse("4"), /an integer from 1 to 3/);
  const seconds = secondsRow("CCR", {
    ...words,
    fallback: 1,
    min: 0.5,
    max: 2,
  });
  assert.equal(seconds.parse("0.5"), 0.5);
  assert.throws(() => seconds.parse("3"), /of seconds from 0.5 to 2/);
});

Deno.test("choiceRow, textRow and listRow say their types", () => {
  const choices = ["a", "b"] as const;
  const choice = choiceRow("CCR", { ...words, fallback: "a", choices });
  assert.deepEqual([choice.type, choice.choices], ["enum", choices]);
  assert.throws(() => choice.parse("c"), /must be a or b/);
  const text = textRow("CCR", { ...words, fallback: undefined });
  assert.deepEqual([text.type, text.parse(" x ")], ["str", " x "]);
  const list = listRow("CCR", { ...words, parse: (_, raw) => raw.split(",") });
  assert.deepEqual([list.type, list.fallback], ["csv-list", []]);
});
