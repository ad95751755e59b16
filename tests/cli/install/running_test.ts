import assert from "node:assert/strict";
import {
  isAnswering,
  listenerAt,
  runCommands,
  urlOf,
} from "../../../src/cli/install/running.ts";
import type { ServerAnswer } from "../../../src/cli/io.ts";
import { fakeIo } from "../fake_io.ts";

const SERVICE = { port: 8787, profile: "default" };

/** An answer of a proxy of that deployment. */
function answerOf(profile?: string): ServerAnswer {
  const health = {
    service: "svc-proxy",
    ...profile === undefined ? {} : { deployment: { profile } },
  };
  return { status: 200, text: JSON.stringify(health) };
}

Deno.test("listenerAt tells a service from other proxies and programs", async () => {
  const cases = [
    [undefined, "nobody"],
    [answerOf("default"), "service"],
    [answerOf("work"), "proxy"],
    [answerOf(), "proxy"],
    [{ status: 404, text: "?" }, "other"],
  ] as const;
  for (const [answer, listener] of cases) {
    const io = fakeIo({ ask: () => Promise.resolve(answer) });
    assert.equal(await listenerAt(io, SERVICE), listener);
  }
  assert.equal(urlOf(SERVICE), "http://127.0.0.1:8787");
});

Deno.test("isAnswering waits until the service answers, and not for ever", async () => {
  let asked = 0;
  const late = fakeIo({
    ask: () => Promise.resolve(++asked > 9 ? answerOf("default") : undefined),
  });
  assert.equal(await isAnswering(late, SERVICE), true);
  let waits = 0;
  const never = fakeIo({ wait: () => Promise.resolve(void waits++) });
  assert.equal(await isAnswering(never, SERVICE), false);
  assert.ok(waits > 0 && waits < 1000);
});

Deno.test("runCommands stops at the first program that fails, and says what it said", async () => {
  const ran: string[] = [];
  const io = fakeIo({
    runProgram([name = ""]) {
      ran.push(name);
      if (name === "gone") return Promise.resolve(undefined);
      const code = name === "good" ? 0 : 1;
      return Promise.resolve({
        code,
        text: name === "mute" ? "" : "No bus.\n",
      });
    },
  });
  const run = (...names: string[]) =>
    runCommands(io, names.map((name) => [name, "a b"]));
  assert.equal(await run("good", "good"), undefined);
  assert.equal(await run("good", "bad", "good"), 'bad "a b": No bus');
  assert.equal(await run("mute"), 'mute "a b": it ended with code 1');
  assert.equal(await run("gone"), "gone is not on this machine");
  assert.deepEqual(ran, ["good", "good", "good", "bad", "mute", "gone"]);
});

Deno.test("runCommands goes on after what is harmless", async () => {
  const ran: string[] = [];
  const io = fakeIo({
    runProgram([name = ""]) {
      ran.push(name);
      return Promise.resolve({ code: 1, text: name });
    },
  });
  const commands = [["no such process"], ["denied"], ["last"]];
  assert.equal(
    await runCommands(io, commands, /no such/),
    '"denied": denied'.replaceAll('"', ""),
  );
  assert.deepEqual(ran, ["no such process", "denied"]);
  assert.equal(await runCommands(fakeIo(), commands, /no such/), undefined);
});
