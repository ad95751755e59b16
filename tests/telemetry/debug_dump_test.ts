import assert from "node:assert/strict";
import fc from "fast-check";
import { join } from "node:path";
import type { RefusedCall } from "../../src/core/refused_call.ts";
import { openDebugDumps } from "../../src/telemetry/debug_dump.ts";
import { maskedField } from "../../src/telemetry/mask.ts";
import { CANARY, filesIn, keepingLog, NOON } from "./log_samples.ts";
import { inTempDir } from "../temp_dir.ts";

const utf8 = new TextEncoder();
const json = (value: unknown) => utf8.encode(JSON.stringify(value));

const REFUSED: RefusedCall = {
  id: "2b0c9d1e-0000-4000-8000-000000000001",
  method: "POST",
  path: "/v1/messages?beta=true",
  status: 400,
  host: "api.example.com",
  headers: new Headers({
    "content-type": "application/json; charset=utf-8",
    "content-length": "123",
    "some-version": "2023-06-01",
    "x-secret-version": "hunter2",
    "authorization": "Bearer abcdef",
    "x-other": "value",
  }),
  body: json({ messages: [{ role: "user", content: "Dear diary" }] }),
  error: json({ error: { type: "invalid_request_error", message: "Dear" } }),
};

/** What is written of a refused call. */
async function dumped(call: Partial<RefusedCall> = {}) {
  let written = "";
  await inTempDir(async (directory) => {
    const options = { directory, now: () => NOON, log: () => {} };
    const dumps = openDebugDumps(options);
    dumps.dump({ ...REFUSED, ...call });
    await dumps.close();
    written = Object.values(await filesIn(directory))[0]!.text;
  });
  return JSON.parse(written);
}

/** What is written of a body with this value. */
const masked = async (value: unknown) =>
  (await dumped({ body: json(value) })).body;

Deno.test("a dump shows structure and formats, and masks every other value", async () => {
  assert.deepEqual(await dumped(), {
    time: "2026-03-15T10:30:00.000Z",
    request_id: REFUSED.id,
    method: "POST",
    path: "/v1/messages",
    status: 400,
    upstream: "api.example.com",
    headers: {
      "authorization": "<str 13>",
      "content-length": "123",
      "content-type": "application/json",
      "some-version": "2023-06-01",
      "x-other": "<str 5>",
      "x-secret-version": "<str 7>",
    },
    body_bytes: REFUSED.body.length,
    body: { messages: [{ role: "user", content: "<str 10>" }] },
    error: { error: { type: "invalid_request_error", message: "<str 4>" } },
  });
});

Deno.test("a dump says only how long a body is that is no JSON or very long", async () => {
  const body = new Uint8Array(5 * 1024 * 1024);
  const dump = await dumped({ body, error: utf8.encode("<html>") });
  assert.equal(dump.body, `<body ${body.length}>`);
  assert.equal(dump.error, "<str 6>");
});

Deno.test("openDebugDumps writes private files, and no secret that stood anywhere in the request", () =>
  inTempDir(async (directory) => {
    const secrets: string[] = [];
    const inside = join(directory, "logs", "debug_400");
    const { log, logged } = keepingLog();
    for (const { text, secret } of fc.sample(CANARY, 30)) {
      secrets.push(secret);
      const dumps = openDebugDumps({ directory: inside, now: () => NOON, log });
      dumps.dump({
        ...REFUSED,
        id: `r${secrets.length}`,
        path: `https://user:${secret}@host.test/v1/x?key=${secret}`,
        headers: new Headers({
          "authorization": secret,
          "content-type": `text/plain; boundary=${secret}`,
          "content-length": secret,
          "api-version": secret,
        }),
        body: json({
          [text]: text,
          [secret]: [text],
          type: text,
          model: secret,
        }),
        error: json({ type: text, code: text, message: `quotes ${text}` }),
      });
      await dumps.close();
    }
    const files = await filesIn(directory);
    assert.equal(Object.keys(files).length, 30);
    for (const { mode, text } of Object.values(files)) {
      assert.equal(mode, 0o600);
      for (const secret of secrets) assert(!text.includes(secret), text);
    }
    assert.deepEqual(
      [...new Set(logged.map(([level, event]) => `${level} ${event}`))],
      ["info debug_400_written"],
    );
    for (const path of [inside, join(directory, "logs")]) {
      assert.equal((await Deno.stat(path)).mode! & 0o777, 0o700);
    }
  }));

Deno.test("openDebugDumps keeps the newest files, and leaves files of others alone", () =>
  inTempDir(async (directory) => {
    await Deno.writeTextFile(join(directory, "mine.json"), "{}");
    let time = NOON;
    const dumps = openDebugDumps({
      directory,
      now: () => time,
      log: () => {},
      maxFiles: 3,
    });
    for (let i = 0; i < 6; i++) {
      time += 1000;
      dumps.dump({ ...REFUSED, id: `r${i}` });
    }
    await dumps.close();
    assert.deepEqual(Object.keys(await filesIn(directory)), [
      "20260315-103004000-r3.json",
      "20260315-103005000-r4.json",
      "20260315-103006000-r5.json",
      "mine.json",
    ]);
  }));

Deno.test("openDebugDumps gives files a name that stays readable in the log", () =>
  inTempDir(async (directory) => {
    const { log, logged } = keepingLog();
    const dumps = openDebugDumps({ directory, now: () => NOON, log });
    dumps.dump({ ...REFUSED, id: "810e8b31-9f54-4bec-996e-c4c42fe8e910" });
    await dumps.close();
    const fields = logged[0]?.[2] ?? {};
    for (const [name, value] of Object.entries(fields)) {
      assert.equal(maskedField(name, value), value);
    }
    const [file] = Object.keys(await filesIn(directory));
    assert.equal(fields.file, file);
  }));

Deno.test("openDebugDumps lets no more than ten wait, and says once that it cannot write", () =>
  inTempDir(async (directory) => {
    const { log, logged } = keepingLog();
    const good = openDebugDumps({ directory, now: () => NOON, log });
    for (let i = 0; i < 30; i++) good.dump({ ...REFUSED, id: `r${i}` });
    await good.close();
    assert.equal(logged.length, 10);
    await Deno.writeTextFile(join(directory, "file"), "");
    const bad = openDebugDumps({
      directory: join(directory, "file"),
      now: () => NOON,
      log,
    });
    for (let i = 0; i < 3; i++) bad.dump(REFUSED);
    await bad.close();
    assert.deepEqual(
      logged.slice(10).map(([level, event]) => [level, event]),
      [["warn", "debug_400_unavailable"]],
    );
  }));

Deno.test("a dump keeps structure, numbers and words of the wire formats, and no text", async () => {
  const request = {
    model: "some-model",
    max_tokens: 1024,
    stream: true,
    stop: null,
    messages: [
      { role: "user", content: [{ type: "text", text: "Dear diary" }] },
      {
        role: "Dear",
        content: [{ type: "diary", "a long key, with words": 1 }],
      },
    ],
  };
  assert.deepEqual(await masked(request), {
    model: "<str 10>",
    max_tokens: 1024,
    stream: true,
    stop: null,
    messages: [
      { role: "user", content: [{ type: "text", text: "<str 10>" }] },
      {
        role: "<str 4>",
        content: [{ type: "<str 5>", "<key 22 at 1>": 1 }],
      },
    ],
  });
});

Deno.test("a dump keeps type and code of an error, and not its message", async () => {
  const error = {
    type: "error",
    error: {
      type: "invalid_request_error",
      code: "context_length_exceeded",
      param: "messages",
      message: "prompt is too long: 'Dear diary'",
    },
    other: { type: "Dear diary", code: "sk-1234567890" },
  };
  assert.deepEqual((await dumped({ error: json(error) })).error, {
    type: "error",
    error: {
      type: "invalid_request_error",
      code: "context_length_exceeded",
      param: "<str 8>",
      message: "<str 32>",
    },
    other: { type: "<str 10>", code: "<str 13>" },
  });
});

Deno.test("a dump shows no text of five characters or more, wherever it stands in a request", async () => {
  const text = fc.string({ minLength: 5, maxLength: 40 }).map((text) =>
    `§${text}`
  );
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.array(tie("node"), { maxLength: 4 }),
      fc.dictionary(
        fc.oneof(text, fc.constantFrom("type", "role", "content")),
        tie("node"),
        { maxKeys: 4 },
      ),
    ),
  })).node;
  await fc.assert(fc.asyncProperty(tree, async (value) => {
    const dump = await dumped({ body: json(value), error: json(value) });
    assert(!JSON.stringify(dump).includes("§"));
  }));
});

Deno.test("a dump masks keys that look like credentials", async () => {
  await fc.assert(fc.asyncProperty(CANARY, async ({ text, secret }) => {
    const body = await masked({ [text]: 1, [secret]: { [secret]: [] } });
    assert(!JSON.stringify(body).includes(secret));
  }));
});

Deno.test("a dump counts what is beyond its limits, and keeps keys of the same length apart", async () => {
  const { a, ...rest } = await masked({ a: Array(50_000).fill(1), b: 1 });
  assert.equal(a.length, 19_999);
  assert.equal(a.at(-1), `<cut ${50_000 - 19_998}>`);
  assert.deepEqual(rest, { "<cut 1>": null });
  let deep: unknown = [1, 2, 3];
  for (let i = 0; i < 1000; i++) deep = { a: deep };
  assert.match(JSON.stringify(await masked(deep)), /\{"<cut 1>":null\}/);
  assert.deepEqual(
    await masked(JSON.parse('{"a b":1,"c d":2,"__proto__":3}')),
    { "<key 3 at 0>": 1, "<key 3 at 1>": 2, "<key 9 at 2>": 3 },
  );
});
