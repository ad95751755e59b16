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
