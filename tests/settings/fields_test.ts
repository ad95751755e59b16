import assert from "node:assert/strict";
import fc from "fast-check";
import {
  defaultOf,
  jsonOf,
  MASK,
  namesOf,
  rawOf,
  rowNamed,
  shownValue,
} from "../../src/settings/fields.ts";
import { ROWS, SETTINGS } from "../../src/settings/registry.ts";
import type { SettingRow } from "../../src/settings/row.ts";

Deno.test("rowNamed finds a row under each of its names", () => {
  for (const row of ROWS) {
    for (const name of namesOf(row)) assert.equal(rowNamed(name), row);
  }
  assert.equal(rowNamed("toString"), undefined);
});

Deno.test("defaultOf gives JSON, null for none", () => {
  assert.equal(defaultOf(SETTINGS.stripInternalHeaders), "enabled");
  assert.equal(defaultOf(SETTINGS.requestsPerMinute), null);
  assert.equal(defaultOf(SETTINGS.toolPolicy), null);
  assert.equal(defaultOf(SETTINGS.http2), true);
  assert.equal(defaultOf(SETTINGS.port), 8787);
});

Deno.test("shownValue masks a secret that is set, and only that", () => {
  const given = (raw: string) => ({ name: "X", raw, source: "file" } as const);
  const { proxyToken, httpProxy, budget } = SETTINGS;
  assert.equal(shownValue(proxyToken, given("0123456789abcdef")), MASK);
  assert.equal(shownValue(httpProxy, undefined), null);
  assert.equal(shownValue(budget, given("$2.50")), 2.5);
  assert.equal(shownValue(budget, undefined), null);
  assert.equal(MASK, "••••••");
});

/** Texts that a row takes. */
function textsOf(row: SettingRow<unknown>): fc.Arbitrary<string> {
  const { min = 0, max = 1e6 } = row;
  switch (row.type) {
    case "bool":
    case "optional-bool":
      return fc.constantFrom("true", "0", "YES", " off ");
    case "int":
      return fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
        .map((value) => ` ${value}`);
    case "float":
      return fc.integer({ min: Math.ceil(min * 1000), max: max * 1000 })
        .map((value) => (value / 1000).toFixed(3));
    case "enum":
      return fc.constantFrom(...row.choices ?? [String(row.fallback)]);
    case "header-map":
      return fc.dictionary(
        fc.stringMatching(/^x-[a-z]{1,5}$/),
        fc.stringMatching(/^[!-~]{0,8}$/),
      ).map((map) => JSON.stringify(map));
    default:
      return fc.constantFrom(...TEXTS.filter((text) => takes(row, text)));
  }
}

/** At least one for each setting that takes a text of some form. */
const TEXTS = [
  "[]",
  ...["a", "a.example", "a,b", "10.0.0.0/8", "a=never,b=normal", "1.5"],
  ...["http://a.example/x", "http://u:p@h:1", "https://a.example"],
  ...["::1", "0123456789abcdef0", "a=b,c=%20d", "stable", "x y"],
];

Deno.test("jsonOf and rawOf give back what every text of every setting means", () => {
  for (const row of ROWS) {
    fc.assert(
      fc.property(textsOf(row), (raw) => {
        assert.ok(takes(row, raw), `${row.env} ${raw}`);
        const json = JSON.parse(JSON.stringify(jsonOf(row, raw)));
        const again = rawOf(row, json);
        assert.notEqual(again, undefined, row.env);
        assert.deepEqual(meaning(row, again!), meaning(row, raw), row.env);
        // What is written once is written the same ever after.
        assert.deepEqual(jsonOf(row, again!), json, row.env);
      }),
      { numRuns: 20 },
    );
  }
});

function takes(row: SettingRow<unknown>, raw: string): boolean {
  try {
    row.parse(raw);
    return row.choices?.includes(raw.trim()) ?? true;
  } catch (error) {
    assert.ok(error instanceof RangeError);
    return false;
  }
}

/** Header fields are a set. */
function meaning(row: SettingRow<unknown>, raw: string): unknown {
  const value = row.parse(raw);
  return row.type === "header-map" ? [...value as string[][]].sort() : value;
}

Deno.test("rawOf takes null and an empty text for none", () => {
  for (const row of ROWS) {
    assert.equal(rawOf(row, null), undefined);
    assert.equal(rawOf(row, ""), undefined);
  }
  assert.equal(rawOf(SETTINGS.toolPolicy, []), undefined);
});

Deno.test("rawOf takes lists, objects, 1 and 0 where they fit", () => {
  assert.equal(rawOf(SETTINGS.protectToolResults, ["Bash", "Web"]), "Bash,Web");
  assert.equal(rawOf(SETTINGS.messagesApiHeaders, { a: "b" }), '{"a":"b"}');
  assert.equal(rawOf(SETTINGS.lossless, 1), "1");
  assert.equal(rawOf(SETTINGS.budget, 1e-7), "0.0000001");
  assert.equal(rawOf(SETTINGS.requestsPerMinute, 7), "7");
});

Deno.test("rawOf refuses values of another kind, and says what it takes", () => {
  const wrong: [SettingRow<unknown>, unknown][] = [
    [SETTINGS.requestsPerMinute, true],
    [SETTINGS.requestsPerMinute, 1.5],
    [SETTINGS.requestsPerMinute, []],
    [SETTINGS.budget, Infinity],
    [SETTINGS.lossless, 2],
    [SETTINGS.lossless, "maybe"],
    [SETTINGS.host, true],
    [SETTINGS.host, 5],
    [SETTINGS.mode, "audit"],
    [SETTINGS.betaHeaderSticky, "sometimes"],
    [SETTINGS.protectToolResults, ["a,b"]],
    [SETTINGS.protectToolResults, [1]],
    [SETTINGS.messagesApiHeaders, { a: 1 }],
    [SETTINGS.messagesApiHeaders, ["a"]],
    [SETTINGS.stateless, {}],
  ];
  for (const [row, value] of wrong) {
    assert.throws(
      () => rawOf(row, value, "it"),
      (error: Error) =>
        error instanceof RangeError && /^Cannot use it[=:]/.test(error.message),
      `${row.env} ${JSON.stringify(value)}`,
    );
  }
});
