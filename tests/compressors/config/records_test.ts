import assert from "node:assert/strict";
import {
  RecordFinder,
  weightOf,
} from "../../../src/compressors/config/records.ts";
import { viewConfig } from "../../../src/compressors/config/view.ts";

function recordsAt(lines: readonly string[], i = 0) {
  const view = viewConfig(lines.join("\n") + "\n");
  return new RecordFinder(view).at(i, view.kinds.length);
}

const variables = [
  "HOST",
  "PORT",
  "USER",
  "NAME",
  "MODE",
  "SIZE",
  "KIND",
  "ZONE",
  "TIME",
].flatMap((
  name,
  i,
) => [
  `      - name: DATABASE_${name}`,
  `        value: setting-${i}`,
]);

Deno.test("RecordFinder.at writes a row for each further record", () => {
  assert.deepEqual(recordsAt(variables), {
    lines: 2,
    replaced: 16,
    written: [
      "… (8 more like these 2 lines, as name: | value:)",
      "DATABASE_PORT | setting-1",
      "DATABASE_USER | setting-2",
      "DATABASE_NAME | setting-3",
      "DATABASE_MODE | setting-4",
      "DATABASE_SIZE | setting-5",
      "DATABASE_KIND | setting-6",
      "DATABASE_ZONE | setting-7",
      "DATABASE_TIME | setting-8",
    ],
  });
});

Deno.test("RecordFinder.at names what differs only", () => {
  const modules = ["boto3", "celery", "kombu", "geopy"].flatMap((name) => [
    "[[tool.mypy.overrides]]",
    `module = "${name}.*"`,
    "ignore_missing_imports = true",
    "",
  ]);
  assert.deepEqual(recordsAt(modules)?.written, [
    "… (3 more like these 4 lines, as module =)",
    '"celery.*"',
    '"kombu.*"',
    '"geopy.*"',
  ]);
});

Deno.test("RecordFinder.at leaves few records, odd blanks and bars in values alone", () => {
  assert.equal(recordsAt(variables.slice(0, 4)), undefined);
  const odd = variables.with(3, "        value:    setting-1");
  assert.equal(recordsAt(odd), undefined);
  const bar = variables.with(3, "        value: a | b");
  assert.equal(recordsAt(bar), undefined);
});

Deno.test("RecordFinder.at looks no further than it is told", () => {
  const view = viewConfig(variables.join("\n"));
  assert.equal(new RecordFinder(view).at(0, 16)?.replaced, 14);
});

Deno.test("weightOf counts blanks at the start of a line as one", () => {
  const view = viewConfig("a:\n        b: 1\n");
  assert.equal(weightOf(view, 0, 2), "a:\n".length + " b: 1\n".length);
});
