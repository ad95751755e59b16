import assert from "node:assert/strict";
import { MASK } from "../../src/settings/fields.ts";
import { givenSettings, resolveConfig } from "../../src/settings/resolve.ts";
import type { SettingsFile } from "../../src/settings/settings_file.ts";
import { keysOf, makeSettingsStore } from "../../src/settings/store.ts";

const HOME = "/h";

/** A store over a file in memory. */
function rig(before?: unknown, env: Record<string, string> = {}) {
  const disk = {
    text: before === undefined || typeof before === "string"
      ? before
      : JSON.stringify(before),
    aside: undefined as string | undefined,
    writes: 0,
  };
  const file: SettingsFile = {
    path: "/s.json",
    read: () => Promise.resolve(disk.text),
    update(change) {
      const { after, setAside } = change(disk.text);
      if (setAside) disk.aside = disk.text;
      if (after !== undefined) {
        disk.text = after;
        disk.writes++;
      }
      return Promise.resolve();
    },
  };
  const store = makeSettingsStore({
    file,
    given: givenSettings({ env }),
    check: (stored) => void resolveConfig({ env: { HOME, ...env }, stored }),
  });
  return { disk, store, json: () => JSON.parse(disk.text ?? "null") };
}

Deno.test("save merges: what is not named stays, null takes out", async () => {
  const { store, json } = rig({ rpm: 5, mode: "token" });
  assert.deepEqual(await store.save({ rpm: null, budget: 2.5 }), {
    type: "saved",
    changed: ["rpm", "budget"],
    needsRestart: [],
    notes: [],
  });
  assert.deepEqual(json(), { budget: 2.5, mode: "token" });
  assert.deepEqual(await store.stored(), { budget: 2.5, mode: "token" });
});

Deno.test("save keeps a secret that comes back as its mask, and stores no mask", async () => {
  const secret = { proxy_token: "0123456789abcdef0" };
  const { store, json } = rig(secret);
  assert.deepEqual(await store.stored(), { proxy_token: MASK });
  const saved = await store.save({
    proxy_token: MASK,
    openai_extra_headers: MASK,
    rpm: 3,
  });
  assert.ok(saved.type === "saved");
  assert.deepEqual(saved.changed, ["rpm"]);
  assert.deepEqual(json(), { ...secret, rpm: 3 });
});

Deno.test("save stores nothing when one name is unknown or no file may hold it", async () => {
  const { store, disk } = rig({});
  const outcome = await store.save({ rpm: 5, wat: 1, SVC_BEACON: "off" });
  assert.deepEqual(outcome, { type: "unknown", names: ["wat", "SVC_BEACON"] });
  assert.equal(disk.writes, 0);
});

Deno.test("save stores nothing when one value cannot be used, and names each by key", async () => {
  const { store, disk } = rig({});
  assert.deepEqual(
    await store.save({ SVC_RPM: "often", mode: "token", tpm: 5, port: 70000 }),
    {
      type: "invalid",
      errors: {
        rpm: 'Cannot use SVC_RPM="often": must be an integer of at least 1',
        tpm: "Cannot use tpm: it is not in this version; leave it out",
        port: 'Cannot use port="70000": must be an integer from 0 to 65535',
      },
    },
  );
  assert.equal(disk.writes, 0);
});

Deno.test("save stores no value of which a start would leave parts out", async () => {
  const { store, disk, json } = rig({});
  assert.deepEqual(
    await store.save({
      model_routes:
        '[{"a":1},{"to_model":"m"},{"to_model":"m","from_models":[]}]',
      rpm: 5,
    }),
    {
      type: "invalid",
      errors: {
        model_routes:
          'Cannot use rule 1 of model_routes: "a" is not known; Cannot use rule 3 of model_routes: "from_models" must be a list of names, left out for all models',
      },
    },
  );
  assert.equal(disk.writes, 0);
  const good = '[{"to_model":"m"}]';
  assert.equal((await store.save({ model_routes: good })).type, "saved");
  assert.deepEqual(json(), { model_routes: good });
  await store.save({ model_routes: null });
  assert.deepEqual(json(), {});
});

Deno.test("save takes a setting under two names only with one value", async () => {
  const { store, json } = rig({});
  const outcome = await store.save({ rpm: 5, SVC_RPM: 6 });
  assert.ok(outcome.type === "invalid");
  assert.match(outcome.errors.rpm!, /given as rpm too, with another value/);
  await store.save({ rpm: 5, SVC_RPM: 5 });
  assert.deepEqual(json(), { rpm: 5 });
});

Deno.test("save refuses values that cannot be used together, under the keys that changed", async () => {
  const { store, disk } = rig({});
  const outcome = await store.save({ compress_allow_remote: true });
  assert.ok(outcome.type === "invalid");
  assert.match(
    outcome.errors.compress_allow_remote!,
    /without SVC_PROXY_TOKEN/,
  );
  assert.equal(disk.writes, 0);
});

Deno.test("save does not keep the user from mending what could not be used together before", async () => {
  const { store } = rig({ compress_allow_remote: true });
  const outcome = await store.save({ rpm: 5 });
  assert.ok(outcome.type === "saved");
  assert.match(outcome.notes.join(), /without SVC_PROXY_TOKEN/);
});

Deno.test("save says which changes wait for a start, and which the environment overrides", async () => {
  const { store } = rig({}, { SVC_RPM: "7" });
  const outcome = await store.save({ port: 1, rpm: 5 });
  assert.deepEqual(outcome, {
    type: "saved",
    changed: ["port", "rpm"],
    needsRestart: ["port"],
    notes: ["rpm is set by SVC_RPM, which wins over the settings file"],
  });
});

Deno.test("save takes an equal value for no change", async () => {
  const { store } = rig({ SVC_LOSSLESS: "on" });
  const outcome = await store.save({ lossless: true });
  assert.ok(outcome.type === "saved");
  assert.deepEqual(outcome.changed, []);
});

Deno.test("save sets a file aside that is no JSON object", async () => {
  const { store, disk, json } = rig("{ rpm: 5");
  assert.deepEqual(await store.stored(), {});
  const outcome = await store.save({ rpm: 6 });
  assert.ok(outcome.type === "saved");
  assert.match(outcome.notes.join(), /what it held is in \/s.json.unreadable/);
  assert.equal(disk.aside, "{ rpm: 5");
  assert.deepEqual(json(), { rpm: 6 });
});

Deno.test("save says why no file is written", async () => {
  const stateless = makeSettingsStore({
    file: undefined,
    given: {},
    check: () => {},
  });
  const refused = await stateless.save({ rpm: 5 });
  assert.ok(refused.type === "unwritable");
  assert.match(refused.reason, /SVC_STATELESS is on/);
  assert.deepEqual(await stateless.stored(), {});
  const broken = makeSettingsStore({
    file: {
      path: "/s.json",
      read: () =>
        Promise.reject(Object.assign(new Error(), { code: "EACCES" })),
      update: () =>
        Promise.reject(Object.assign(new Error(), { code: "EROFS" })),
    },
    given: {},
    check: () => {},
  });
  assert.deepEqual(await broken.stored(), {});
  assert.deepEqual(await broken.save({ rpm: 5 }), {
    type: "unwritable",
    reason:
      "Cannot write settings to /s.json: the disk is read-only (EROFS). Make it writable, or set SVC_WORKSPACE_DIR or SVC_SETTINGS_PATH to a place that is, for svc and the proxy alike",
  });
});

Deno.test("schema shows what is stored beside what is in force", async () => {
  const { store } = rig({ rpm: 5 }, { SVC_RPM: "7" });
  const { fields } = await store.schema();
  const field = fields.find(({ key }) => key === "rpm");
  assert.deepEqual([field?.value, field?.stored], [7, 5]);
});

Deno.test("keysOf names settings by their keys", () => {
  assert.deepEqual(keysOf(["MSG_TARGET_API_URL", "SVC_WORKSPACE_DIR"]), [
    "anthropic_base_url",
    "SVC_WORKSPACE_DIR",
  ]);
});
