import assert from "node:assert/strict";
import { describeGroup } from "../../../src/compressors/html/groups.ts";
import type { Region } from "../../../src/compressors/html/hints.ts";
import { parseHtml } from "../../../src/compressors/html/parse.ts";

function describe(
  html: string,
  { lines, region = "nav", alerts = [], terms = [] }: {
    lines: string[];
    region?: Region;
    alerts?: number[];
    terms?: string[];
  },
) {
  const page = parseHtml(html);
  return describeGroup({
    page,
    node: 0,
    region,
    lines,
    alerts: new Set(alerts),
    terms,
  });
}

const NAMES = Array.from(
  { length: 12 },
  (_, i) => `Section ${i === 7 ? "pumps" : "number"} ${i}`,
);
const LINKS = NAMES.map((name, i) => `<a href="/${i}">${name}</a>`).join("");
const LINES = NAMES.map((name, i) => `[${name}](/${i})`);

Deno.test("describeGroup counts links and names the first ones", () => {
  assert.deepEqual(describe(LINKS, { lines: LINES }), {
    note:
      "nav, 12 links (Section number 0, Section number 1, Section number 2, Section number 3, Section number 4, …)",
    kept: [],
  });
});

Deno.test("describeGroup names fields that are sent and quotes text without links", () => {
  const lines = [
    "We use cookies to measure, personalise and improve everything we do here.",
    "x".repeat(200),
  ];
  const { note } = describe(`<input name=q><input id=z>${"word ".repeat(40)}`, {
    lines,
    region: "banner",
  });
  assert.equal(
    note,
    'cookie banner, 274 characters ("We use cookies to measure, personalise and improve everythin…"), fields q',
  );
});

Deno.test("describeGroup keeps alerts, failures and lines that fit the query", () => {
  const lines = [...LINES, "Backup failed on db-2", "All fine", "Signed out"];
  const { kept } = describe(LINKS, { lines, alerts: [14], terms: ["pump"] });
  assert.deepEqual(kept, [
    "[Section pumps 7](/7)",
    "Backup failed on db-2",
    "Signed out",
  ]);
});

Deno.test("describeGroup does not take a link or a hidden message for a failure", () => {
  assert.deepEqual(
    describe(LINKS, { lines: [...LINES, "[Errors](/e)"] }).kept,
    [],
  );
  const lines = [...LINES, "Upload failed"];
  assert.deepEqual(
    describe(LINKS, { lines, region: "hidden", alerts: [12] }).kept,
    [],
  );
});

Deno.test("describeGroup writes a short part out", () => {
  assert.deepEqual(describe("<a href=x>Home</a>", { lines: ["[Home](x)"] }), {
    note: undefined,
    kept: ["[Home](x)"],
  });
});
