/** What a request waits for in the database, and what is written after it. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { bodyOf, messagesClient } from "../conformance/conversation.ts";
import { HANG_MS } from "../hang.ts";
import { LOG } from "./agent.ts";
import { startProxyProcess } from "./proxy_process.ts";
import { startUpstream } from "./upstream.ts";

const counting = () =>
  startUpstream(() =>
    Response.json({ usage: { input_tokens: 9, output_tokens: 1 } })
  );

/** A conversation in which the log was printed by the call of that name. */
function logged(question: string) {
  const args = { command: "make" };
  const calls = [{ id: `of ${question}`, tool: "Bash", args, result: LOG }];
  return { question, steps: [{ calls }] };
}

/** Sends the conversation from its beginning on. */
async function send(url: string, question: string): Promise<void> {
  for (const n of [0, 1]) {
    const body = bodyOf(messagesClient, logged(question), n);
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": "k" },
      body: body as BodyInit,
    });
    assert.equal(response.status, 200);
    await response.bytes();
  }
}

const printed = JSON.stringify(LOG).slice(1, -1);

Deno.test("a database that another process locks delays no request: what is new goes out as it is, and is shortened again after it", async () => {
  await using upstream = counting();
  await using proxy = await startProxyProcess({
    env: { MSG_TARGET_API_URL: upstream.url },
  });
  await send(proxy.url, "before");
  assert(!upstream.received.at(-1)!.text.includes(printed));
  {
    using other = new DatabaseSync(`${proxy.workspace}/ccr_store.db`, {
      timeout: HANG_MS,
    });
    // What the proxy writes later may have the lock for a moment.
    other.exec("BEGIN IMMEDIATE");
    // The lock is not given back before the answer is here.
    await send(proxy.url, "meanwhile");
    assert(upstream.received.at(-1)!.text.includes(printed));
    other.exec("ROLLBACK");
  }
  await send(proxy.url, "after");
  assert(!upstream.received.at(-1)!.text.includes(printed));
});

Deno.test("requests whose records wait for others are in the ledger after SIGTERM", async () => {
  await using upstream = counting();
  await using proxy = await startProxyProcess({
    env: { MSG_TARGET_API_URL: upstream.url },
  });
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => send(proxy.url, `talk ${i}`)),
  );
  proxy.kill("SIGTERM");
  assert.equal(await proxy.ended(), 0);
  using ledger = new DatabaseSync(`${proxy.workspace}/ledger.db`);
  const counted = ledger.prepare("SELECT count(*) AS n FROM requests").get();
  assert.deepEqual({ ...counted }, { n: 40 });
  using store = new DatabaseSync(`${proxy.workspace}/ccr_store.db`);
  const { n } = { ...store.prepare("SELECT count(*) AS n FROM forms").get() };
  assert.equal(n, 20);
});
