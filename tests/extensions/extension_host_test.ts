import assert from "node:assert/strict";
import {
  ExtensionHost,
  type ExtensionThread,
} from "../../src/extensions/extension_host.ts";
import type {
  FromExtension,
  ToExtension,
} from "../../src/extensions/messages.ts";
import { within } from "../hang.ts";

const soon = <T>(event: Promise<T>) => within(event, () => "the extensions");

const QUESTION = {
  format: "messages",
  model: "m",
  messages: '[{"role":"user","content":"Hi"}]',
};

/** Threads that answer as `script` does; they die as they say. */
function fakeThreads(
  script: (
    message: ToExtension,
    say: (message: FromExtension) => void,
    die: () => void,
  ) => void,
) {
  const threads: { isEnded: boolean }[] = [];
  const start = () => {
    const state = { isEnded: false };
    threads.push(state);
    const later = (event: () => void) =>
      queueMicrotask(() => {
        if (!state.isEnded) event();
      });
    const thread: ExtensionThread = {
      onmessage: null,
      onerror: null,
      terminate: () => void (state.isEnded = true),
      postMessage: (message) =>
        script(
          message,
          (data) => later(() => thread.onmessage?.({ data })),
          () =>
            later(() =>
              thread.onerror?.({ message: "gone", preventDefault() {} })
            ),
        ),
    };
    return thread;
  };
  return { start, threads };
}

const MODULE = { name: "a", specifier: "a" };
const EDIT = { path: [], text: "x" };

/** A host whose extension does what a question's text says. */
function hostOf(waitMs = 10_000) {
  const failed: string[] = [];
  const asked: string[] = [];
  const { start, threads } = fakeThreads((message, say, die) => {
    if (message.type === "load") return say({ type: "loaded" });
    const { id, question: { messages } } = message;
    asked.push(messages);
    if (messages === "die unseen") return die();
    if (messages === "silent") return;
    say({ type: "begins", id });
    if (messages === "die") return die();
    if (messages === "hang") return;
    say({ type: "answer", id, edits: [EDIT], failures: [] });
  });
  const host = new ExtensionHost({
    module: MODULE,
    start,
    timeoutMs: 1,
    waitMs,
    onFailure: ({ name, reason }) => void failed.push(`${name}: ${reason}`),
  });
  const ask = async (messages: string) =>
    (await soon(host.ask({ ...QUESTION, messages }))).length;
  return { host, threads, failed, asked, ask };
}

Deno.test("ExtensionHost gives up a question that has no answer in time, and asks the others in a new thread", async () => {
  const { host, threads, failed, asked, ask } = hostOf();
  const edits = await Promise.all(["1", "hang", "2", "3"].map(ask));
  assert.deepEqual(edits, [1, 0, 1, 1]);
  assert.deepEqual(asked, ["1", "hang", "2", "3"], "none is asked again");
  assert.deepEqual(failed, ["a: it gave no answer within 0.001 s"]);
  assert.deepEqual(threads.map(({ isEnded }) => isEnded), [true, false]);
  host[Symbol.dispose]();
  assert.ok(threads.every(({ isEnded }) => isEnded));
});

Deno.test("ExtensionHost asks once more what a thread that ended had not begun", async () => {
  for (const [text, tries] of [["die unseen", 2], ["silent", 2], ["die", 1]]) {
    const { host, failed, asked, ask } = hostOf();
    using _host = host;
    const edits = await Promise.all(["1", String(text), "2"].map(ask));
    assert.deepEqual(edits, [1, 0, 1], `${text}`);
    assert.equal(asked.filter((one) => one === text).length, tries);
    assert.equal(failed.length, 1);
  }
});

Deno.test("ExtensionHost lets a question wait no longer than it may", async () => {
  const { start } = fakeThreads((message, say) => {
    if (message.type === "load") say({ type: "loaded" });
    else say({ type: "begins", id: message.id });
  });
  const failed: string[] = [];
  using host = new ExtensionHost({
    module: MODULE,
    start,
    timeoutMs: 1e9,
    waitMs: 1,
    onFailure: ({ reason }) => void failed.push(reason),
  });
  const first = host.ask(QUESTION);
  await soon(host.loaded);
  assert.deepEqual(await soon(host.ask(QUESTION)), []);
  assert.deepEqual(failed, ["it was busy with other requests for 0.001 s"]);
  host[Symbol.dispose]();
  assert.deepEqual(await soon(first), []);
});

Deno.test("ExtensionHost says why its module was not loaded, and answers without edits", async () => {
  for (
    const [script, reason] of [
      ["hang", "it was not loaded within 0.001 s"],
      ["fail", "no"],
      ["die", "its thread did not start: gone"],
    ]
  ) {
    const { start, threads } = fakeThreads((_, say, die) => {
      if (script === "fail") say({ type: "loaded", failure: "no" });
      if (script === "die") die();
    });
    using host = new ExtensionHost({
      module: MODULE,
      start,
      loadMs: 1,
      onFailure: () => assert.fail("it is said once"),
    });
    const early = host.ask(QUESTION);
    assert.equal(await soon(host.loaded), reason);
    assert.deepEqual(await soon(early), []);
    assert.deepEqual(await soon(host.ask(QUESTION)), []);
    assert.deepEqual(threads, [{ isEnded: true }]);
  }
});

Deno.test("ExtensionHost answers what waits when it ends", async () => {
  const { start } = fakeThreads(() => {});
  const host = new ExtensionHost({ module: MODULE, start, onFailure() {} });
  const answer = host.ask(QUESTION);
  host[Symbol.dispose]();
  assert.deepEqual(await soon(answer), []);
  assert.deepEqual(await soon(host.ask(QUESTION)), []);
});
