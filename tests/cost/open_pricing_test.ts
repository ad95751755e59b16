import assert from "node:assert/strict";
import { openPricing } from "../../src/cost/open_pricing.ts";
import { resolvePaths } from "../../src/settings/paths.ts";

const PATHS = resolvePaths({ HOME: "/h" });

/** A file that gives `model` a price and a limit. */
const modelsFile = (input: number, tokens: number, model = "mine") =>
  JSON.stringify({
    p: {
      pricing: { [model]: { input, output: 0 } },
      context_limits: { [model]: tokens },
    },
  });

/** Opens prices over these files; a file of `undefined` cannot be read. */
async function opened(
  files: Readonly<Record<string, string | undefined>>,
  modelLimits?: string,
  paths: typeof PATHS | undefined = PATHS,
) {
  const read: string[] = [];
  const logged: unknown[] = [];
  const pricing = await openPricing({ modelLimits, paths }, {
    log: (...record) => void logged.push(record),
    readText(path) {
      read.push(path);
      if (path in files && files[path] === undefined) {
        return Promise.reject(new Error("Permission denied"));
      }
      return Promise.resolve(files[path]);
    },
  });
  return {
    limitOf: (model: string) => pricing.limitOf(model).tokens,
    /** Nano-dollars of a thousand tokens. */
    costOf: (model: string) =>
      pricing.costOf({
        model,
        status: 200,
        rounds: [{ input: 1000 }],
        tokensAfter: 0,
        saved: { fresh: 0, kept: 0, addedFresh: 0, addedKept: 0 },
      })?.nanoUsd,
    read,
    logged,
  };
}

Deno.test("openPricing knows the built-in prices where there is no file, and nothing else", async () => {
  const { costOf, read, logged } = await opened({});
  assert.equal(costOf("gpt-4o"), 2_500_000);
  assert.deepEqual(read, [PATHS.models, PATHS.legacyModels]);
  assert.deepEqual(logged, []);
  assert.equal(costOf("mine"), undefined);
});

Deno.test("openPricing takes models.json before the built-in prices, and the older place only without it", async () => {
  const older = { [PATHS.legacyModels]: modelsFile(3, 300) };
  const first = await opened(older);
  assert.equal(first.costOf("mine"), 3_000_000);
  const both = await opened({ ...older, [PATHS.models]: modelsFile(2, 200) });
  assert.equal(both.costOf("mine"), 2_000_000);
  assert.deepEqual(both.read, [PATHS.models]);
  const own = await opened({ [PATHS.models]: modelsFile(9, 900, "gpt-4o") });
  assert.equal(own.costOf("gpt-4o"), 9_000_000);
});

Deno.test("openPricing takes SVC_MODEL_LIMITS before models.json, JSON and path alike", async () => {
  const files = {
    [PATHS.models]: modelsFile(2, 200),
    "/x.json": modelsFile(1, 100),
  };
  for (const limits of [` ${modelsFile(1, 100)}`, "/x.json"]) {
    const { costOf, limitOf } = await opened(files, limits);
    assert.equal(costOf("mine"), 1_000_000);
    assert.equal(limitOf("mine"), 100);
  }
});

Deno.test("openPricing ignores a models.json that it cannot use with one warning, and does not look elsewhere", async () => {
  const older = { [PATHS.legacyModels]: modelsFile(3, 300) };
  for (const [text, reason] of [["[", /must be JSON/], [undefined, /Perm/]]) {
    const files = { ...older, [PATHS.models]: text as string | undefined };
    const { costOf, logged } = await opened(files);
    assert.equal(logged.length, 1);
    const [[level, event, fields]] = logged as [
      [string, string, { path: string; reason: string }],
    ];
    assert.deepEqual(
      [level, event, fields.path],
      ["warn", "models_file_ignored", PATHS.models],
    );
    assert.match(fields.reason, reason as RegExp);
    assert.equal(costOf("mine"), undefined);
  }
});

Deno.test("openPricing refuses a SVC_MODEL_LIMITS that it cannot use", async () => {
  await assert.rejects(opened({}, "/none.json"), {
    name: "RangeError",
    message:
      'Cannot use SVC_MODEL_LIMITS="/none.json": there is no such file; it must be a JSON object or the path of a JSON file',
  });
  await assert.rejects(opened({ "/x": undefined }, "/x"), {
    name: "RangeError",
    message:
      'Cannot use SVC_MODEL_LIMITS="/x": Permission denied; it must be a JSON object or the path of a JSON file',
  });
  await assert.rejects(
    opened({}, '{"p":1}'),
    /^RangeError: .*SVC_MODEL_LIMITS > p=1/,
  );
  await assert.rejects(opened({ "/x": "{" }, "/x"), /^RangeError: .*\/x/);
});

Deno.test("openPricing reads nothing of its own where nothing may be written", async () => {
  const pricing = await openPricing(
    { modelLimits: undefined, paths: undefined },
    { log: () => {}, readText: () => assert.fail("nothing is read") },
  );
  assert.equal(pricing.limitOf("gpt-4o").inferred, false);
});
