import assert from "node:assert/strict";
import { windowsOf } from "../../src/engine/windows.ts";
import { codesOf } from "../../src/text/lines.ts";
import { minified } from "../compressors/dense/samples.ts";

function kept(line: string, terms: readonly string[] = []): string[] {
  return windowsOf(codesOf(line), { start: 0, end: line.length }, terms)
    .map(({ start, end }) => line.slice(start, end));
}

Deno.test("windowsOf keeps both ends, cut between words", () => {
  const line = minified(3000);
  const [head, tail, ...others] = kept(line);
  assert.deepEqual(others, []);
  assert.ok(head!.length >= 160 && head!.length < 200);
  assert.ok(line.endsWith(tail!) && tail!.length >= 80);
  assert.ok(!/\w$/.test(head!) || !/^\w/.test(line.slice(head!.length)));
});

Deno.test("windowsOf keeps the places where the terms of a query stand together", () => {
  const code = minified(4000);
  const line = `${code}openLid(3);${code}closeLid(4);${code}lid=1;${code}`;
  const parts = kept(line, ["open", "lid"]);
  assert.ok(parts.some((part) => part.includes("openLid(3);")));
});

Deno.test("windowsOf keeps messages of errors, not names with the word", () => {
  const code = minified(2000);
  const parts = kept(
    `${code}onError=f;${code}E("error: the lid is not open");${code}`,
  );
  assert.ok(parts.some((part) => part.includes("error: the lid is not open")));
  assert.ok(parts.every((part) => !part.includes("onError=f")));
});

Deno.test("windowsOf keeps a short line whole", () => {
  assert.deepEqual(kept(minified(250)).length, 1);
});
