/** Reads of files that were edited or read again later. */
import assert from "node:assert/strict";
import { staleReads } from "../../src/pipeline/stale_reads.ts";
import {
  bodyOf,
  type Call,
  CLIENTS,
  type Conversation,
  messagesClient,
} from "../conformance/conversation.ts";
import { FORMATS, harness } from "./harness.ts";

const lines = (n: number, word = "line") =>
  Array.from({ length: n }, (_, i) => `${word} ${i} of the file`).join("\n");
const FILE = lines(80);

type Step = readonly [
  tool: string,
  args: Readonly<Record<string, string>>,
  result?: string,
];
const call = ([tool, args, result = FILE]: Step, i: number): Call => ({
  ...{ id: `c${i}`, tool, args },
  result,
});
const talk = (...steps: readonly Step[]): Conversation => ({
  question: "?",
  steps: steps.map((step, i) => ({ calls: [call(step, i)] })),
});

const A = { file_path: "src/a.ts" };
const B = { file_path: "src/b.ts" };
const DONE = "The file was updated.";

/** Why each result of `steps` no longer holds; empty for those that do. */
function reasons(...steps: readonly Step[]): readonly string[] {
  const body = bodyOf(messagesClient, talk(...steps), steps.length);
  const { blocks } = FORMATS["messages"]!.scan(body);
  const stale = staleReads({ body, blocks, toolRules: [] });
  return blocks.map((_, i) => stale.get(i) ?? "");
}
const EDITED = "the file was edited later";
const AGAIN = "the file was read again later";

Deno.test("staleReads finds reads of files that are edited or read again later, and no others", () => {
  assert.deepEqual(
    reasons(["Read", A], ["Read", B], ["Edit", A, DONE], ["Read", A]),
    [EDITED, "", "", ""],
  );
  assert.deepEqual(reasons(["Read", A], ["Read", B], ["Read", A]), [
    AGAIN,
    "",
    "",
  ]);
  assert.deepEqual(reasons(["Edit", A, DONE], ["Read", A]), ["", ""]);
  assert.deepEqual(reasons(["Bash", A], ["Edit", A, DONE]), ["", ""]);
  assert.deepEqual(
    reasons(["Bash", { command: "cat src/a.ts" }], ["Write", A, DONE]),
    [EDITED, ""],
  );
  assert.deepEqual(
    reasons(["Read", { file_path: "./src/a.ts" }], ["Write", A, DONE]),
    [EDITED, ""],
  );
});

Deno.test("staleReads takes a patch for an edit of each file that it names", () => {
  const patch =
    "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-x\n+y\n*** Add File: src/c.ts\n+z\n*** End Patch";
  assert.deepEqual(
    reasons(["Read", A], ["Read", B], [
      "apply_patch",
      { input: patch },
      DONE,
    ]),
    [EDITED, "", ""],
  );
});

Deno.test("staleReads takes a read of a part for outdated only by the same part or by the whole file", () => {
  const part = { ...A, offset: "10", limit: "80" };
  const other = { ...A, offset: "200", limit: "80" };
  assert.deepEqual(reasons(["Read", part], ["Read", other]), ["", ""]);
  assert.deepEqual(reasons(["Read", A], ["Read", part]), ["", ""]);
  assert.deepEqual(reasons(["Read", part], ["Read", part]), [AGAIN, ""]);
  assert.deepEqual(reasons(["Read", part], ["Read", A]), [AGAIN, ""]);
  // A tool that stops there may not have come to the part.
  assert.deepEqual(reasons(["Read", part], ["Read", A, lines(2000)]), ["", ""]);
});

Deno.test("staleReads does not believe an edit or a read that says that it failed", () => {
  const failed = "Error: old_string not found in src/a.ts";
  assert.deepEqual(reasons(["Read", A], ["Edit", A, failed]), ["", ""]);
  const denied = "permission denied";
  const part = { ...A, offset: "1" };
  assert.deepEqual(reasons(["Read", part], ["Read", A, denied]), ["", ""]);
});

for (const client of CLIENTS) {
  Deno.test(`${client.id}: on a cold turn a read that no longer holds becomes one line, whose original can be asked for`, async () => {
    const process = harness();
    const steps: Step[] = [
      ["Read", A],
      ["Read", B, lines(90, "b")],
      ["Edit", A, DONE],
      ["Read", A, lines(70, "new")],
    ];
    const on = { recompacts: true };
    const send = (n: number) =>
      process.send(client.id, bodyOf(client, talk(...steps), n), on);
    for (const n of [0, 1, 2, 3]) {
      const warm = new TextDecoder().decode((await send(n)).bytes);
      assert(!warm.includes("edited later"));
    }
    process.clock.ms += 3 * 3_600_000;
    const cold = await send(4);
    const sent = new TextDecoder().decode(cold.bytes);
    const line = "… lines 1-80 omitted (the file was edited later)\\n" +
      "[80 lines compressed to 0. Retrieve more: hash=";
    assert.equal(sent.split(line).length, 2);
    assert.equal(sent.split("edited later").length, 2);
    const [stale] = cold.formed.filter(({ form }) =>
      form.strategy === "stale_read"
    );
    const entry = process.store.entry(stale!.form.entry!, process.clock.ms);
    assert("original" in entry && entry.original === FILE);
    process.clock.ms += 60_000;
    assert.deepEqual((await send(4)).bytes, cold.bytes);
  });
}

Deno.test("a read that no longer holds stays where nothing may be left out", async () => {
  const process = harness({ ccr: false });
  const conversation = talk(["Read", A], ["Edit", A, DONE], ["Read", B]);
  const on = { recompacts: true };
  for (const n of [0, 1, 2]) {
    await process.send("messages", bodyOf(messagesClient, conversation, n), on);
  }
  process.clock.ms += 3 * 3_600_000;
  const body = bodyOf(messagesClient, conversation, 3);
  const call = await process.send("messages", body, on);
  assert.equal(call.coldTurns, 1);
  assert.deepEqual(call.bytes, body);
});
