import assert from "node:assert/strict";
import { elideJson } from "../../../src/compressors/json/elide.ts";
import { integrityOf } from "./digest_text.ts";
import { viewOfValue } from "./views.ts";

/** The text with parts left out; empty when nothing is. */
function elided(value: unknown, query = ""): string {
  const shorten = () => undefined;
  return elideJson(viewOfValue(value), { query, shorten })?.text ?? "";
}

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
const record = (i: number) => ({
  id: i,
  state: i % 4 === 0 ? "closed" : "open",
  text: `entry number ${i} of the list with some text in it`,
});

Deno.test("elideJson leaves out the middle of long lists and says what was there", () => {
  assert.equal(
    elided({ items: times(60, record), next: null }).replace(/ with some/g, ""),
    '{"items":[60 rows: id,state,text\n' +
      [0, 1, 2, 3].map((i) =>
        `${i},${record(i).state},${record(i).text}\n`.replace(/ with some/, "")
      ).join("") +
      "… items 5-58 omitted\n" +
      [58, 59].map((i) =>
        `${i},${record(i).state},${record(i).text}\n`.replace(/ with some/, "")
      ).join("") +
      "… the 54 omitted: state open×40, closed×14; id 4..57\n" +
      '],"next":null}',
  );
  const words = times(100, (i) => `src/module_${i}/file_${i}.ts`);
  assert.match(
    elided(words),
    /^\["src[^\n]*,… items 5-98 omitted,"src[^\n]*\]$/,
  );
});

Deno.test("elideJson names keys that it leaves out", () => {
  const wide = Object.fromEntries(
    times(90, (i) => [`setting_${i}`, `value ${i}`]),
  );
  assert.match(
    elided(wide),
    /… keys 5-88 omitted \(setting_4, setting_5, .* and \d+ more\),"setting_88"/,
  );
});

Deno.test("elideJson counts what it leaves out", () => {
  const view = viewOfValue(times(60, record));
  const outcome = elideJson(view, { query: "", shorten: () => undefined });
  assert.deepEqual(outcome?.omitted, { count: 54, total: 60, unit: "items" });
  const long = viewOfValue({ text: "word ".repeat(2_000) });
  const cut = elideJson(long, { query: "", shorten: () => undefined });
  assert.equal(cut?.omitted.unit, "chars");
});

Deno.test("elideJson leaves out digests, a column of them with one note", () => {
  const files = times(
    6,
    (i) => ({ path: `f${i}.ts`, integrity: integrityOf(i) }),
  );
  assert.match(
    elided({ files }),
    /^\{"files":\[6 rows: path,integrity=… sha512 omitted\nf0.ts\n/,
  );
});

Deno.test("elideJson shows what is nested in the first rows only, failures aside", () => {
  const row = (i: number) => ({
    name: `package-${i}`,
    targets: times(
      6 + i % 3,
      (k) => ({ kind: "lib", path: `src/a${k}.rs`, n: i }),
    ),
  });
  const rows: unknown[] = times(14, row);
  rows[13] = {
    ...row(13),
    targets: times(9, (k) => ({
      kind: k === 4 ? "Error: build failed" : "lib",
      path: `src/a${k}.rs`,
      n: 13,
    })),
  };
  const form = elided({ rows });
  assert.match(form, /package-2,\[… 8 items omitted\]/);
  assert.match(form, /package-1,\[\{"kind":"lib"/);
  assert.match(form, /Error: build failed/);
});

Deno.test("elideJson shortens long strings, and what strings hold", () => {
  assert.match(
    elided({ text: "word ".repeat(2_000) }),
    /^\{"text":"word .*…\(\d+ chars omitted\)….*word "\}$/,
  );
  const rows = JSON.stringify({ rows: times(80, record) });
  assert.match(
    elided({ content: [{ type: "text", text: rows }] }),
    /"text":string\(\{"rows":\[80 rows: id,state,text\n[^]*… items \d+-\d+ omitted/,
  );
  const view = viewOfValue({ out: "a\nb\n".repeat(400) });
  const shorten = () => "a\n… lines 2-800 omitted";
  assert.equal(
    elideJson(view, { query: "", shorten })?.text,
    '{"out":text in the next 2 lines, shortened:\na\n… lines 2-800 omitted\nend of text}',
  );
});

Deno.test("elideJson leaves short texts and texts without long parts alone", () => {
  assert.equal(elided(times(8, record)), "");
  assert.equal(elided({ a: { b: "c".repeat(300) }, d: "e".repeat(350) }), "");
});

Deno.test("elideJson gives a document of JSON Lines its lines", () => {
  const lines = times(40, record).map((one) => JSON.stringify(one)).join("\n");
  assert.match(
    elided(JSON.parse(`[${lines.replaceAll("\n", ",")}]`)),
    /^\[40 rows: id,state,text\n/,
  );
});
