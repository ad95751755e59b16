import assert from "node:assert/strict";
import {
  costText,
  countText,
  manyText,
  msText,
  savedText,
  shareText,
  shortId,
  statusText,
  timeText,
} from "../../src/cli/words.ts";
import { NOON, requestOf } from "./inspect/samples.ts";

Deno.test("countText and manyText put thousands apart and know one from many", () => {
  assert.equal(countText(1_234_567), "1,234,567");
  assert.equal(manyText(1, "line"), "1 line");
  assert.equal(manyText(0, "line"), "0 lines");
});

Deno.test("timeText gives day and time on the reader's clock", () => {
  assert.equal(timeText(NOON + 5000), "2026-01-31 12:00:05");
});

Deno.test("msText shows tenths of small times only", () => {
  assert.equal(msText(1.94), "1.9 ms");
  assert.equal(msText(0), "0 ms");
  assert.equal(msText(2310.4), "2,310 ms");
});

Deno.test("shareText has a minus for what was added, and always one decimal", () => {
  assert.equal(shareText(802, 1000), "80.2 %");
  assert.equal(shareText(400, 1000), "40.0 %");
  assert.equal(shareText(-10, 1000), "-1.0 %");
  assert.equal(shareText(0, 1000), "0.0 %");
  assert.equal(shareText(-5, 0), "0.0 %");
});

Deno.test("savedText says what became of tokens", () => {
  assert.equal(savedText(400, 1000), "saved 40.0 %");
  assert.equal(savedText(-31, 1000), "added 3.1 %");
  assert.equal(savedText(0, 0), "saved 0.0 %");
});

Deno.test("statusText says why a request is not just answered", () => {
  const cases = [
    [{ status: 200 }, "200"],
    [{ status: 200, cached: true }, "200 cached"],
    [{ status: 499 }, "499 aborted"],
    [{ status: 502 }, "502 failed"],
    [{ status: 404 }, "404 refused upstream"],
    [{ status: 404, provider: "passthrough" }, "404 passed through"],
    [{ status: 200, provider: "passthrough" }, "200 passed through"],
    [{ status: 502, provider: "passthrough" }, "502 failed"],
    [{ status: 429, refusedBy: "rate_limit" }, "429 refused: rate limit"],
    [{ status: 402, refusedBy: "budget" }, "402 refused: budget"],
  ] as const;
  for (const [parts, text] of cases) {
    assert.equal(statusText(requestOf(1, parts)), text);
  }
});

Deno.test("costText tells an estimate, an unknown price and no cost apart", () => {
  assert.equal(costText(requestOf(1)), "$0.0123");
  assert.equal(costText(requestOf(1, { costBasis: "estimated" })), "~$0.0123");
  assert.equal(costText(requestOf(1, { nanoUsd: undefined })), "?");
  const none = { costBasis: undefined, nanoUsd: undefined };
  assert.equal(costText(requestOf(1, none)), "-");
});

Deno.test("shortId takes the first eight characters", () => {
  assert.equal(shortId("0123456789"), "01234567");
});
