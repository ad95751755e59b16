/** What is left out of users' texts, and what never is. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { cutOriginal, openRouter } from "../../src/compute/open_router.ts";
import type { Decision } from "../../src/core/decision.ts";
import { toolsSpoke } from "../../src/pipeline/after_sending.ts";
import { whyItStays } from "../../src/pipeline/pasted_part.ts";
import { shownTools } from "../../src/pipeline/tool_habits.ts";
import { FORMATS, harness } from "./harness.ts";
import { jobOf } from "./jobs.ts";

const { decide } = await openRouter();

const CORPUS = new URL("../corpus/", import.meta.url);

/** A text of the corpus, so much of it. */
function read(path: string, length = 40_000): string {
  return Deno.readTextFileSync(new URL(`${path}.txt`, CORPUS)).slice(0, length);
}

/** All texts of a folder of the corpus. */
function folder(name: string): string[] {
  return [...Deno.readDirSync(new URL(`${name}/`, CORPUS))]
    .map(({ name }) => name)
    .filter((file) => file.endsWith(".txt"))
    .map((file) => `${name}/${file.slice(0, -4)}`)
    .sort();
}

function decided(text: string, mayElide = true, query = ""): Decision {
  return decide(
    jobOf(text, { rule: "user", toolName: "user message", mayElide, query }),
  );
}

/** The form; the text itself where it was left alone. */
function formOf(text: string, mayElide = true): string {
  const decision = decided(text, mayElide);
  assert.notEqual(decision.type, "failed");
  return decision.type === "form"
    ? JSON.parse(new TextDecoder().decode(decision.literal))
    : text;
}

const QUESTION = "Why does this fail on the second run?";
const THANKS = "It worked last week.\n\nThanks a lot!";

/** A text between words. */
function asked(text: string): string {
  return `${QUESTION}\n\n${text}\n\n${THANKS}`;
}

/** Ways to paste a text. */
const PASTES: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "between words": asked,
  "in a fence": (text) => asked(`\`\`\`\n${text}\n\`\`\``),
  "in a document": (text) => asked(`<document>\n${text}\n</document>`),
};

Deno.test("users' code, settings and prose are never touched, however they are pasted", () => {
  const kept = ["code", "code_read", "config", "prose", "numbered_read"];
  for (const path of [...kept, "markdown"].flatMap(folder)) {
    // A table and nothing else.
    if (path === "markdown/cloc") continue;
    const text = read(path);
    for (const [way, paste] of Object.entries(PASTES)) {
      const { type } = decided(paste(text));
      assert.equal(type, "alone", `${path} ${way}`);
    }
  }
});

/** A line that must stay, and a text of each kind to plant it in. */
const PLANTED: readonly (readonly [path: string, needle: string])[] = [
  [
    "service_log/kvd_full",
    "2026-07-02T10:11:12.345Z ERROR store: checksum mismatch in segment 7741",
  ],
  [
    "service_log/nginx_access",
    '10.0.0.9 - - [02/Jul/2026:10:11:12 +0000] "POST /v1/orders HTTP/1.1" 500 31 "-" "curl/8"',
  ],
  [
    "build_log/mvn_test_first",
    "[ERROR] Failures: OrderTest.total:41 expected 7741",
  ],
  [
    "service_log/kvd_jsonl",
    '{"time":"2026-07-02T10:11:12Z","level":"error","msg":"checksum mismatch","segment":7741}',
  ],
];

Deno.test("a failing line stays in what a user pastes, and all words around it", () => {
  for (const [path, needle] of PLANTED) {
    const lines = read(path).trimEnd().split("\n");
    lines.splice(Math.floor(lines.length * 0.6), 0, needle);
    for (const [way, paste] of Object.entries(PASTES)) {
      const text = paste(lines.join("\n"));
      const form = formOf(text);
      assert.ok(form.length < text.length / 2, `${path} ${way}`);
      // Records of JSON become rows of a table.
      const kept = path.endsWith("jsonl") ? "checksum mismatch" : needle;
      assert.ok(form.includes(kept), `${path} ${way}`);
      if (way === "as it is") continue;
      assert.ok(form.startsWith(`${QUESTION}\n\n`), `${path} ${way}`);
      const end =
        /\n\[\d+ [a-z]+ compressed to \d+\. Retrieve more: hash=\w{24}\]$/;
      assert.match(form, end);
      assert.ok(form.replace(end, "").endsWith(THANKS), `${path} ${way}`);
    }
  }
});

Deno.test("rows that stand out stay in pasted JSON, tables and diffs", () => {
  const rows = Array.from({ length: 300 }, (_, id) => ({
    id,
    state: id === 201 ? "failed: disk 7741 full" : "done",
    owner: `team-${id % 3}`,
  }));
  const csv = rows.map(({ id, state, owner }) => `${id},${state},${owner},x,y`);
  const tables = [
    JSON.stringify(rows, null, 1),
    rows.map((row) => JSON.stringify(row)).join("\n"),
    ["id,state,owner,a,b", ...csv].join("\n"),
  ];
  for (const text of tables) {
    const form = formOf(asked(text));
    assert.ok(form.length < text.length / 2);
    assert.match(form, /disk 7741 full/);
  }
  const form = formOf(asked(read("diff/package_lock")));
  assert.match(form, /Retrieve more/);
});

Deno.test("line ends behind the last words stay in front of the marker", () => {
  const text = `${asked(read("service_log/kvd_full"))}\n\n\n`;
  assert.match(formOf(text), /a lot!\n\n\n\[\d+ lines compressed to /);
});

Deno.test("notes count the lines of the whole text", () => {
  const text = asked(read("service_log/kvd_full"));
  const lines = text.split("\n");
  const form = formOf(text);
  const [, from, to] = /lines? (\d+)-(\d+)/.exec(form)!;
  assert.ok(!form.includes(`\n${lines[Number(from) - 1]}\n`));
  const before = lines[Number(from) - 2]!;
  assert.ok(form.includes(before), before);
  assert.ok(Number(to) <= lines.length);
});

Deno.test("items, places and files of a pasted text are found in the whole of it", () => {
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, state: "done" }));
  const json = `What is in it?\n\n${JSON.stringify(rows, null, 1)}`;
  const cut = (
    original: string,
    kind: string,
    wanted: Parameters<typeof cutOriginal>[1],
  ) => {
    const strategy = `pasted:${kind}`;
    const toolName = "user message";
    const found = cutOriginal({ original, strategy, toolName }, wanted);
    return found.ok ? found.content : found.error;
  };
  assert.match(cut(json, "json", { lines: "items 5-6" }), /"id": 4[^]*"id": 5/);
  assert.match(cut(json, "json", { path: "[150].id" }), /^150/);
  assert.match(cut(json, "json", { query: "id 77" }), /77/);
  const diff = `See:\n\n${read("diff/three_commits")}`;
  assert.match(cut(diff, "diff", { path: "deno.json" }), /MALLOC_TRIM/);
});

Deno.test("without a way back nothing is left out", () => {
  const log = read("service_log/kvd_full");
  assert.doesNotMatch(formOf(asked(log), false), /Retrieve|omitted/);
  const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: "a" }));
  const json = JSON.stringify(rows, null, 2);
  const decision = decided(asked(json), false);
  assert.equal(decision.type === "form" && decision.elision, undefined);
  assert.equal(decision.type === "form" && decision.strategy, "pasted:json");
});

Deno.test("a text with a marker in it stays: it is a summary of what was compressed", () => {
  const marker =
    "[9 lines compressed to 3. Retrieve more: hash=0123456789abcdef01234567]";
  const text = `Summary:\n${marker}\n\n${
    read("service_log/kvd_full")
  }\n\nGo on.`;
  const decision = decided(text);
  assert.deepEqual(decision, { type: "alone", reason: "holds_marker" });
});

Deno.test("what the user says is what is looked for", () => {
  const log = read("service_log/kvd_full").trimEnd().split("\n");
  const wanted = log[Math.floor(log.length / 2)]!;
  const word = "quokka-81";
  log.splice(Math.floor(log.length / 2), 1, `${wanted} ${word}`);
  const text = `What happened to ${word}?\n\n${log.join("\n")}`;
  assert.match(formOf(text).slice(40), /quokka-81/);
});

const PART = {
  kind: "json",
  text: JSON.stringify(Array.from({ length: 20 }, (_, id) => ({ id }))),
  path: "",
  said: "",
  tokens: () => 900,
} as const;

Deno.test("whyItStays leaves small parts, words and what may be edited", () => {
  const cases = [
    [{}, undefined],
    [{ tokens: () => 499 }, "too_small"],
    [{ kind: undefined }, "no_kind"],
    [{ kind: "source_code" }, "own_words"],
    [{ kind: "prose" }, "own_words"],
    [{ kind: "config" }, "own_words"],
    [{ kind: "mixed" }, "own_words"],
    [{ kind: "wrapped" }, undefined],
    [{ said: "what is wrong with the last one?" }, undefined],
    [{ said: "add a field to each record" }, "may_be_edited"],
    [{ said: "convert it" }, "may_be_edited"],
    [{ said: "bitte alle Namen kürzen" }, "may_be_edited"],
    [{ said: "please fix the json" }, "may_be_edited"],
    [{ kind: "log", said: "fix the cause, and update the docs" }, undefined],
    [{ kind: "table", said: "sort it by name" }, "may_be_edited"],
    [{ kind: "diff", said: "apply this" }, "may_be_edited"],
    [{ kind: "html", said: "what does the page say?" }, undefined],
    [{ path: "data/rows.json" }, undefined],
    [{ path: "src/rows.ts" }, "may_be_edited"],
    [{ path: "tsconfig.json" }, "may_be_edited"],
    [{ kind: "log", path: "var/app.log" }, undefined],
    [{ kind: "log", path: "notes.md" }, "may_be_edited"],
    [{ text: '{"scripts":{"a":"b"},"list":[{},{}]}' }, "may_be_edited"],
    [{ text: '{"scripts":{"a":"b"}}', tokens: () => 20_001 }, undefined],
  ] as const;
  for (const [facts, reason] of cases) {
    const said = JSON.stringify(facts);
    assert.equal(whyItStays({ ...PART, ...facts }), reason, said);
  }
});

/** Lines that nobody types, more than 500 tokens by the harness's counter. */
const printed = (name: string) =>
  Array.from(
    { length: 60 },
    (_, i) =>
      `2026-01-02T03:04:${i % 60} INFO ${name}-${i} took job ${
        i * 7
      } in ${i} ms`,
  )
    .join("\n");

/** What users say, some of it again and again. */
const SAYINGS = [
  "go on",
  printed("a"),
  `what is it?\n\n${printed("b")}\n\nThanks`,
  `and\n${printed("a")}\n${"plain words ".repeat(100)}`,
  "words ".repeat(400),
];

/** A conversation of users' texts, each answered, as a body of a format. */
const BODIES: Readonly<Record<string, (said: readonly string[]) => object>> = {
  messages: (said) => ({
    tools: [{ name: "Bash", input_schema: { type: "object" } }],
    messages: turns(said),
  }),
  chat_completions: (said) => ({
    tools: [{ type: "function", function: { name: "Bash" } }],
    messages: turns(said),
  }),
  responses: (said) => ({
    tools: [{ type: "function", name: "Bash" }],
    input: turns(said),
  }),
};

function turns(said: readonly string[]): readonly object[] {
  return said.flatMap((content, i) => [
    ...i === 0 ? [] : [{ role: "assistant", content: `answer ${i}` }],
    { role: "user", content },
  ]);
}

interface Step {
  /** What is said next, a place in SAYINGS. */
  readonly says: number;
  /** How many of the last texts are taken back before. */
  readonly back: number;
  readonly session: string;
  /** Another process takes over. */
  readonly restarts: boolean;
}
const step: fc.Arbitrary<Step> = fc.record({
  says: fc.nat(SAYINGS.length - 1),
  back: fc.constantFrom(0, 0, 0, 1, 2),
  session: fc.constantFrom("s", "s", "t"),
  restarts: fc.constantFrom(false, false, true),
});

const spans = (format: string, bytes: Uint8Array) =>
  FORMATS[format]!.scan(bytes).messages.map(({ start, end }) =>
    new TextDecoder().decode(bytes.subarray(start, end))
  );

for (const format of Object.keys(BODIES)) {
  for (const userMessages of [true, false]) {
    Deno.test(`users' texts are sent as they were sent first, in ${format}, ${userMessages ? "on" : "off"} (law 2)`, async () => {
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 8 }),
        async (steps) => {
          let process = harness({ userMessages });
          const { store } = process;
          /** What was sent for each beginning of a conversation, by what the client sent. */
          const sent = new Map<string, string>();
          let said: string[] = [];
          // What was left alone is remembered by a process: another one takes what is older as it is.
          let kept = 0;
          for (const { says, back, session, restarts } of steps) {
            if (restarts) {
              process = harness({ userMessages, store });
              kept = said.length;
            }
            said = said.slice(0, Math.max(kept, said.length - back));
            said.push(SAYINGS[says]!);
            const json = JSON.stringify(BODIES[format]!(said));
            const body = new TextEncoder().encode(json);
            const { bytes, edits } = await process.send(format, body, {
              session,
            });
            if (!userMessages) {
              assert.ok(
                edits.every(({ span: { start, end } }) => start === end),
              );
            }
            const received = spans(format, body);
            // Tools are before everything else in a prompt: sessions with others share nothing.
            const { tools } = FORMATS[format]!.scan(bytes);
            const count = tools!.count;
            for (const [i, text] of spans(format, bytes).entries()) {
              const key = [count, ...received.slice(0, i + 1)].join();
              assert.equal(sent.get(key) ?? text, text);
              sent.set(key, text);
            }
            assert.equal(process.failures.size, 0);
          }
        },
      );
      await fc.assert(property, { numRuns: 60 });
    });
  }
}

Deno.test("a user's text that was sent as it was stays so when it comes again, switched on or not (law 2)", async () => {
  const text = SAYINGS[2]!;
  const off = harness({ userMessages: false });
  const bodyOf = (said: readonly string[]) =>
    new TextEncoder().encode(JSON.stringify(BODIES["messages"]!(said)));
  await off.send("messages", bodyOf([text]));
  const on = harness({ store: off.store });
  const again = await on.send("messages", bodyOf([text, text]));
  assert.deepEqual(again.formed, []);
  assert.deepEqual(again.seen.map(({ reason }) => reason), [
    "older_turn",
    "sent_before",
  ]);
  const third = await harness({ store: off.store }).send(
    "messages",
    bodyOf([text, text, "go on", SAYINGS[3]!]),
  );
  assert.deepEqual(third.formed.map(({ block }) => block.messageIndex), [6]);
});

Deno.test("a form of a user's text is sent again once it is switched off, and when it is said again", async () => {
  const on = harness();
  const text = SAYINGS[1]!;
  const bodyOf = (said: readonly string[]) =>
    new TextEncoder().encode(JSON.stringify(BODIES["messages"]!(said)));
  const first = await on.send("messages", bodyOf([text]));
  assert.deepEqual(first.strategies, ["pasted:log"]);
  assert.equal(first.seen[0]?.toolName, "user message");
  const off = harness({ store: on.store, userMessages: false });
  const later = await off.send("messages", bodyOf([text, "go on", text]));
  assert.deepEqual(
    later.formed.map(({ block }) => block.messageIndex),
    [0, 4],
  );
});

Deno.test("a request without tools, for a title say, decides nothing for the one with tools", async () => {
  const process = harness();
  const text = SAYINGS[1]!;
  const { messages } = BODIES["messages"]!([text]) as { messages: object[] };
  const title = new TextEncoder().encode(JSON.stringify({ messages }));
  assert.deepEqual((await process.send("messages", title)).formed, []);
  const body = JSON.stringify(BODIES["messages"]!([text]));
  const made = await process.send("messages", new TextEncoder().encode(body));
  assert.deepEqual(made.strategies, ["pasted:log"]);
});

Deno.test("users' texts are no results of tools: neither for habits nor for what is asked of the answer", async () => {
  const process = harness();
  const body = new TextEncoder().encode(
    JSON.stringify(BODIES["messages"]!(["go on", SAYINGS[1]!])),
  );
  const { scan, decided, declaration } = await process.send("messages", body);
  assert.equal(toolsSpoke(scan!), false);
  const shown = shownTools({ scan: scan!, declaration }, decided);
  assert.deepEqual(shown?.used, []);
  const begun = new TextEncoder().encode(
    JSON.stringify(BODIES["messages"]!([SAYINGS[1]!])),
  );
  const first = await harness().send("messages", begun);
  assert.equal(first.decided[0]?.form.entry?.length, 24);
  const { saved } = shownTools(
    { scan: first.scan!, declaration: first.declaration },
    first.decided,
  )!;
  assert.equal(saved.size, 0);
});

Deno.test("a user's text is not new any more behind a call of the model, though results of calls are", async () => {
  const input = [
    { role: "user", content: SAYINGS[1] },
    { type: "function_call", call_id: "c", name: "Bash", arguments: "{}" },
    { type: "function_call_output", call_id: "c", output: printed("c") },
  ];
  const tools = [{ type: "function", name: "Bash" }];
  const body = new TextEncoder().encode(JSON.stringify({ tools, input }));
  const { seen } = await harness().send("responses", body);
  assert.deepEqual(seen.map(({ reason, toolName }) => [toolName, reason]), [
    ["user message", "older_turn"],
    ["Bash", "nothing_to_elide"],
  ]);
});

Deno.test("the words of another text of the message are looked for, and never the text itself", async () => {
  const process = harness();
  const content = [
    { type: "text", text: SAYINGS[1] },
    { type: "text", text: "what about worker 17?" },
  ];
  const tools = [{ name: "Bash" }];
  const messages = [{ role: "user", content }];
  const body = JSON.stringify({ tools, messages });
  await process.send("messages", new TextEncoder().encode(body));
  await process.send(
    "messages",
    new TextEncoder().encode(
      JSON.stringify(BODIES["messages"]!([printed("d")])),
    ),
  );
  assert.deepEqual(process.decided.map(({ query, rule }) => [query, rule]), [
    ["what about worker 17?", "user"],
    ["", "user"],
  ]);
});
