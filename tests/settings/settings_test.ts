import { LIMIT_ROWS } from "../../src/settings/limit_rows.ts";
import { UPSTREAM_ROWS } from "../../src/settings/upstream_rows.ts";
import { TELEMETRY_ROWS } from "../../src/settings/telemetry_rows.ts";
import { parseModelRoutes } from "../../src/settings/output_rows.ts";
import assert from "node:assert/strict";
import { COMPRESSION_ROWS } from "../../src/settings/compression_rows.ts";

Deno.test("COMPRESSION_ROWS turns code-aware compression off and on by flags of their own", () => {
  const { flag, flagAliases } = COMPRESSION_ROWS.codeAware;
  assert.deepEqual([flag, flagAliases], ["no-code-aware", ["code-aware"]]);
});

Deno.test("COMPRESSION_ROWS takes both modes, and refuses those of the library by name", () => {
  const { mode } = COMPRESSION_ROWS;
  for (const choice of mode.choices ?? []) mode.parse(choice);
  for (const word of ["audit", "optimize", "simulate"]) {
    assert.throws(() => mode.parse(word), {
      message:
        `Cannot use SVC_MODE="${word}": must be cache or token; ${word} is a mode of the library, not of the proxy`,
    });
  }
});

const { toolPolicy, protectToolResults } = COMPRESSION_ROWS;

Deno.test("COMPRESSION_ROWS reads rules in their order, names without capitals", () => {
  assert.deepEqual(
    toolPolicy.parse(
      " mcp__DB__* = lossless, Read=normal\nFetch=NEVER,",
    ),
    [
      { pattern: "mcp__db__*", rule: "lossless" },
      { pattern: "read", rule: "normal" },
      { pattern: "fetch", rule: "never" },
    ],
  );
});

Deno.test("COMPRESSION_ROWS refuses rules that are no pairs, naming the variable and the value", () => {
  for (
    const raw of ["Read", "Read=always", "=never", "a=b=never", "a b$=never"]
  ) {
    assert.throws(
      () => toolPolicy.parse(raw),
      (error: Error) =>
        error instanceof RangeError &&
        error.message.includes("SVC_TOOL_POLICY=") &&
        error.message.includes("name=lossless"),
    );
  }
});

Deno.test("COMPRESSION_ROWS makes lossless rules of names", () => {
  assert.deepEqual(protectToolResults.parse("Bash, mcp__x__*"), [
    { pattern: "bash", rule: "lossless" },
    { pattern: "mcp__x__*", rule: "lossless" },
  ]);
  assert.throws(() => protectToolResults.parse("Bash=never"), RangeError);
});

/** What is wrong with a rule. */
const problemsOf = (...rules: readonly unknown[]) =>
  parseModelRoutes(JSON.stringify(rules)).problems;

Deno.test("parseModelRoutes leaves out rules that it does not understand, and says which and why", () => {
  const { rules, problems } = parseModelRoutes(JSON.stringify([
    { to_model: "a" },
    { a: 1 },
    { to_model: "a", max_input_tokens: 1.5 },
    7,
    {},
  ]));
  assert.deepEqual(rules.map(({ name }) => name), ["rule 1"]);
  const rule = (n: number) => `Cannot use rule ${n} of SVC_MODEL_ROUTES: `;
  assert.deepEqual(problems, [
    `${rule(2)}"a" is not known`,
    `${rule(3)}"max_input_tokens" must be a number of tokens`,
    `${rule(4)}must be an object`,
    `${rule(5)}"to_model" is missing`,
  ]);
});

Deno.test("parseModelRoutes leaves out rules that no request fits", () => {
  const problems = problemsOf(
    { to_model: "a", from_models: [] },
    { to_model: "a", require_tools: true, require_no_tools: true },
    { to_model: "a", min_input_tokens: 10, max_input_tokens: "9" },
  );
  const rule = (n: number) => `Cannot use rule ${n} of SVC_MODEL_ROUTES: `;
  assert.deepEqual(problems, [
    `${rule(1)}"from_models" must be a list of names, left out for all models`,
    `${rule(2)}no request fits both "require_tools" and "require_no_tools"`,
    `${
      rule(3)
    }no request fits: "min_input_tokens" (10) is above "max_input_tokens" (9)`,
  ]);
});

Deno.test("parseModelRoutes takes rules that some request fits, also with numbers as texts", () => {
  const problems = problemsOf(
    { to_model: "a", from_models: ["b-*"] },
    { to_model: "a", require_tools: true, require_no_tools: false },
    { to_model: "a", min_input_tokens: "9", max_input_tokens: 10 },
    { to_model: "a", min_input_tokens: 9, max_input_tokens: 9 },
    { to_model: "a", min_input_tokens: 9 },
    { to_model: "a", max_input_tokens: 0 },
  );
  assert.deepEqual(problems, []);
});

Deno.test("TELEMETRY_ROWS switches the beacon off by each of its words, and by no other", () => {
  const { beacon } = TELEMETRY_ROWS;
  for (const word of ["off", "false", "0", "no", "disable", " Disabled "]) {
    assert.equal(beacon.parse(word), false, word);
  }
  for (const word of ["on", "1", "offf"]) {
    assert.equal(beacon.parse(word), true);
  }
});

Deno.test("TELEMETRY_ROWS takes any word but a plain no for DO_NOT_TRACK", () => {
  const { doNotTrack } = TELEMETRY_ROWS;
  for (const word of ["1", "yes", "please"]) {
    assert.equal(doNotTrack.parse(word), true, word);
  }
  for (const word of ["0", "False", " no ", "off"]) {
    assert.equal(doNotTrack.parse(word), false, word);
  }
});

Deno.test("TELEMETRY_ROWS leaves local statistics off for an unknown word", () => {
  const { telemetry } = TELEMETRY_ROWS;
  assert.deepEqual(
    ["on", "1", "enabled", "x"].map((word) => telemetry.parse(word)),
    [true, true, false, false],
  );
});

Deno.test("UPSTREAM_ROWS reads the base URL of each family without its slash at the end", () => {
  const { messagesApiUrl, chatApiUrl, vertexApiUrl, foundryApiUrl } =
    UPSTREAM_ROWS;
  for (const row of [messagesApiUrl, chatApiUrl, vertexApiUrl, foundryApiUrl]) {
    assert.equal(row.parse("https://a.example/x/"), "https://a.example/x");
    assert.throws(() => row.parse("https://u:hunter2@a.example"), {
      message:
        `Cannot use ${row.env}="https://***@a.example": must be an http or https URL without credentials, query or fragment`,
    });
  }
});

Deno.test("UPSTREAM_ROWS.httpProxy takes the URL of a proxy, user and password included, and repeats nothing of another", () => {
  const { httpProxy } = UPSTREAM_ROWS;
  assert.equal(httpProxy.parse("http://proxy:3128/"), "http://proxy:3128");
  assert.equal(httpProxy.parse(" https://u:p@proxy "), "https://u:p@proxy");
  for (
    const raw of ["proxy:3128", "socks5://proxy", "http://p/x", "http://p?x"]
  ) {
    assert.throws(() => httpProxy.parse(raw), {
      message:
        'Cannot use SVC_HTTP_PROXY="***": must be the URL of an HTTP proxy, e.g. http://proxy.example:3128',
    });
  }
});

Deno.test("LIMIT_ROWS.budget reads dollars as nano-dollars, exactly", () => {
  const { budget } = LIMIT_ROWS;
  assert.equal(budget.parse("0"), 0);
  assert.equal(budget.parse(" $2.50 "), 2_500_000_000);
  assert.equal(budget.parse("0.1"), 100_000_000);
  assert.equal(budget.parse("9000000"), 9_000_000e9);
  for (const raw of ["-1", "1e3", "1,000", "9000001", "$", "ten", "1."]) {
    assert.throws(
      () => budget.parse(raw),
      /^RangeError: Cannot use SVC_BUDGET=.* an amount of USD from 0 to 9000000/,
      raw,
    );
  }
});

Deno.test("LIMIT_ROWS.proxyToken takes long printable texts, and never repeats another", () => {
  const { proxyToken } = LIMIT_ROWS;
  const token = "0123456789abcde~";
  assert.equal(proxyToken.parse(` ${token} `), token);
  for (
    const raw of [
      "0123456789abcde",
      `0123456789 ${token}`,
      `${token}ü`,
      `${token}\n${token}`,
    ]
  ) {
    assert.throws(() => proxyToken.parse(raw), {
      message:
        'Cannot use SVC_PROXY_TOKEN="***": must be at least 16 printable characters without spaces',
    });
  }
});

Deno.test("LIMIT_ROWS.betaHeaderSticky reads a wrong word as one, for each request to say so", () => {
  const { betaHeaderSticky } = LIMIT_ROWS;
  assert.equal(betaHeaderSticky.parse(" enabled "), "enabled");
  assert.equal(betaHeaderSticky.parse("disabled"), "disabled");
  assert.equal(betaHeaderSticky.parse("on"), "invalid");
});

Deno.test("LIMIT_ROWS.modelLimits takes JSON and paths alike, as they are", () => {
  for (const raw of ['{"a":1}', "/x/models.json", " ~/m"]) {
    assert.equal(LIMIT_ROWS.modelLimits.parse(raw), raw);
  }
});
