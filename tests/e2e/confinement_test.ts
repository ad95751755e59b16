/** Attempts to get out of a confined proxy. */
import assert from "node:assert/strict";
import { neededPermissions } from "../../src/cli/confine/needed.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import { testConfinement } from "./confinement.ts";
import type { EscapePlaces, EscapeReport } from "./escapes_worker.ts";

testConfinement({ form: "from source" });

/** What came of the attempts in a thread with such permissions. */
async function escapes(
  permissions: object | undefined,
  places: EscapePlaces,
): Promise<EscapeReport> {
  const module = new URL("./escapes_worker.ts", import.meta.url);
  const options = permissions && { deno: { permissions } };
  const worker = new Worker(
    module,
    { type: "module", ...options } as WorkerOptions,
  );
  const report = Promise.withResolvers<EscapeReport>();
  worker.onmessage = ({ data }) => report.resolve(data);
  worker.onerror = ({ message }) => report.reject(new Error(message));
  worker.postMessage(places);
  try {
    return await report.promise;
  } finally {
    worker.terminate();
  }
}

/** Runs `test` with servers and directories for the attempts, and what the stranger was asked. */
async function withPlaces(
  test: (places: EscapePlaces, asked: readonly string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const where = { hostname: "127.0.0.1", port: 0, onListen() {} };
  await using stranger = Deno.serve(where, ({ url }) => {
    asked.push(url);
    return new Response("export {}", {
      headers: { "content-type": "text/javascript" },
    });
  });
  const there = `http://127.0.0.1:${stranger.addr.port}`;
  await using upstream = Deno.serve(
    where,
    ({ url }) =>
      url.endsWith("/away") ? Response.redirect(there) : new Response("here"),
  );
  const root = await Deno.makeTempDir();
  const [logs, elsewhere] = [`${root}/logs`, `${root}/elsewhere`];
  await Deno.mkdir(logs);
  await Deno.mkdir(elsewhere);
  await test({
    ...{ logs, elsewhere, stranger: there, without: [] },
    upstream: `http://127.0.0.1:${upstream.addr.port}`,
  }, asked);
  await Deno.remove(root, { recursive: true });
}

const ALLOWED = ["write the log", "ask the upstream"];

Deno.test("the permissions of a stateless and offline configuration let a thread do its work and nothing else", () =>
  withPlaces(async (places, asked) => {
    const { logs, elsewhere, upstream } = places;
    const config = resolveConfig({
      env: {
        SVC_STATELESS: "1",
        SVC_OFFLINE: "1",
        SVC_WORKSPACE_DIR: logs.slice(0, -"/logs".length),
        MSG_TARGET_API_URL: upstream,
        CHAT_TARGET_API_URL: upstream,
      },
    });
    const report = await escapes(neededPermissions(config, 8787), places);
    const done = Object.keys(report).filter((name) => report[name] === "done");
    assert.deepEqual(done, ALLOWED, JSON.stringify(report, null, 1));
    assert.deepEqual(asked, []);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(elsewhere)), []);
  }));

Deno.test("without those permissions the same attempts get out", () =>
  withPlaces(async (places, asked) => {
    // They would ask other machines, or leave a file in the runtime's cache.
    const without = ["ask DNS", "look a name up", "import a module"];
    const report = await escapes(undefined, { ...places, without });
    const refused = Object.keys(report).filter((name) =>
      report[name] !== "done"
    );
    // The one server speaks no such thing, the other is not there.
    assert.deepEqual(
      refused,
      ["open a web socket", "connect to a socket file"],
      JSON.stringify(report, null, 1),
    );
    assert(asked.length > 0);
    const found = await Array.fromAsync(Deno.readDir(places.elsewhere));
    assert(found.length > 0);
  }));
