import assert from "node:assert/strict";
import {
  ExtensionHost,
  type ExtensionThread,
} from "../../src/extensions/extension_host.ts";
import type {
  FromExtensions,
  ToExtensions,
} from "../../src/extensions/messages.ts";
import { within } from "../hang.ts";

const soon = <T>(event: Promise<T>) => within(event, () => "the extensions");

const QUESTION = {
  format: "messages",
  model: "m",
  messages: '[{"role":"user","content":"Hi"}]',
};

/** A thread that answers as `script` does. */
function fakeThreads(
  script: (
    message: ToExtensions,
    say: (message: FromExtensions) => void,
  ) => void,
) {
  const threads: { isEnded: boolean }[] = [];
  const start = () => {
    const state = { isEnded: false };
    threads.push(state);
    const thread: ExtensionThread = {
      onmessage: null,
      onerror: null,
      terminate: () => void (state.isEnded = true),
      postMessage: (message) =>
        script(message, (data) => {
          queueMicrotask(() => {
            if (!state.isEnded) thread.onmessage?.({ data });
          });
        }),
    };
    return thread;
  };
  return { start, threads };
}

const MODULES = ["a", "b"].map((name) => ({ name, specifier: name }));

/** A host whose extension `b` hangs over questions that hold `hang`. */
function hostOf(onFailure: (line: string) => void) {
  const { start, threads } = fakeThreads((message, say) => {
    if (message.type === "load") {
      const names = message.modules.map(({ name }) => name);
      for (const name of names) say({ type: "begins", name });
      return say({ type: "loaded", names, failures: [] });
    }
    const { id, question } = message;
    say({ type: "begins", name: "a", id });
    say({ type: "begins", name: "b", id });
    if (question.messages.includes("hang")) return;
    say({ type: "answer", id, edits: [{ path: [], text: "x" }], failures: [] });
  });
  const host = new ExtensionHost({
    modules: MODULES,
    start,
    patienceMs: 1,
    onLoaded: () => {},
    onFailure: ({ name, reason }) => onFailure(`${name}: ${reason}`),
  });
  return { host, threads };
}

Deno.test("ExtensionHost gives up an extension that does not answer in time, and asks on in a new thread", async () => {
  const failed: string[] = [];
  const { host, threads } = hostOf((line) => void failed.push(line));
  assert.deepEqual(
    await soon(host.ask({ ...QUESTION, messages: "hang" })),
    [],
  );
  assert.deepEqual(failed, ["b: it gave no answer within 0.001 s"]);
  assert.deepEqual(threads.map(({ isEnded }) => isEnded), [true, false]);
  assert.equal((await soon(host.ask(QUESTION))).length, 1);
  host[Symbol.dispose]();
  assert.ok(threads.every(({ isEnded }) => isEnded));
});

Deno.test("ExtensionHost goes on without a module that does not load in time", async () => {
  const { start, threads } = fakeThreads((message, say) => {
    if (message.type !== "load") return;
    const names = message.modules.map(({ name }) => name);
    for (const name of names) say({ type: "begins", name });
    if (!names.includes("b")) say({ type: "loaded", names, failures: [] });
  });
  const loaded = Promise.withResolvers<string>();
  using _host = new ExtensionHost({
    modules: MODULES,
    start,
    loadMs: 1,
    onFailure: () => {},
    onLoaded: (names, failures) =>
      loaded.resolve(JSON.stringify([names, failures])),
  });
  assert.equal(
    await soon(loaded.promise),
    '[["a"],[{"name":"b","reason":"it was not loaded within 0.001 s"}]]',
  );
  assert.equal(threads.length, 2);
});

Deno.test("ExtensionHost answers what waits when it ends", async () => {
  const { start } = fakeThreads(() => {});
  const host = new ExtensionHost({
    modules: MODULES,
    start,
    onFailure: () => {},
    onLoaded: () => {},
  });
  const answer = host.ask(QUESTION);
  host[Symbol.dispose]();
  assert.deepEqual(await soon(answer), []);
  assert.deepEqual(await soon(host.ask(QUESTION)), []);
});
