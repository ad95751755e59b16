import assert from "node:assert/strict";
import { LIMIT_ROWS } from "../../src/settings/limit_rows.ts";

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

Deno.test("LIMIT_ROWS takes the words of the budget's period and basis, and no others", () => {
  const { budgetPeriod, budgetEstimatedBasis } = LIMIT_ROWS;
  for (const word of ["hourly", "daily", "monthly"]) {
    assert.equal(budgetPeriod.parse(word), word);
  }
  for (const word of ["count", "ignore", "block"]) {
    assert.equal(budgetEstimatedBasis.parse(word), word);
  }
  assert.throws(
    () => budgetPeriod.parse("weekly"),
    /SVC_BUDGET_PERIOD="weekly"/,
  );
  assert.throws(
    () => budgetEstimatedBasis.parse("Count"),
    /SVC_BUDGET_ESTIMATED_BASIS="Count"/,
  );
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

Deno.test("LIMIT_ROWS reads networks and switches under the names of its settings", () => {
  const { trustedClients, trustedGateways, compressAllowRemote, cacheEnabled } =
    LIMIT_ROWS;
  for (const row of [trustedClients, trustedGateways]) {
    const [[address, bits] = []] = row.parse("10.0.0.0/8");
    assert.equal(`${address}/${bits}`, "10.0.0.0/8");
    assert.throws(
      () => row.parse("10.0.0.0/33"),
      (error: Error) => error.message.includes(`${row.env}="10.0.0.0/33"`),
    );
  }
  for (const row of [compressAllowRemote, cacheEnabled]) {
    assert.deepEqual([row.parse("on"), row.parse("0")], [true, false]);
  }
});

Deno.test("LIMIT_ROWS.modelLimits takes JSON and paths alike, as they are", () => {
  for (const raw of ['{"a":1}', "/x/models.json", " ~/m"]) {
    assert.equal(LIMIT_ROWS.modelLimits.parse(raw), raw);
  }
});
