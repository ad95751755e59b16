import assert from "node:assert/strict";
import fc from "fast-check";
import { assertLinear } from "../cpu_time.ts";
import { alignmentScore, prefixDrift } from "../../src/reports/prefix_drift.ts";

const warnings = (system: string) => prefixDrift({ system }).warnings;

Deno.test("prefixDrift names dates, times, UUIDs and session tokens, each once and where it is", () => {
  for (
    const [text, found] of [
      ["2026-03-02", 'date "2026-03-02"'],
      ["2026/03/02", 'date "2026/03/02"'],
      ["3/2/2026", 'date "3/2/2026"'],
      ["2.3.2026", 'date "2.3.2026"'],
      ["March 2, 2026", 'date "March 2, 2026"'],
      ["2nd Mar 2026", 'date "2nd Mar 2026"'],
      ["2026-03-02T08:15:30.5Z", 'timestamp "2026-03-02T08:15:30.5Z"'],
      ["2026-03-02 08:15 +0100", 'timestamp "2026-03-02 08:15"'],
      ["08:15:30", 'timestamp "08:15:30"'],
      ["1772439330", 'timestamp "1772439330"'],
      ["1772439330123", 'timestamp "1772439330123"'],
      [
        "0b9e7c1a-4d2f-4e8b-9a3c-5f6d7e8f9a0b",
        'UUID "0b9e7c1a-4d2f-4e8b-9a3c-5f6d7e8f9a0b"',
      ],
      ["session_id: a8f3c2d1e4", 'session token "sessio…"'],
      ["sess_a8f3c2d1e4", 'session token "sess_a…"'],
      [
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.abc-def_1",
        'session token "eyJhbG…"',
      ],
      ["sk-abcDEF1234567890abcdEF", 'session token "sk-abc…"'],
      ["ghp_abcDEF1234567890abcdEF", 'session token "ghp_ab…"'],
      ["AKIAABCDEFGHIJKLMNOP", 'session token "AKIAAB…"'],
      [`AIza${"Ab1-".repeat(8)}`, 'session token "AIzaAb…"'],
      ["Bearer 0123456789abcdef", 'session token "Bearer…"'],
      ["q7Xk2mPz9Lw4Rt8Yv1Bn6Cd3Fg5Hj0Ks", 'session token "q7Xk2m…"'],
    ]
  ) {
    assert.deepEqual(warnings(`It is ${text} now`), [
      `system: the ${found} at character 6`,
    ]);
  }
});

Deno.test("prefixDrift says nothing of what stays", () => {
  assert.deepEqual(
    warnings(
      "Version 4.5.1 of claude-sonnet-4-5, port 8080, 12:30, 1/2, May 2025, id 123456789, token count, session management-related work, request: please answer, sk-learn, ghost-writers, Bearer of news, aHundredCapitalsInOneLongMethodName",
    ),
    [],
  );
});

Deno.test("prefixDrift looks at system, then at the messages that lead, else at the first one", () => {
  const user = { role: "user", content: "on 2026-03-02" };
  const lead = (role: string) => ({
    role,
    content: [{ type: "image" }, { type: "text", text: "at 08:15:30" }],
  });
  const places = (input: Parameters<typeof prefixDrift>[0]) =>
    prefixDrift(input).warnings.map((text) => text.split(":")[0]);
  assert.deepEqual(
    places({
      system: [{ type: "text", text: "on 2026-03-02" }],
      messages: [lead("system"), lead("developer"), user, lead("system")],
    }),
    [
      "system.content[0]",
      "messages[0].content[1]",
      "messages[1].content[1]",
    ],
  );
  assert.deepEqual(places({ messages: [user, user] }), ["messages[0]"]);
  assert.deepEqual(places({ system: "", messages: [user] }), []);
  assert.deepEqual(places({}), []);
});

Deno.test("prefixDrift measures the prefix and tells whether it is the one before", () => {
  const messages = [{ role: "system", content: "über" }, {
    role: "user",
    content: "why?",
  }];
  const first = prefixDrift({ messages });
  const { stable_prefix_hash, ...rest } = first.cache_metrics;
  assert.deepEqual(rest, {
    stable_prefix_bytes: 5,
    stable_prefix_tokens_est: 2,
    prefix_changed: false,
    previous_hash: null,
  });
  assert.match(stable_prefix_hash, /^[0-9a-f]{32}$/);
  assert.deepEqual(first.markers, [`stable_prefix_hash=${stable_prefix_hash}`]);
  const longer = [...messages, { role: "assistant", content: "so" }];
  const same = prefixDrift({
    messages: longer,
    previousHash: stable_prefix_hash,
  });
  assert.deepEqual(same.cache_metrics, {
    ...first.cache_metrics,
    previous_hash: stable_prefix_hash,
  });
  const other = prefixDrift({
    system: "x",
    messages: longer,
    previousHash: stable_prefix_hash,
  });
  assert.equal(other.cache_metrics.prefix_changed, true);
});

Deno.test("prefixDrift tells texts from the same text cut elsewhere", () => {
  const hashOf = (...texts: readonly string[]) =>
    prefixDrift({ system: texts.map((text) => ({ type: "text", text })) })
      .cache_metrics.stable_prefix_hash;
  assert.notEqual(hashOf("ab", "c"), hashOf("a", "bc"));
  assert.notEqual(hashOf("abc"), hashOf("abc", ""));
});

Deno.test("prefixDrift gives ten warnings at most, in time linear in the text, and changes nothing", async () => {
  const many = Object.freeze({
    role: "system",
    content: "2026-03-02 ".repeat(40),
  });
  const messages = Object.freeze([many]);
  assert.equal(prefixDrift({ messages }).warnings.length, 10);
  const piece = fc.constantFrom(
    "eyJ",
    "session: ",
    "a1b2",
    "sk-",
    "Bearer ",
    "aB",
    "-",
    "1",
    "2026-03-",
    " ",
    ".",
    "January ",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 6 }),
      (pieces) =>
        assertLinear(pieces.join(""), {
          make: (times) => pieces.join("").repeat(times),
          work: (system) => prefixDrift({ system }),
          sizes: [1000, 20_000],
        }),
    ),
    { numRuns: 25 },
  );
});

Deno.test("prefixDrift takes anything for a prompt", () => {
  fc.assert(
    fc.property(fc.anything(), fc.array(fc.anything()), (system, all) => {
      const messages = all.map((content) => ({ role: "system", content }));
      const { warnings } = prefixDrift({ system, messages });
      assert(warnings.length <= 10);
    }),
  );
});

Deno.test("alignmentScore is 1 without warnings, and falls by a tenth for each, down to 0", () => {
  const score = (n: number) =>
    alignmentScore({ warnings: Array.from({ length: n }, () => "w") });
  assert.deepEqual([0, 1, 3, 10, 12].map(score), [1, 0.9, 0.7, 0, 0]);
});
