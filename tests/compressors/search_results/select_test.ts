import assert from "node:assert/strict";
import { parseSearch } from "../../../src/compressors/search_results/parse.ts";
import { selectRows } from "../../../src/compressors/search_results/select.ts";
import { grepLines } from "./samples.ts";

function kept(
  lines: readonly string[],
  terms: readonly string[] = [],
): string[] {
  const keep = selectRows(parseSearch(lines.join("\n")), terms);
  return lines.filter((_, i) => keep[i]);
}

Deno.test("selectRows shows the files with the most matches when there are too many", () => {
  const lines = [
    ...grepLines(200, 1),
    ...grepLines(1, 9).map((line) => `z/${line}`),
  ];
  const stay = kept(lines);
  assert.ok(stay.some((line) => line.startsWith("z/")));
  assert.ok(stay.length <= 80);
});

Deno.test("selectRows ignores error words when they are what was searched for", () => {
  const lines = Array.from(
    { length: 300 },
    (_, i) => `src/a.ts:${i}: throw new Error("${i}")`,
  );
  assert.ok(kept(lines).length <= 80);
});

Deno.test("selectRows keeps context next to a kept match", () => {
  const lines = grepLines(4, 30).flatMap((line) => [
    line.replace(/:(\d+):/, (_, n) => `-${n - 1}-`).replace("const", "before"),
    line,
    "--",
  ]);
  const stay = kept(lines);
  const first = lines.indexOf(stay.find((line) => line.includes(":"))!);
  assert.ok(stay.includes(lines[first - 1]!));
});

Deno.test("selectRows keeps what fits the terms", () => {
  const lines = grepLines(3, 80);
  lines[133] = lines[133]!.replace("compute", "reconcile");
  assert.ok(kept(lines, ["reconcile"]).includes(lines[133]));
});
