import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isModelsJson,
  openPricing,
  parseUserModels,
} from "../../src/cost/open_pricing.ts";
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

const parse = (value: unknown) =>
  parseUserModels(JSON.stringify(value), "models.json");

Deno.test("parseUserModels reads limits and prices of several providers", () => {
  const { limits, prices, sourceOf } = parse({
    local: {
      context_limits: { "My-Model": 32_768, least: 1, most: 1e9 },
      pricing: { "My-Model": { input: 0.5, output: 1.5, cached_input: 0.05 } },
    },
    other: {
      pricing: {
        "claude-x": { input: 4, output: 8 },
        "x": {
          input: 1,
          output: 2,
          cached_input: 0,
          cache_write: 3,
          cache_write_1h: 4,
        },
      },
    },
    empty: {},
  });
  assert.deepEqual(Object.fromEntries(limits), {
    "my-model": 32_768,
    least: 1,
    most: 1e9,
  });
  assert.deepEqual(prices.get("my-model")?.base, {
    input: 500_000,
    output: 1_500_000,
    cacheRead: 50_000,
    cacheWrite: 500_000,
    cacheWrite1h: 500_000,
  });
  assert.equal(prices.get("claude-x")?.base.cacheRead, 400_000);
  assert.deepEqual(prices.get("x")?.base, {
    input: 1_000_000,
    output: 2_000_000,
    cacheRead: 0,
    cacheWrite: 3_000_000,
    cacheWrite1h: 4_000_000,
  });
  assert.equal(sourceOf("x"), "models.json");
});

Deno.test("parseUserModels names the place and the value that it cannot use", () => {
  const price = "a number from 0 to 1000000 (USD per million tokens)";
  const limit = "an integer from 1 to 1000000000 (tokens)";
  const bad: readonly (readonly [unknown, string])[] = [
    [[], " models.json=[]: must be an object"],
    [{ p: 1 }, " models.json > p=1: must be an object"],
    [
      { p: { prices: {} } },
      " models.json > p > prices: must be context_limits or pricing",
    ],
    [
      { p: { pricing: null } },
      " models.json > p > pricing=null: must be an object",
    ],
    [
      { p: { context_limits: { m: "1" } } },
      ` models.json > p > context_limits > m="1": must be ${limit}`,
    ],
    [
      { p: { context_limits: { m: 0 } } },
      ` models.json > p > context_limits > m=0: must be ${limit}`,
    ],
    [
      { p: { context_limits: { m: 1e9 + 1 } } },
      ` models.json > p > context_limits > m=1000000001: must be ${limit}`,
    ],
    [
      { p: { context_limits: { m: 1.5 } } },
      ` models.json > p > context_limits > m=1.5: must be ${limit}`,
    ],
    [
      { p: { pricing: { m: { input: 1 } } } },
      ' models.json > p > pricing > m={"input":1}: must be an object with input and output',
    ],
    [
      { p: { pricing: { m: { input: -1, output: 1 } } } },
      ` models.json > p > pricing > m > input=-1: must be ${price}`,
    ],
    [
      { p: { pricing: { m: { input: 1, output: "2" } } } },
      ` models.json > p > pricing > m > output="2": must be ${price}`,
    ],
    [
      { p: { pricing: { m: { input: 1, output: 2e6 } } } },
      ` models.json > p > pricing > m > output=2000000: must be ${price}`,
    ],
    [
      { p: { pricing: { m: { input: 1, output: 2, toString: 3 } } } },
      " models.json > p > pricing > m > toString: must be input, output, cached_input, cache_write, cache_write_1h",
    ],
    [
      { p: { context_limits: { " ": 5 } } },
      " models.json > p > context_limits >  : must be a model name of 1 to 200 characters",
    ],
    [
      { p: { context_limits: { m: 5 } }, q: { context_limits: { M: 6 } } },
      " models.json > q > context_limits > M: must be the same as above: a request names its model, not its provider",
    ],
  ];
  for (const [value, message] of bad) {
    assert.throws(() => parse(value), {
      name: "RangeError",
      message: `Cannot use${message}`,
    });
  }
});

Deno.test("parseUserModels takes a model that stands twice with the same figures", () => {
  const p = { context_limits: { m: 5 } };
  assert.equal(parse({ p, q: p }).limits.get("m"), 5);
});

Deno.test("parseUserModels tells where text is not JSON, without repeating it", () => {
  assert.throws(() => parseUserModels('{\n "p": secret}', "SVC_MODEL_LIMITS"), {
    name: "RangeError",
    message: /^Cannot use SVC_MODEL_LIMITS: must be JSON/,
  });
  assert.throws(
    () => parseUserModels('{\n "p": secret}', "x"),
    (error: Error) => !error.message.includes("secret"),
  );
});

Deno.test("parseUserModels takes a byte order mark", () => {
  assert.equal(parseUserModels("\uFEFF{}", "x").limits.size, 0);
});

Deno.test("parseUserModels reads or throws a RangeError, for any JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom("", "p"), (value, p) => {
      const text = JSON.stringify(p === "" ? value : { p: { pricing: value } });
      try {
        for (const { base } of parseUserModels(text, "x").prices.values()) {
          assert.ok(Object.values(base).every(Number.isSafeInteger));
        }
      } catch (error) {
        assert.ok(error instanceof RangeError);
      }
    }),
  );
});

Deno.test("isModelsJson tells JSON from the path of a file", () => {
  assert.equal(isModelsJson(' {"p":{}}'), true);
  assert.equal(isModelsJson("/etc/svc/models.json"), false);
});
