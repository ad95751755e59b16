import assert from "node:assert/strict";
import { recogniseWrapped } from "../../../src/compressors/wrapped/recognise.ts";

Deno.test("recogniseWrapped claims an output in a wrapper and nothing else", () => {
  assert.equal(recogniseWrapped("<stdout>\na\nb\n</stdout>"), 1);
  assert.equal(recogniseWrapped("Exit code: 0\nOutput:\na\n"), 1);
  assert.equal(recogniseWrapped("<html><body>a</body></html>"), 0);
  assert.equal(recogniseWrapped("a\nb\n"), 0);
});
