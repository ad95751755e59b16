import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeLiteral } from "../../src/bytes/json_string.ts";
import { openRouter } from "../../src/compute/open_router.ts";
import type { CcrStore } from "../../src/core/store.ts";
import { compressBody } from "../../src/pipeline/compress_body.ts";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";
import {
  bodyOf,
  type Call,
  chatClient,
  type ClientFormat,
  CLIENTS,
  type Conversation,
  messagesClient,
} from "../conformance/conversation.ts";
import { comparedLines } from "../../src/text/earlier_lines.ts";
import { FORMATS, harness, type HarnessOptions, inputOf } from "./harness.ts";
import { acts, expanded, sessionOf } from "./repeated_conversations.ts";

/** Sessions of an agent in the three formats, on one store, with the compressors of the service. */

const { decide } = await openRouter();
const decoder = new TextDecoder();

/** A process that decides as the service does. */
function service(options: HarnessOptions = {}) {
  const own = harness({ dedupe: true, ...options });
  const parts = {
    ...own.parts,
    decide: (jobs: Parameters<typeof own.parts.decide>[0]) =>
      Promise.resolve(jobs.map(decide)),
  };
  const send = async (
    client: ClientFormat,
    body: Uint8Array,
    dedupe = parts.dedupe,
  ) => {
    const input = inputOf(client.id, body);
    const call = await compressBody({ ...parts, dedupe }, input);
    call.sent();
    assert.deepEqual(call.failures, []);
    return call;
  };
  return { ...own, parts, send };
}

/** Requires that whoever follows the references of a body reads its originals; gives how many forms had some. */
function assertExpands(client: ClientFormat, call: CompressedBody): number {
  const format = FORMATS[client.id]!;
  const originals = format.scan(call.body).blocks;
  const sent = format.scan(call.bytes).blocks;
  assert.equal(sent.length, originals.length);
  let referred = 0;
  for (const { block, form } of call.formed) {
    if (form.strategy !== "dedupe") continue;
    referred++;
    const i = originals.findIndex(({ span }) =>
      span.start === block.span.start
    );
    const original = decodeLiteral(call.body, block.span)!;
    const { start } = sent[i]!.span;
    assert.equal(
      expanded(format, call.bytes, { start, style: original }),
      original.replace(/\n+$/, ""),
    );
  }
  return referred;
}

/** The elements of the conversation as they were sent. */
function elements(client: ClientFormat, bytes: Uint8Array): string[] {
  const format = FORMATS[client.id]!;
  return format.scan(bytes).messages.map(({ start, end }) =>
    decoder.decode(bytes.subarray(start, end))
  );
}

/** Notes what was sent for each body, and requires that the same is sent for whatever begins with it. */
class SentBefore {
  readonly #sent: { readonly given: string[]; readonly sent: string[] }[] = [];

  note(client: ClientFormat, call: CompressedBody): void {
    const given = elements(client, call.body);
    const sent = elements(client, call.bytes);
    for (const before of this.#sent) {
      if (before.given.every((one, i) => one === given[i])) {
        assert.deepEqual(sent.slice(0, before.sent.length), before.sent);
      }
    }
    this.#sent.push({ given, sent });
  }
}

/** A request: how many steps of which branch, how many of the first ones are left out, and what happens before. */
const request = fc.record({
  steps: fc.nat(12),
  isFork: fc.boolean(),
  trimmed: fc.constantFrom(0, 0, 0, 1, 3),
  isOther: fc.boolean(),
});

for (const client of CLIENTS) {
  for (const what of ["restarts", "switches"] as const) {
    Deno.test(`references of a ${client.id} body can be followed, and what was sent is sent again, with forks, rewinds, trimmed beginnings and ${what}`, async () => {
      let referred = 0;
      await fc.assert(
        fc.asyncProperty(
          acts,
          acts,
          fc.array(request, { maxLength: 8 }),
          async (one, other, requests) => {
            const store: CcrStore = harness().store;
            let process = service({ store });
            const sent = new SentBefore();
            const main = sessionOf(one);
            const forked = sessionOf(other, "f");
            const half = Math.floor(one.length / 2);
            const fork = {
              ...main,
              steps: [...main.steps.slice(0, half), ...forked.steps],
            };
            const send = async (
              talk: Conversation,
              { from = 0, to = 0, dedupe = true },
            ) => {
              const steps = talk.steps.slice(Math.min(from, to), to);
              const body = bodyOf(client, { ...talk, steps }, steps.length);
              const call = await process.send(client, body, dedupe);
              referred += assertExpands(client, call);
              sent.note(client, call);
            };
            // Each of the two goes on step by step, as clients do.
            for (const talk of [main, fork]) {
              for (let n = 0; n <= talk.steps.length; n++) {
                const isOff = what === "switches" && requests[n]?.isFork;
                await send(talk, { to: n, dedupe: !isOff });
              }
            }
            for (const { steps, isFork, trimmed, isOther } of requests) {
              if (isOther && what === "restarts") process = service({ store });
              await send(isFork ? fork : main, {
                from: trimmed,
                to: steps,
                dedupe: !isOther || what === "restarts",
              });
            }
            assert.deepEqual([...process.failures], []);
          },
        ),
        { numRuns: 20 },
      );
      assert(referred > 20, `${referred} references`);
    });
  }
}

const lines = (n: number, word = "value") =>
  Array.from(
    { length: n },
    (_, i) => `export const ${word}${i} = compute(${i}, "of the file");`,
  );
const edited = (at: number, all = lines(60)) =>
  all.with(at - 1, 'export const edited = compute("anew");');
const arrows = (all: readonly string[]) =>
  all.map((line, i) => `${`${i + 1}`.padStart(6)}→${line}`).join("\n");

const call = (
  id: string,
  tool: string,
  args: Record<string, string>,
  result: string | readonly string[],
): Call => ({ id, tool, args, result });
const read = (id: string, result: string, path = "src/a.ts") =>
  call(id, "Read", { file_path: path }, result);
const bash = (id: string, result: string, command = "npm test") =>
  call(id, "Bash", { command }, result);
const edit = (id: string) =>
  call(id, "Edit", { file_path: "src/a.ts", new_string: "x" }, "Edited.");

const talk = (...calls: (Call | Call[])[]): Conversation => ({
  question: "Change the file.",
  steps: calls.map((one) => ({ calls: [one].flat() })),
});

type Service = ReturnType<typeof service>;

/** Sends a conversation step by step; gives what the last request made of its last result. */
async function last(
  { send }: Pick<Service, "send">,
  conversation: Conversation,
  client: ClientFormat = messagesClient,
) {
  const { steps } = conversation;
  for (let n = 0; n < steps.length; n++) {
    await send(client, bodyOf(client, conversation, n));
  }
  const call = await send(client, bodyOf(client, conversation, steps.length));
  assertExpands(client, call);
  return { call, text: lastResult(client, call) };
}

function lastResult(client: ClientFormat, call: CompressedBody): string {
  const { span } = FORMATS[client.id]!.scan(call.bytes).blocks.at(-1)!;
  return decodeLiteral(call.bytes, span)!;
}

const withoutMarker = (text: string) => text.replace(/\n\[\d+ lines .*\]$/, "");

Deno.test("referToEarlier shows what was edited with its number, and refers to the rest of a file that is read again", async () => {
  const { call, text } = await last(
    service(),
    talk(
      read("1", arrows(lines(60))),
      edit("2"),
      read("3", arrows(edited(30))),
    ),
  );
  assert.equal(
    withoutMarker(text),
    `… lines 1-29 are unchanged since the last result of Read src/a.ts above
    30→export const edited = compute("anew");
… lines 31-60 are unchanged since the last result of Read src/a.ts above`,
  );
  assert.deepEqual(call.strategies, ["numbered", "dedupe"]);
  const [{ form }] = call.decided as [CompressedBody["decided"][number]];
  assert(form.tokensAfter < form.tokensBefore / 10);
});

Deno.test("referToEarlier names the lines of the earlier text where they had other numbers", async () => {
  const moved = [...lines(3, "fresh"), ...lines(60)];
  const { text } = await last(
    service(),
    talk(read("1", arrows(lines(60))), edit("2"), read("3", arrows(moved))),
  );
  assert.match(
    text,
    /^… lines 4-63 are unchanged since the last result of Read src\/a\.ts above, lines 1-60 there$/m,
  );
});

Deno.test("referToEarlier refers to what the model wrote, and to what the user pasted", async () => {
  const content = lines(30).join("\n");
  const written = await last(
    service(),
    talk(
      call("1", "Write", { file_path: "src/a.ts", content }, "Written."),
      read("2", arrows(lines(30))),
    ),
  );
  assert.equal(
    withoutMarker(written.text),
    '… lines 1-30 are unchanged since "content" of your last call of Write src/a.ts above',
  );
  const pasted = talk(bash("1", lines(30).join("\n"), "cat src/a.ts"));
  const question = `What is this?\n${content}\nThanks.`;
  const { text } = await last(service(), { ...pasted, question });
  assert.equal(
    withoutMarker(text),
    '… lines 1-30 are unchanged since the last user text "What is this? export const value0 = comp…" above, lines 2-31 there',
  );
});

Deno.test("referToEarlier refers to the lines that a patch of the model adds, not to a patch that a tool prints", async () => {
  const added = lines(30).map((line) => `+${line}`).join("\n");
  const patch = `*** Begin Patch\n*** Add File: a.ts\n${added}\n*** End Patch`;
  const { text } = await last(
    service(),
    talk(
      call("1", "apply_patch", { input: patch }, "Done."),
      read("2", lines(30).join("\n")),
    ),
    chatClient,
  );
  assert.equal(
    withoutMarker(text),
    '… lines 1-30 are unchanged since the patch in "input" of your last call of apply_patch above, lines 3-32 there',
  );
  const { call: printed } = await last(
    service(),
    talk(read("1", patch, "a.patch"), read("2", lines(30).join("\n"))),
  );
  assert(!printed.strategies.includes("dedupe"));
});

Deno.test("referToEarlier does nothing where it is off, nothing may be left out, or no new result has three lines", async () => {
  const conversation = talk(
    read("1", arrows(lines(60))),
    read("2", arrows(edited(9))),
  );
  for (const options of [{ dedupe: false }, { ccr: false }]) {
    const process = service(options);
    const { call } = await last(process, conversation);
    assert(!call.strategies.includes("dedupe"));
    assert.equal(
      process.parts.earlierTexts.take(call.conversation!),
      undefined,
    );
  }
  const process = service();
  const { call } = await last(
    process,
    talk(bash("1", `${"word ".repeat(200)}\n${"other ".repeat(200)}`)),
  );
  assert.equal(process.parts.earlierTexts.take(call.conversation!), undefined);
});

Deno.test("referToEarlier leaves each line that fails now in the result of a command, not in that of a read", async () => {
  const failing = "FAILED test of the parser: expected 1 but got 2";
  const shown = lines(40);
  for (const at of [20, 24, 27]) shown[at] = failing;
  const content = shown.join("\n");
  const written = call("1", "Write", { content }, "Written.");
  const { call: ran, text } = await last(
    service(),
    talk(written, bash("2", `${content}\n1 more`)),
  );
  assert.deepEqual(ran.strategies, ["dedupe"]);
  assert.equal(
    withoutMarker(text),
    `… lines 1-20 are unchanged since "content" of your last call of Write above
${failing}
… lines 22-24 are unchanged since "content" of your last call of Write above
${shown.slice(24, 28).join("\n")}
… lines 29-40 are unchanged since "content" of your last call of Write above
1 more`,
  );
  const { text: file } = await last(
    service(),
    talk(written, read("2", `${content}\n1 more`, "out.ts")),
  );
  assert.doesNotMatch(file, /FAILED/);
});

Deno.test("referToEarlier leaves each line that fails in a file that programs write, and counts a last line break as no line", async () => {
  const failing = "FAILED test of the parser: expected 1 but got 2";
  const content = `${lines(40).with(20, failing).join("\n")}\n`;
  const written = call("1", "Write", { content }, "Written.");
  for (const [path, kept] of [["out/app.log", 1], ["src/a.txt", 0]] as const) {
    const { text } = await last(
      service(),
      talk(written, read("2", content, path)),
    );
    assert.equal(text.includes(failing), kept === 1, path);
    assert.match(text, new RegExp(`\\[40 lines compressed to ${kept}\\.`));
  }
});

Deno.test("referToEarlier sends a file whole that is read again although nothing changed since references were shown", async () => {
  const before = [
    read("1", arrows(lines(60))),
    edit("2"),
    read("3", arrows(edited(30))),
  ];
  const part = edited(30).slice(10, 50).join("\n");
  for (const again of [arrows(edited(30)), part]) {
    const { text } = await last(service(), talk(...before, read("4", again)));
    assert.doesNotMatch(text, /unchanged/);
  }
  const { text } = await last(
    service(),
    talk(...before, edit("4"), read("5", arrows(edited(40)))),
  );
  assert.match(text, /unchanged/);
});

Deno.test("referToEarlier refers to no text that is shortened itself, and to no reference", async () => {
  const rows = Array.from(
    { length: 200 },
    (_, i) =>
      `2026-01-01 10:00:${
        10 + i % 50
      } INFO job ${i} of the nightly run is done`,
  );
  const { call } = await last(
    service(),
    talk(bash("1", rows.join("\n")), bash("2", rows.slice(5).join("\n"), "x")),
  );
  assert(!call.strategies.includes("dedupe"), call.strategies.join());

  const second = edited(30);
  const third = edited(10, second);
  const { text } = await last(
    service(),
    talk(
      read("1", lines(60).join("\n")),
      edit("2"),
      read("3", second.join("\n")),
      edit("4"),
      read("5", third.join("\n")),
    ),
  );
  // The line that is shown in the second is no run of three.
  assert.equal(
    withoutMarker(text),
    `… lines 1-9 are unchanged since the 2nd-last result of Read src/a.ts above
export const edited = compute("anew");
… lines 11-29 are unchanged since the 2nd-last result of Read src/a.ts above
export const edited = compute("anew");
… lines 31-60 are unchanged since the 2nd-last result of Read src/a.ts above`,
  );
});

Deno.test("withWholeTexts sends the original where the client no longer sends the earlier text, and the form again where it does", async () => {
  const { send } = service();
  const whole = talk(
    read("1", arrows(lines(60))),
    edit("2"),
    read("3", arrows(edited(30))),
  );
  const { text } = await last({ send }, whole);
  const trimmed = { ...whole, steps: whole.steps.slice(1) };
  const call = await send(messagesClient, bodyOf(messagesClient, trimmed, 2));
  assert.equal(lastResult(messagesClient, call), arrows(edited(30)));
  const again = await send(messagesClient, bodyOf(messagesClient, whole, 3));
  assert.equal(lastResult(messagesClient, again), text);
});

Deno.test("withWholeTexts sends the original where another result of the same name came in between", async () => {
  const { send } = service();
  const [first, second] = [
    read("1", arrows(lines(60))),
    read("2", arrows(edited(30))),
  ];
  await last({ send }, talk(first, second));
  const other = talk(first, read("9", "other"), second);
  const call = await send(messagesClient, bodyOf(messagesClient, other, 3));
  assert.equal(lastResult(messagesClient, call), arrows(edited(30)));
});

Deno.test("withWholeTexts sends the original where another process has shortened the text that it refers to", async () => {
  const store: CcrStore = harness().store;
  const rows = Array.from(
    { length: 60 },
    (_, i) => `10:00:${10 + i} INFO job ${i} of the nightly run is done now`,
  );
  const log = rows.join("\n");
  // Met in the middle, the first one is left whole.
  const conversation = talk(
    bash("1", log),
    bash("2", "ok"),
    read("3", log, "a"),
  );
  const first = service({ store });
  await first.send(messagesClient, bodyOf(messagesClient, conversation, 0));
  await first.send(messagesClient, bodyOf(messagesClient, conversation, 2));
  const body = bodyOf(messagesClient, conversation, 3);
  const referred = await first.send(messagesClient, body);
  assert.deepEqual(referred.strategies, ["dedupe"]);
  const second = service({ store });
  await second.send(messagesClient, bodyOf(messagesClient, conversation, 1));
  const call = await second.send(messagesClient, body);
  assert.deepEqual(call.strategies, ["log"]);
  assert.equal(lastResult(messagesClient, call), log);
});

Deno.test("EarlierSearch takes lines for the same by their text, not by their digests", async () => {
  const byDigest = new Map<number, string>();
  let pair: string[] = [];
  for (let n = 0; pair.length === 0; n++) {
    const some = Array.from({ length: 10_000 }, (_, i) => `line ${n} ${i}`);
    const { digests } = comparedLines(some.join("\n"), "")!;
    for (const [i, line] of some.entries()) {
      const other = byDigest.get(digests[i]!);
      if (other !== undefined) pair = [other, line];
      byDigest.set(digests[i]!, line);
    }
  }
  const [one, other] = pair as [string, string];
  const before = lines(30).with(15, one);
  const { text } = await last(
    service(),
    talk(
      read("1", before.join("\n")),
      edit("2"),
      read("3", before.with(15, other).join("\n")),
    ),
  );
  assert.doesNotMatch(text, /unchanged/);
});

Deno.test("EarlierSearch reads anew what another conversation of the same name has, and nothing twice", async () => {
  let digests = 0;
  const process = service({
    enter: (part) => void (part === "keyOf" && digests++),
  });
  const writes = Array.from(
    { length: 20 },
    (_, i) =>
      call(`w${i}`, "Write", { content: lines(9, `w${i}_`).join("\n") }, "ok"),
  );
  const conversation = talk(
    ...writes,
    read("1", lines(60).join("\n")),
    read("2", edited(30).join("\n")),
  );
  await last(process, {
    ...conversation,
    steps: conversation.steps.slice(0, -1),
  });
  digests = 0;
  const { steps } = conversation;
  const next = bodyOf(messagesClient, conversation, steps.length);
  await process.send(messagesClient, next);
  assert(digests < 10, `${digests} texts were read`);

  const { text } = await last(
    process,
    talk(
      read("x1", lines(50, "other").join("\n")),
      edit("x2"),
      read("x3", edited(30, lines(50, "other")).join("\n")),
    ),
  );
  assert.match(text, /^… lines 1-29 are unchanged/);
});

Deno.test("EarlierSearch counts a text once that was found to repeat too little", async () => {
  const small = lines(3, "x").map((line) => line.slice(0, 18));
  const part = (id: string, own: string) =>
    read(id, [...small, ...lines(20, own)].join("\n"));
  const { text } = await last(
    service(),
    talk(
      part("1", "a"),
      part("2", "b"),
      part("3", "c"),
      read("4", [...lines(20, "b"), "new"].join("\n")),
    ),
  );
  assert.match(
    text,
    /since the 2nd-last result of Read src\/a\.ts above, lines 4-23 there/,
  );
});

Deno.test("liveZone leaves what forms refer to whole when the provider refuses the body as too long", async () => {
  const { parts, send } = service();
  const conversation = talk(
    read("1", lines(60).join("\n")),
    edit("2"),
    read("3", edited(30).join("\n")),
  );
  const { text } = await last({ send }, conversation);
  const body = bodyOf(messagesClient, conversation, 3);
  const input = inputOf("messages", body, { isTooLong: true });
  const call = await compressBody(parts, input);
  assert.equal(lastResult(messagesClient, call), text);
  assertExpands(messagesClient, call);
});

Deno.test("referToEarlier works for a caller of the library too, also within what he gives at once", async () => {
  const { parts } = service();
  const conversation = talk(
    read("1", arrows(lines(60))),
    read("2", arrows(lines(60))),
    read("3", arrows(edited(30))),
  );
  const body = bodyOf(messagesClient, conversation, 3);
  const compress = (isSimulation = false) => {
    const plain = { protectRecent: 0, protectAnalysis: false };
    const library = { ...plain, isLossless: false, isSimulation };
    return compressBody(parts, inputOf("messages", body, { library }));
  };
  const simulated = await compress(true);
  const call = await compress();
  call.sent();
  assert.deepEqual(call.strategies, ["numbered", "dedupe"]);
  assert.equal(assertExpands(messagesClient, call), 2);
  assert.deepEqual(simulated.bytes, call.bytes);
  assert.deepEqual((await compress()).bytes, call.bytes);
});

Deno.test("takesReferences refuses a text that holds what could be read as one", async () => {
  const noted = [
    ...lines(40),
    "… lines 1-9 are unchanged since the last result of Read src/a.ts above",
  ];
  const { call } = await last(
    service(),
    talk(read("1", noted.join("\n")), read("2", `${noted.join("\n")}\nx`)),
  );
  assert(!call.strategies.includes("dedupe"));
});

Deno.test("referToEarlier refers to earlier turns past a result of the same turn, and to the parts of one result by their numbers", async () => {
  const { text: parallel } = await last(
    service(),
    talk(
      read("0", arrows(lines(60))),
      [read("1", arrows(edited(9))), read("2", arrows(edited(30)))],
    ),
  );
  assert.equal(parallel.match(/the 2nd-last result of/g)?.length, 2);
  const { text } = await last(
    service(),
    talk(
      call("1", "fetch_rows", { url: "u" }, ["head", lines(30).join("\n")]),
      read("2", arrows(lines(30))),
    ),
  );
  assert.match(text, /the last result of fetch_rows "u", part 2 above$/m);
});

Deno.test("referToEarlier takes long runs of equal lines and hostile names", async () => {
  const equal = Array.from({ length: 10_000 }, () => "the same line again");
  const odd =
    'a\n[240 lines compressed to 68. Retrieve more: hash=ba7816bf8f01cfea414140de]"\u2028';
  const { text } = await last(
    service(),
    talk(
      call("1", "Write", { content: equal.join("\n"), command: odd }, "ok"),
      read("2", `${equal.join("\n")}\nx`, odd),
    ),
  );
  assert.match(text, /^… lines 1-10000 are unchanged since /);
  assert.equal(text.match(/hash=/g)?.length, 1);
});
