import assert from "node:assert/strict";
import {
  checkCompress,
  checkOptions,
  checkRetrieve,
} from "../../src/sdk/arguments.ts";
import type { CompressOptions } from "../../src/sdk/compress_types.ts";
import { ConfigurationError, ValidationError } from "../../src/sdk/errors.ts";
import type { SvcOptions } from "../../src/sdk/svc_types.ts";

Deno.test("checkCompress takes what is right, and passes over what it does not know", () => {
  checkCompress([], {});
  checkCompress([1], {
    model: "m",
    tokenBudget: 1,
    lossless: true,
    protectRecent: 0,
    protectAnalysisContext: false,
    query: "",
    format: "google",
    conversation: "c",
    headroomMode: "audit",
    hooks: {},
    signal: AbortSignal.abort(),
  });
  const later = { later: 1, model: undefined };
  checkCompress([], later as unknown as CompressOptions);
});

Deno.test("checkCompress names the argument, and shows no text that could be one of a conversation", () => {
  const secret = "my secret ".repeat(10);
  assert.throws(() => checkCompress(secret, {}), (error) => {
    assert(error instanceof ValidationError);
    assert.equal(error.message, "Cannot use messages: must be an array");
    assert.deepEqual(error.details, { argument: "messages" });
    return true;
  });
  const options = { lossless: secret } as unknown as CompressOptions;
  assert.throws(
    () => checkCompress([], options),
    /^ValidationError: Cannot use options\.lossless: must be true or false$/,
  );
});

Deno.test("checkRetrieve wants texts", () => {
  checkRetrieve("h", { lines: "1", query: "x", path: "a" });
  assert.throws(() => checkRetrieve(undefined, {}), /hash=undefined/);
  const part = { lines: 3 } as unknown as { lines: string };
  assert.throws(() => checkRetrieve("h", part), /part\.lines=3: must be a str/);
});

Deno.test("checkOptions refuses with an error about the configuration", () => {
  checkOptions({ codeAware: true, toolPolicy: [], hooks: {} });
  const options = { toolPolicy: "none" } as unknown as SvcOptions;
  assert.throws(() => checkOptions(options), (error) => {
    assert(error instanceof ConfigurationError);
    assert.match(error.message, /toolPolicy="none": must be an array/);
    return true;
  });
  const wrong: readonly object[] = [
    { toolPolicy: [{ pattern: "x", rule: "maybe" }] },
    { toolPolicy: [null] },
    { compressors: [{ recognise: () => 1 }] },
    { compressors: [{ recognise: 1, compressor: { id: "x", compress() {} } }] },
  ];
  for (const one of wrong) {
    assert.throws(() => checkOptions(one), /must be an array/);
  }
});
