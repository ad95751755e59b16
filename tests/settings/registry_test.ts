import assert from "node:assert/strict";
import { SETTINGS } from "../../src/settings/registry.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import type { SettingRow } from "../../src/settings/row.ts";

const rows: readonly SettingRow<unknown>[] = Object.values(SETTINGS);

Deno.test("SETTINGS has no variable and no flag twice", () => {
  const variables = rows.flatMap((row) => [row.env, ...row.aliases ?? []]);
  const flags = rows.flatMap((row) =>
    row.flag ? [row.flag, ...row.flagAliases ?? []] : []
  );
  assert.equal(new Set(variables).size, variables.length);
  assert.equal(new Set(flags).size, flags.length);
});

Deno.test("SETTINGS says of each row what it is in one sentence", () => {
  for (const row of rows) assert.match(row.doc, /^[^\n]{10,200}\.$/, row.env);
});

Deno.test("SETTINGS has defaults that their own text form gives again", () => {
  for (const row of rows) {
    if (row.env === "SVC_STRIP_INTERNAL_HEADERS") continue;
    if (row.fallback === undefined || row.secret) continue;
    assert.deepEqual(row.parse(String(row.fallback)), row.fallback, row.env);
  }
});

/** Settings for which no text is wrong when they are read. */
const TAKES_ANYTHING = [
  "SVC_BETA_HEADER_STICKY",
  "SVC_CA_FILE",
  "SVC_MODEL_LIMITS",
];

Deno.test("SETTINGS names variable and value in every refusal, but for secret ones", () => {
  for (const row of rows) {
    if (row.secret || TAKES_ANYTHING.includes(row.env)) continue;
    assert.throws(
      () => row.parse("not / usable"),
      (error: Error) =>
        error instanceof RangeError &&
        error.message.startsWith(`Cannot use ${row.env}="not / usable": must `),
      row.env,
    );
  }
});

/** Slips in values that hold a secret. */
const SLIPS = [
  "hunter2",
  "hunter2 ",
  " hun\nter2",
  '"hunter2"',
  '["hunter2"]',
  '{"a":"hunter2"',
  '{"a":"hunter2\\n"}',
  '{"a":["hunter2"]}',
  '{"host":"hunter2"}',
  '{"A":"hunter2","a":"hunter2"}',
  '{"authorization: Bearer hunter2":""}',
  "user:hunter2proxy.example:3128",
  "user:hunter2@proxy.example:3128",
  "http//user:hunter2@proxy.example:3128",
  "http://user:hunter2/x@proxy.example:3128",
  "ftp://user:hunter2@proxy.example",
  "http://proxy.example/hunter2",
  "http://proxy.example?hunter2",
];

Deno.test("SETTINGS never repeats a secret value that it refuses", () => {
  const secret = rows.filter((row) => row.secret);
  assert.equal(secret.length, 4);
  for (const row of secret) {
    const messages = SLIPS.flatMap((raw) => {
      const env = { SVC_STATELESS: "1", [row.env]: raw };
      const flags = row.flag === undefined ? [] : [{ [row.flag]: raw }];
      return [
        messageOf(() => row.parse(raw)),
        messageOf(() => resolveConfig({ env })),
        ...flags.map((flags) =>
          messageOf(() => resolveConfig({ flags, env: { HOME: "/h" } }))
        ),
      ];
    }).filter((message) => message !== undefined);
    assert.ok(messages.length >= 3, row.env);
    for (const message of messages) {
      assert.match(message, /^Cannot use (--|[A-Z])/);
      assert.doesNotMatch(message, /hun|ter2/i);
    }
  }
});

/** What is said about a value that is refused; `undefined` when it is taken. */
function messageOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    assert(error instanceof RangeError);
    return error.message;
  }
}

Deno.test("SETTINGS.mode refuses the modes of the library and says why", () => {
  for (const word of ["audit", "optimize", "simulate"]) {
    assert.throws(() => SETTINGS.mode.parse(word), {
      message:
        `Cannot use SVC_MODE="${word}": must be cache or token; ${word} is a mode of the library, not of the proxy`,
    });
  }
});

Deno.test("SETTINGS.host takes an IPv6 address with and without brackets", () => {
  assert.equal(SETTINGS.host.parse("[::1]"), "::1");
  assert.equal(SETTINGS.host.parse("::1"), "::1");
});

Deno.test("SETTINGS.host refuses what is neither a name nor an address", () => {
  for (const raw of ["bad..host", ".a", "a b", "-a", "300.1.1.1", "a/b"]) {
    assert.throws(() => SETTINGS.host.parse(raw), RangeError, raw);
  }
});
