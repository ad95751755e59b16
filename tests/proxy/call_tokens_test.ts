import { supportedClaim } from "../../src/proxy/call_tokens.ts";
import assert from "node:assert/strict";
import fc from "fast-check";

const OWN = { sent: 100, received: 9, maxOutput: undefined };

Deno.test("supportedClaim keeps what our own count supports, as an estimate", () => {
  const claim = { input: 10, cacheRead: 70, cacheWrite: 20, output: 5 };
  assert.deepEqual(supportedClaim(claim, OWN), {
    ...claim,
    outputEstimate: 5,
  });
});

Deno.test("supportedClaim bounds prompt and answer by what was sent and received", () => {
  assert.deepEqual(
    supportedClaim(
      { input: 1, cacheWrite1h: 1e9, output: 5e8, outputEstimate: 7 },
      OWN,
    ),
    { input: 100, output: 9, outputEstimate: 9 },
  );
});

Deno.test("supportedClaim counts the answer by its size where nothing is claimed of it", () => {
  assert.deepEqual(supportedClaim({ input: 3 }, OWN), {
    input: 3,
    output: 9,
    outputEstimate: 9,
  });
  assert.deepEqual(supportedClaim({}, OWN), {});
});

Deno.test("supportedClaim never exceeds our own count", () => {
  const tokens = fc.option(fc.nat(), { nil: undefined });
  const claims = fc.record({
    input: tokens,
    output: tokens,
    cacheRead: tokens,
    cacheWrite: tokens,
    cacheWrite1h: tokens,
  });
  const own = fc.record({
    sent: fc.nat(),
    received: fc.nat(),
    maxOutput: tokens,
  });
  fc.assert(fc.property(claims, own, (raw, own) => {
    const claim = Object.fromEntries(
      Object.entries(raw).filter(([, value]) => value !== undefined),
    );
    const { input = 0, output = 0, ...cached } = supportedClaim(claim, own);
    const { cacheRead = 0, cacheWrite = 0, cacheWrite1h = 0 } = cached;
    const prompt = input + cacheRead + Math.max(cacheWrite, cacheWrite1h);
    assert.ok(prompt <= own.sent);
    assert.ok(output <= own.received);
    assert.ok(output <= (own.maxOutput ?? 4096));
  }));
});

Deno.test("supportedClaim counts no more output than the request permits, or a budget reserves, or a model generates", () => {
  const output = (maxOutput: number | undefined) =>
    supportedClaim({ outputEstimate: 1e9 }, {
      sent: 1,
      received: 1e9,
      maxOutput,
    }).output;
  assert.equal(output(10), 10);
  assert.equal(output(undefined), 4096);
  assert.equal(output(50_000), 50_000);
  assert.equal(output(1e12), 128_000);
});
