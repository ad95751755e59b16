import assert from "node:assert/strict";
import { BodyScanner } from "../../src/bytes/body_scan.ts";
import { scanStreamOptions } from "../../src/providers/stream_options.ts";

Deno.test("scanStreamOptions finds include_usage where it is true, and passes over everything else", () => {
  for (
    const [value, expected] of [
      ['{"include_usage":true}', true],
      ['{"x":{"y":1},"include_usage" : true}', true],
      ['{"include_usage":false}', false],
      ['{"include_usage":"true"}', false],
      ["{}", false],
      ["null", false],
      ["[true]", false],
    ] as const
  ) {
    const body = `{"stream_options": ${value},"x":1}`;
    const scan = new BodyScanner(new TextEncoder().encode(body));
    scan.cursor.object((key) => {
      if (key === "stream_options") scanStreamOptions(scan);
    });
    scan.cursor.end();
    assert.equal(scan.includeUsage, expected, value);
  }
});
