import assert from "node:assert/strict";
import type { ThreadPermissions } from "../../../src/cli/confine/needed.ts";
import { startThread } from "../../../src/cli/confine/thread.ts";

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
