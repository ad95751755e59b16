import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import type { SaveOutcome } from "../../../src/core/setting.ts";
import {
  type ApplyOutcome,
  settings,
} from "../../../src/proxy/handlers/settings.ts";

const SAVED: SaveOutcome = {
  type: "saved",
  changed: ["rpm", "port"],
  needsRestart: ["port"],
  notes: [],
};

const NOTHING = {
  type: "applied",
  applied: [],
  needsRestart: [],
} as const;

/** A deployment that this program runs in. */
const deployedBy = (runtime: string) => ({
  profile: "work",
  preset: "persistent",
  runtime,
  supervisor: "systemd",
  scope: "user",
});

/** The routes over a store that answers with `outcome`. */
function rig(
  outcome: SaveOutcome = SAVED,
  applied: ApplyOutcome = NOTHING,
  runtime?: string,
) {
  const saved: unknown[] = [];
  const audits: unknown[] = [];
  let applies = 0;
  const handlers = settings({
    storage: {
      schema: () => Promise.resolve({ fields: [] }),
      stored: () => Promise.resolve({ rpm: 5 }),
      save: (values) => {
        saved.push(values);
        return Promise.resolve(outcome);
      },
    },
    apply: () => {
      applies++;
      return Promise.resolve(applied);
    },
    deployment: runtime === undefined ? undefined : deployedBy(runtime),
  });
  const hono = new Hono<ProxyEnv>()
    .use(async (c, next) => {
      await next();
      audits.push(c.get("auditDetails"));
    })
    .get("/settings", handlers.get)
    .get("/settings/schema", handlers.schema)
    .post("/settings", handlers.post)
    .post("/settings/apply", handlers.apply);
  const ask = async (path: string, init?: RequestInit) => {
    const response = await hono.request(path, init);
    return { status: response.status, json: await response.json(), response };
  };
  return {
    saved,
    audits,
    applies: () => applies,
    ask,
    post: (path: string, body: unknown) =>
      ask(path, {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}

Deno.test("settings gives stored values and the schema, for no cache to keep", async () => {
  const { ask } = rig();
  const { json, response } = await ask("/settings");
  assert.deepEqual(json, { rpm: 5 });
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.deepEqual((await ask("/settings/schema")).json, { fields: [] });
});

Deno.test("settings stores values and tells the audit keys, never values", async () => {
  const { post, saved, audits } = rig();
  const { status, json } = await post("/settings", {
    values: { proxy_token: "hunter2" },
  });
  assert.equal(status, 200);
  assert.deepEqual(json, {
    ok: true,
    needs_restart: true,
    changed_keys: ["rpm", "port"],
    needs_restart_keys: ["port"],
  });
  assert.deepEqual(saved, [{ proxy_token: "hunter2" }]);
  assert.deepEqual(audits, [{ changed_keys: ["rpm", "port"] }]);
});

Deno.test("settings says what the user should be told", async () => {
  const { post } = rig({ ...SAVED, needsRestart: [], notes: ["Look"] });
  const { json } = await post("/settings", { values: {} });
  assert.equal(json.needs_restart, false);
  assert.deepEqual(json.notes, ["Look"]);
});

Deno.test("settings answers 400 to a body without an object of values, and stores nothing", async () => {
  const { post, saved } = rig();
  for (const body of ["", "{", "[]", "1", "null", '"x"']) {
    assert.equal((await post("/settings", body)).status, 400, body);
  }
  for (const values of [null, [], "x", 1]) {
    assert.equal((await post("/settings", { values })).status, 400);
    assert.equal((await post("/settings/apply", { values })).status, 400);
  }
  assert.deepEqual(saved, []);
});

Deno.test("settings answers 400 with unknown keys, 422 with errors by field, 409 where nothing can be written", async () => {
  const cases: [SaveOutcome, number, unknown][] = [
    [{ type: "unknown", names: ["wat"] }, 400, { unknown_keys: ["wat"] }],
    [
      { type: "invalid", errors: { rpm: "No" } },
      422,
      { field_errors: { rpm: "No" } },
    ],
    [{ type: "unwritable", reason: "No file" }, 409, { detail: "No file" }],
  ];
  for (const [outcome, status, json] of cases) {
    const { post, audits, applies } = rig(outcome);
    const answer = await post("/settings", { values: { a: 1 } });
    assert.deepEqual([answer.status, answer.json], [status, json]);
    const applied = await post("/settings/apply", { values: { a: 1 } });
    assert.equal(applied.status, status);
    assert.equal(applies(), 0);
    assert.deepEqual(audits, [undefined, undefined]);
  }
});

Deno.test("settings applies what is stored, after storing what it is given", async () => {
  const outcome = {
    type: "applied",
    applied: ["rpm"],
    needsRestart: ["port"],
  } as const;
  const { post, saved, applies } = rig(SAVED, outcome);
  const { status, json } = await post("/settings/apply", "");
  assert.equal(status, 200);
  assert.deepEqual(
    { ...json, instruction: "" },
    {
      restarted: false,
      mode: "foreground",
      instruction: "",
      applied: ["rpm"],
      needs_restart: ["port"],
    },
  );
  assert.match(json.instruction, /start it again/);
  assert.deepEqual(saved, []);
  await post("/settings/apply", { values: { rpm: 7 } });
  assert.deepEqual(saved, [{ rpm: 7 }]);
  assert.equal(applies(), 2);
});

Deno.test("settings tells the audit what was put into force, also where it was stored before", async () => {
  const outcome = {
    type: "applied",
    applied: ["budget"],
    needsRestart: ["port"],
  } as const;
  const { post, audits } = rig(SAVED, outcome);
  await post("/settings/apply", {});
  assert.deepEqual(audits, [{ changed_keys: ["budget"] }]);
  await post("/settings/apply", { values: { rpm: 7 } });
  assert.deepEqual(audits[1], {
    changed_keys: [...new Set([...SAVED.changed, "budget"])],
  });
});

Deno.test("settings says that there is nothing to do when nothing waits", async () => {
  const { json } = await rig().post("/settings/apply", {});
  assert.match(json.instruction, /^Nothing to do/);
});

Deno.test("settings says that a service starts again by itself, if something waits for it", async () => {
  const outcome = {
    type: "applied",
    applied: ["rpm"],
    needsRestart: ["log_file"],
    restarts: true,
  } as const;
  const service = rig(SAVED, outcome, "deno");
  const { status, json } = await service.post("/settings/apply", {});
  assert.equal(status, 202);
  assert.deepEqual({ ...json, instruction: "" }, {
    restarted: true,
    mode: "service",
    instruction: "",
    applied: ["rpm"],
    needs_restart: ["log_file"],
  });
  const idle = await rig(SAVED, NOTHING, "deno").post("/settings/apply", {});
  assert.equal(idle.status, 200);
  assert.equal(idle.json.restarted, false);
  assert.match(idle.json.instruction, /^Nothing to do/);
});

Deno.test("settings names the host's command where the proxy is in a container", async () => {
  const { status, json } = await rig(SAVED, NOTHING, "docker")
    .post("/settings/apply", {});
  assert.equal(status, 200);
  assert.deepEqual(json, {
    restarted: false,
    mode: "docker",
    command: "svc install restart --profile work",
    applied: [],
    needs_restart: [],
  });
});

Deno.test("settings says why the running settings stay as they were", async () => {
  const refused = { type: "refused", reason: "No CA there" } as const;
  const { status, json } = await rig(SAVED, refused).post(
    "/settings/apply",
    {},
  );
  assert.equal(status, 409);
  assert.deepEqual(json, { detail: "Settings stay as they were: No CA there" });
});

Deno.test("settings refuses a body of more than a megabyte, also a packed one", async () => {
  const { ask, post } = rig();
  const long = JSON.stringify({ values: { rpm: " ".repeat(1 << 20) } });
  assert.equal((await post("/settings", long)).status, 413);
  const packed = await ask("/settings", {
    method: "POST",
    headers: { "content-encoding": "gzip" },
    body: gzipSync(long) as BodyInit,
  });
  assert.equal(packed.status, 413);
});
