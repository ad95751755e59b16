import assert from "node:assert/strict";
import { MASK } from "../../src/settings/fields.ts";
import { ROWS, SETTINGS } from "../../src/settings/registry.ts";
import { givenSettings } from "../../src/settings/resolve.ts";
import { GROUPS } from "../../src/settings/row.ts";
import { fieldOf, orderedRows, schemaOf } from "../../src/settings/schema.ts";

const values = (
  env: Record<string, string>,
  stored: Record<string, string> = {},
  flags: Record<string, string> = {},
) => ({ given: givenSettings({ env, stored, flags }), stored });

Deno.test("schemaOf lists every setting that a file can hold, under its heading", () => {
  const { groups, fields, supervised } = schemaOf(values({}));
  assert.deepEqual(groups, GROUPS);
  assert.equal(supervised, false);
  assert.ok(schemaOf({ ...values({}), supervised: true }).supervised);
  const stored = ROWS.filter(({ persisted }) => persisted !== false);
  assert.equal(fields.length, stored.length);
  const order = fields.map(({ group }) => GROUPS.indexOf(group));
  assert.deepEqual(order, order.toSorted((a, b) => a - b));
  for (const apart of ["SVC_BEACON", "SVC_TLS_STRICT", "SVC_CCR_BACKEND"]) {
    assert.ok(!fields.some(({ env }) => env === apart));
  }
});

Deno.test("fieldOf says the value in force, what is stored and where it comes from", () => {
  const { requestsPerMinute } = SETTINGS;
  const field = (now: ReturnType<typeof values>) => {
    const { value, stored, source, env_override, runtime_override } = fieldOf(
      requestsPerMinute,
      now,
    );
    return [value, stored, source, env_override, runtime_override];
  };
  const stored = { SVC_RPM: "5" };
  assert.deepEqual(field(values({})), [null, null, "default", false, false]);
  assert.deepEqual(field(values({}, stored)), [5, 5, "file", false, false]);
  assert.deepEqual(
    field(values({ SVC_RPM: "7" }, stored)),
    [7, 5, "shell", true, false],
  );
  assert.deepEqual(
    field(values({ SVC_RPM: "7" }, stored, { rpm: "9" })),
    [9, 5, "flag", false, true],
  );
});

Deno.test("fieldOf masks secrets wherever they stand", () => {
  const now = values({ SVC_PROXY_TOKEN: "hunter2hunter2hunter2" }, {
    MSG_TARGET_API_HEADERS: '{"a":"hunter2"}',
  });
  assert.doesNotMatch(JSON.stringify(schemaOf(now)), /hunter2/);
  assert.equal(fieldOf(SETTINGS.proxyToken, now).value, MASK);
  assert.equal(fieldOf(SETTINGS.messagesApiHeaders, now).stored, MASK);
  assert.equal(fieldOf(SETTINGS.chatApiHeaders, now).stored, null);
});

Deno.test("fieldOf marks what is not in this version, and shows its default whatever is given", () => {
  const row = ROWS.find(({ env }) => env === "SVC_MEMORY_TOP_K")!;
  const field = fieldOf(row, values({ SVC_MEMORY_TOP_K: "9" }));
  assert.equal(field.available, false);
  assert.deepEqual([field.value, field.source], [10, "default"]);
});

Deno.test("schemaOf names what waits for the next start, and every value by key", () => {
  const { needs_restart_keys, values: shown, fields } = schemaOf(values({}));
  assert.ok(needs_restart_keys.includes("port"));
  assert.ok(!needs_restart_keys.includes("rpm"));
  assert.equal(Object.keys(shown).length, fields.length);
  assert.equal(shown.mode, "cache");
  const managed = fields.filter((field) => field.manifest_managed);
  assert.deepEqual(managed.map(({ key }) => key), ["host", "port"]);
});

Deno.test("orderedRows holds each row once", () => {
  assert.equal(new Set(orderedRows()).size, ROWS.length);
});
