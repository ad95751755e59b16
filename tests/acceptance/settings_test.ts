/** Settings over HTTP, through the whole app. */
import assert from "node:assert/strict";
import { openSettings } from "./stored_settings.ts";

const MASK = "••••••";

Deno.test("57: a page of another origin changes no setting, no count and no cache", () =>
  openSettings(async ({ ask, file, audits }) => {
    await ask("POST", "/settings", { values: { rpm: 1000 } });
    const before = await file();
    for (const origin of ["https://evil.example", "null"]) {
      for (
        const [path, body] of [
          ["/settings", { values: { rpm: 1 } }],
          ["/settings/apply", { values: { rpm: 1 } }],
          ["/admin/runtime-env", { SVC_OUTPUT_SHAPER: "1" }],
          ["/stats/reset", undefined],
          ["/cache/clear", undefined],
        ] as const
      ) {
        const { status } = await ask("POST", path, body, { origin });
        assert.equal(status, 403, `${path} for ${origin}`);
      }
    }
    assert.equal(await file(), before);
    assert.equal(
      audits().filter((line) => /status_code":403/.test(line)).length,
      10,
    );
  }));

Deno.test("62: unknown keys give 400, bad values 422 by field, and either changes nothing", () =>
  openSettings(async ({ ask, file }) => {
    const unknown = await ask("POST", "/settings", {
      values: { rpm: 5, speed: "fast" },
    });
    assert.equal(unknown.status, 400);
    assert.deepEqual(unknown.body, { unknown_keys: ["speed"] });
    const bad = await ask("POST", "/settings", {
      values: { rpm: "often", port: 99_999, mode: "cache" },
    });
    assert.equal(bad.status, 422);
    const { field_errors } = bad.body as {
      field_errors: Record<string, string>;
    };
    assert.deepEqual(Object.keys(field_errors).sort(), ["port", "rpm"]);
    assert.equal(await file(), undefined);
  }));

Deno.test("62: a secret is masked on read, stays when its mask is sent, and goes with null", () =>
  openSettings(async ({ ask, file, mode }) => {
    const headers = { "x-key": "sesame-7f31" };
    const key = "anthropic_extra_headers";
    const saved = await ask("POST", "/settings", {
      values: { [key]: headers },
    });
    assert.equal(saved.status, 200);
    assert.doesNotMatch(JSON.stringify(saved.body), /sesame/);
    assert.equal(await mode(), 0o600);
    for (const path of ["/settings", "/settings/schema", "/stats"]) {
      const { body } = await ask("GET", path);
      assert.doesNotMatch(JSON.stringify(body), /sesame/, path);
    }
    assert.deepEqual((await ask("GET", "/settings")).body, { [key]: MASK });
    await ask("POST", "/settings", { values: { [key]: MASK, rpm: 7 } });
    assert.match((await file())!, /sesame-7f31/);
    await ask("POST", "/settings", { values: { [key]: null } });
    assert.deepEqual((await ask("GET", "/settings")).body, { rpm: 7 });
    assert.doesNotMatch((await file())!, /sesame/);
  }));

Deno.test("62: the environment wins over the file; a file that is no JSON counts as empty, and is kept when another takes its place", () =>
  openSettings(async ({ ask, file, write, beside }) => {
    const saved = await ask("POST", "/settings", { values: { rpm: 7 } });
    const { notes } = saved.body as { notes: string[] };
    assert.match(notes.join(), /SVC_RPM, which wins over the settings file/);
    const { body } = await ask("GET", "/settings/schema");
    assert.match(JSON.stringify(body), /"rpm"/);
    const { config } = (await ask("GET", "/stats")).body;
    assert.match(JSON.stringify(config), /"rpm":90/);
    await write("{ not json");
    assert.deepEqual((await ask("GET", "/settings")).body, {});
    const mended = await ask("POST", "/settings", { values: { budget: 5 } });
    assert.equal(mended.status, 200);
    assert.match((await file())!, /"budget": 5/);
    assert.equal(await beside(".unreadable"), "{ not json");
  }, { SVC_RPM: "90" }));

Deno.test("63: what runtime-env does not know is ignored, what it knows is refused by name; the audit has names, no values", () =>
  openSettings(async ({ ask, audits }) => {
    const { status, body } = await ask("POST", "/admin/runtime-env", {
      SVC_OUTPUT_SHAPER: "sesame-a",
      SVC_VERBOSITY_LEVEL: 3,
      NOT_OURS: "sesame-b",
    });
    assert.equal(status, 200);
    assert.deepEqual(body["applied"], {});
    assert.deepEqual(body["refused"], {
      SVC_OUTPUT_SHAPER: "not in this version",
    });
    const [line] = audits();
    assert.match(line!, /runtime_env_update/);
    assert.match(line!, /SVC_OUTPUT_SHAPER/);
    assert.doesNotMatch(audits().join("\n"), /sesame|NOT_OURS/);
    assert.equal((await ask("POST", "/admin/runtime-env", [1])).status, 400);
  }));

Deno.test("63: settings that are applied hold for the next request, and the audit has their keys", () =>
  openSettings(async ({ ask, audits, chat }) => {
    assert.deepEqual([await chat(), await chat(), await chat()], [
      200,
      200,
      200,
    ]);
    const { status, body } = await ask("POST", "/settings/apply", {
      values: { rpm: 1, workers: 2 },
    });
    assert.equal(status, 200);
    assert.deepEqual(body["applied"], ["rpm"]);
    assert.deepEqual(body["needs_restart"], ["workers"]);
    assert.deepEqual([await chat(), await chat()], [200, 429]);
    const line = audits().at(-1)!;
    assert.match(line, /settings_apply.*"changed_keys":"rpm,workers"/);
  }));
