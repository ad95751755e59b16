import assert from "node:assert/strict";
import {
  isConfined,
  listenerHost,
  neededPermissions,
  permissionsText,
  threadEnvironment,
  type ThreadPermissions,
  upstreamHosts,
} from "../../../src/cli/confine/needed.ts";
import { resolveConfig } from "../../../src/settings/resolve.ts";
import { messageQueue, startThread } from "../../../src/cli/confine/thread.ts";

const HOME = "/home/a";

function needed(env: Record<string, string>, port = 8787) {
  return neededPermissions(resolveConfig({ env: { HOME, ...env } }), port);
}

function hosts(env: Record<string, string>) {
  return upstreamHosts(resolveConfig({ env: { HOME, ...env } }));
}

Deno.test("isConfined says yes to a configuration without files, and to one without network", () => {
  const of = (env: Record<string, string>) =>
    isConfined(resolveConfig({ env: { HOME, ...env } }));
  assert.equal(of({}), false);
  assert.equal(of({ SVC_STATELESS: "1" }), true);
  assert.equal(of({ SVC_OFFLINE: "1" }), true);
});

Deno.test("neededPermissions never has programs, libraries or modules of the web", () => {
  for (const env of [{ SVC_STATELESS: "1" }, { SVC_OFFLINE: "1" }]) {
    const { run, ffi, import: imported } = needed(env);
    assert.deepEqual([run, ffi, imported], [false, false, false]);
  }
});

Deno.test("neededPermissions lets a stateless proxy write the directory of its log only", () => {
  const permissions = needed({ SVC_STATELESS: "1" });
  assert.deepEqual(permissions.write, ["/home/a/.svc/logs"]);
  assert.equal(permissions.net, "inherit");
  assert.equal(permissions.env, "inherit");
});

Deno.test("neededPermissions makes the directory of the log absolute", () => {
  const { write } = needed({ SVC_STATELESS: "1", SVC_WORKSPACE_DIR: "ws" });
  assert.deepEqual(write, [`${Deno.cwd()}/ws/logs`]);
});

Deno.test("neededPermissions lets a stateless proxy without a log write nothing", () => {
  const config = resolveConfig({ env: { SVC_STATELESS: "1" } });
  assert.equal(neededPermissions(config, 1).write, false);
});

Deno.test("neededPermissions lets an offline proxy reach its listener and its upstreams only", () => {
  const permissions = needed({
    SVC_OFFLINE: "1",
    MSG_TARGET_API_URL: "http://127.0.0.1:9001/prefix",
    CHAT_TARGET_API_URL: "https://llm.example",
  }, 4321);
  assert.deepEqual(permissions.net, [
    "127.0.0.1:4321",
    "127.0.0.1:9001",
    "llm.example:443",
  ]);
  assert.equal(permissions.write, "inherit");
  assert.equal(permissions.env, false);
});

Deno.test("neededPermissions combines both", () => {
  const { net, write } = needed({
    SVC_OFFLINE: "1",
    SVC_STATELESS: "1",
    MSG_TARGET_API_URL: "http://127.0.0.1:9001",
    CHAT_TARGET_API_URL: "http://127.0.0.1:9001",
  });
  assert.deepEqual(net, ["127.0.0.1:8787", "127.0.0.1:9001"]);
  assert.deepEqual(write, ["/home/a/.svc/logs"]);
});

Deno.test("listenerHost puts an IPv6 address into brackets", () => {
  assert.equal(listenerHost("::1", 80), "[::1]:80");
  assert.equal(listenerHost("localhost", 80), "localhost:80");
});

Deno.test("upstreamHosts has the server of subscriptions as long as chat traffic goes to the default", () => {
  assert.deepEqual(hosts({}), [
    "api.anthropic.com:443",
    "api.openai.com:443",
    "chatgpt.com:443",
  ]);
});

Deno.test("upstreamHosts has every upstream, the HTTP proxy and what clients may choose", () => {
  assert.deepEqual(
    hosts({
      MSG_TARGET_API_URL: "https://a.example",
      CHAT_TARGET_API_URL: "http://b.example",
      VERTEX_TARGET_API_URL: "https://c.example:8443",
      FOUNDRY_TARGET_API_URL: "https://bücher.example/x",
      SVC_HTTP_PROXY: "http://user:secret@proxy.example:3128",
      SVC_ALLOWED_BASE_URLS: "box.lan,http://[::1]:11434,https://d.example",
    }),
    [
      "a.example:443",
      "b.example:80",
      "c.example:8443",
      "xn--bcher-kva.example:443",
      "proxy.example:3128",
      "box.lan",
      "[::1]:11434",
      "d.example:443",
    ],
  );
});

Deno.test("permissionsText says where writing and the network end, without the listener", () => {
  const env = {
    SVC_OFFLINE: "1",
    MSG_TARGET_API_URL: "http://127.0.0.1:1",
    CHAT_TARGET_API_URL: "http://127.0.0.1:1",
  };
  assert.equal(
    permissionsText(needed(env)),
    "reaches only 127.0.0.1:1; starts no program",
  );
  assert.equal(
    permissionsText(needed({ ...env, SVC_STATELESS: "1" })),
    "writes only to /home/a/.svc/logs; reaches only 127.0.0.1:1; starts no program",
  );
  const nothing = resolveConfig({ env: { SVC_STATELESS: "1" } });
  const permissions = neededPermissions(nothing, 1);
  assert.equal(
    permissionsText(permissions),
    "writes no file; starts no program",
  );
  assert.equal(
    permissionsText({ ...permissions, net: ["127.0.0.1:8787"] }),
    "writes no file; reaches no host; starts no program",
  );
});

Deno.test("threadEnvironment copies everything that is listed", () => {
  const env = { SVC_PORT: "1", PATH: "/bin", EMPTY: "" };
  assert.deepEqual(threadEnvironment(env), env);
});

Deno.test("threadEnvironment asks an object that lists nothing for what settings need", () => {
  const values: Record<string, string> = {
    SVC_PORT: "1",
    SVC_WORKSPACE_DIR: "/w",
    HOME: "/home/a",
    SECRET: "s",
  };
  const env = new Proxy<Record<string, string | undefined>>({}, {
    get: (_, name) => values[String(name)],
  });
  const told = threadEnvironment(env);
  assert.deepEqual(told, {
    SVC_PORT: "1",
    SVC_WORKSPACE_DIR: "/w",
    HOME: "/home/a",
  });
  structuredClone(told);
});

Deno.test("messageQueue gives what was pushed before and after it is read, in order", async () => {
  const queue = messageQueue<number>();
  queue.push(1);
  queue.push(2);
  const values = queue.messages[Symbol.asyncIterator]();
  assert.equal((await values.next()).value, 1);
  assert.equal((await values.next()).value, 2);
  const third = values.next();
  queue.push(3);
  assert.equal((await third).value, 3);
});

Deno.test("messageQueue ends after what waits, and takes nothing more", async () => {
  const queue = messageQueue<number>();
  queue.push(1);
  queue.end();
  queue.push(2);
  assert.deepEqual(await Array.fromAsync(queue.messages), [1]);
});

Deno.test("messageQueue ends for a reader that waits", async () => {
  const queue = messageQueue<number>();
  const rest = Array.fromAsync(queue.messages);
  await Promise.resolve();
  queue.end();
  assert.deepEqual(await rest, []);
});

const NOTHING: ThreadPermissions = {
  ...{ net: [], write: false, env: false, run: false },
  ...{ ffi: false, import: false, read: "inherit", sys: "inherit" },
};

/** A thread that runs these statements for each message of ours, `data`. */
function start(code: string, permissions = NOTHING) {
  const talk: string[] = [];
  const text = `onmessage = async ({ data }) => { ${code} };`;
  const thread = startThread({
    module: new URL(`data:text/javascript,${encodeURIComponent(text)}`),
    permissions,
    world: { env: { A: "b" }, names: ["box"], isTerminal: true },
    stderr: (text) => void talk.push(text),
  });
  return { thread, talk };
}

Deno.test("startThread tells the thread its world first, then what it is sent, as lines", async () => {
  const { thread, talk } = start(
    `postMessage({ type: "talk", text: JSON.stringify(data) });
     if (data.type === "line") postMessage({ type: "ended", code: 7 });`,
  );
  thread.send({ type: "stop" });
  assert.deepEqual(await thread.ended, { code: 7, signal: undefined });
  assert.deepEqual(talk.map((text) => JSON.parse(text)), [
    {
      type: "world",
      world: { env: { A: "b" }, names: ["box"], isTerminal: true },
    },
    { type: "line", line: '{"type":"stop"}\n' },
  ]);
});

Deno.test("startThread hands on messages of a worker and leaves out other lines", async () => {
  const { thread } = start(
    `if (data.type !== "line") return;
     for (const line of ["chatter", '{"type":"apply"}']) {
       postMessage({ type: "line", line });
     }
     postMessage({ type: "ended", code: 0 });`,
  );
  thread.send({ type: "stop" });
  assert.deepEqual(await Array.fromAsync(thread.messages), [{ type: "apply" }]);
});

Deno.test("a thread that is killed has ended at once, as by SIGKILL", async () => {
  const { thread } = start(`for (;;);`);
  thread.kill();
  assert.deepEqual(await thread.ended, { code: 1, signal: "SIGKILL" });
  assert.deepEqual(await Array.fromAsync(thread.messages), []);
  thread.send({ type: "stop" });
});

Deno.test("the permissions of a thread are those that it is given", async () => {
  const { thread, talk } = start(
    `const names = ["net", "write", "env", "run", "ffi", "import"];
     const states = await Promise.all(names.map(async (name) =>
       (await Deno.permissions.query({ name })).state));
     postMessage({ type: "talk", text: states.join() });
     postMessage({ type: "ended", code: 0 });`,
  );
  await thread.ended;
  assert.doesNotMatch(talk.join(), /granted/);
  assert.equal(talk.join().split(",").length, 6);
});

Deno.test("a thread that fails has ended, and this program goes on", async () => {
  const module = new URL("data:text/javascript,import 'data:text/none,'");
  const thread = startThread({
    module,
    permissions: NOTHING,
    world: { env: undefined, names: [], isTerminal: false },
    stderr: () => {},
  });
  assert.deepEqual(await thread.ended, { code: 1, signal: undefined });
});
