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

const configOf = (env: Record<string, string>) => resolveConfig({ env });

function needed(env: Record<string, string>, port = 8787) {
  return neededPermissions(configOf({ HOME, ...env }), port);
}

const UPSTREAM = "http://127.0.0.1:9001";
const STATELESS = { SVC_STATELESS: "1" };
const OFFLINE = {
  SVC_OFFLINE: "1",
  MSG_TARGET_API_URL: `${UPSTREAM}/prefix`,
  CHAT_TARGET_API_URL: UPSTREAM,
};

Deno.test("isConfined says yes to a configuration without files, and to one without network", () => {
  const of = (env: Record<string, string>) =>
    isConfined(configOf({ HOME, ...env }));
  assert.deepEqual([{}, STATELESS, OFFLINE].map(of), [false, true, true]);
});

Deno.test("neededPermissions has the listener, the upstreams and the directory of the log, and never programs, libraries or modules of the web", () => {
  const logs = ["/home/a/.svc/logs"];
  const hosts = ["127.0.0.1:8787", "127.0.0.1:9001"];
  const llm = { ...OFFLINE, CHAT_TARGET_API_URL: "https://llm.example" };
  const relative = { ...STATELESS, SVC_WORKSPACE_DIR: "ws" };
  const cases = [
    [STATELESS, "inherit", logs, "inherit"],
    [relative, "inherit", [`${Deno.cwd()}/ws/logs`], "inherit"],
    [OFFLINE, hosts, "inherit", false],
    [llm, [...hosts, "llm.example:443"], "inherit", false],
    [{ ...OFFLINE, ...STATELESS }, hosts, logs, false],
  ] as const;
  for (const [given, net, write, env] of cases) {
    assert.deepEqual(needed(given), {
      ...{ net, write, env, read: "inherit", sys: "inherit" },
      ...{ run: false, ffi: false, import: false },
    });
  }
  const homeless = neededPermissions(configOf(STATELESS), 1);
  assert.equal(homeless.write, false, "without a log it writes nothing");
});

Deno.test("listenerHost puts an IPv6 address into brackets", () => {
  assert.equal(listenerHost("::1", 80), "[::1]:80");
  assert.equal(listenerHost("localhost", 80), "localhost:80");
});

Deno.test("upstreamHosts has every upstream, the HTTP proxy and what clients may choose, and the server of subscriptions as long as chat traffic goes to the default", () => {
  const hosts = (env: Record<string, string>) =>
    upstreamHosts(configOf({ HOME, ...env }));
  assert.deepEqual(hosts({}), [
    ...["api.anthropic.com:443", "api.openai.com:443", "chatgpt.com:443"],
  ]);
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
      ...["a.example:443", "b.example:80", "c.example:8443"],
      ...["xn--bcher-kva.example:443", "proxy.example:3128"],
      ...["box.lan", "[::1]:11434", "d.example:443"],
    ],
  );
});

Deno.test("permissionsText says where writing and the network end, without the listener", () => {
  const nothing = neededPermissions(configOf(STATELESS), 1);
  const net = "reaches only 127.0.0.1:9001; starts no program";
  const cases = [
    [needed(OFFLINE), net],
    [
      needed({ ...OFFLINE, ...STATELESS }),
      `writes only to /home/a/.svc/logs; ${net}`,
    ],
    [nothing, "writes no file; starts no program"],
    [
      { ...nothing, net: ["127.0.0.1:8787"] },
      "writes no file; reaches no host; starts no program",
    ],
  ] as const;
  for (const [permissions, text] of cases) {
    assert.equal(permissionsText(permissions), text);
  }
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

Deno.test("messageQueue gives what was pushed before and after it is read, in order, and ends after what waits", async () => {
  const queue = messageQueue<number>();
  queue.push(1);
  const values = Array.fromAsync(queue.messages);
  await Promise.resolve();
  queue.push(2);
  queue.end();
  queue.push(3);
  assert.deepEqual(await values, [1, 2]);
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
