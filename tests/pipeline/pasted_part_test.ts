/** What is left out of users' texts, and what never is. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import { toolsSpoke } from "../../src/pipeline/after_sending.ts";
import { whyItStays } from "../../src/pipeline/pasted_part.ts";
import { shownTools } from "../../src/pipeline/tool_habits.ts";
import { FORMATS, harness } from "./harness.ts";

const PART = {
  kind: "json",
  text: JSON.stringify(Array.from({ length: 20 }, (_, id) => ({ id }))),
  path: "",
  said: "What is in it?",
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
    [{ said: "" }, "may_be_edited"],
    [{ kind: "log", said: "" }, undefined],
    [{ kind: "search_results", said: "save this" }, undefined],
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

/** What users ask for that takes all of the data. */
const WANTED = `Fix the typos in this JSON:
Correct the names
Uppercase all names
Make every name upper case
Turn this into YAML
I need this as CSV
Give me this as YAML
Print this as a table
Write it as a TypeScript type
Generate SQL inserts from this
Clean this up
Sort by name
Remove duplicates
Anonymize the data
Redact the names
Replace n5 with m5
Can you change n5 to m5?
Swap id and name
Merge these
Split this into two files
Save this to data.json
Write this to a file
Create a file with this content
Put this in src/data.json
Use this data as a fixture in the tests
Copy this into config.json
Apply this patch
Apply this diff
Import this into the database
Insert these rows
Increment each id by one
Normalize the keys
Escape the quotes
Minify this
Pretty print it
Format this
Flatten this
Group by state and output the whole list
Paste it back with ids hidden
Return it with the states swapped
Complete this list
Extend the list to 310 rows
Continue this data
Double each code
Prefix all names with x_
Localise it
Update row 5
Adjust the ids
Set all codes to 1
Repeat this back to me
Output the following verbatim
Store this exactly
Seed the DB with these
Map each row to an object
Transform it
Refactor this
Rewrite this
Shuffle this
Reverse the order
Strip the ids
Drop the code column
Trim names
Append a row
Encode as base64
Corrige les noms
Convierte esto a YAML
Haz los nombres en mayusculas
Guarda esto en data.json
Mets ceci dans un fichier
Speichere das in data.json
Gib mir das als CSV
Ordne das nach id
名前を直して
Исправь имена
Sorteer dit
data.json mit diesem Inhalt anlegen
ecris un fichier avec ca
make it CSV
csv pls
as yaml?
to yaml
yaml please
same but sorted
without the id column please
but with ids doubled
now in French
I want n5 to be m5
n5 should be m5
the names should be uppercase
could you put these in the db
use these as test data
build a HTML table of it
draw a chart of this
Paste this into the README
commit this as fixtures.json
echo this back
Add a field \`x\` to each of these
Convert it to XML please
Please fix the typos in this
Fix the typos in this JSON
Can you sort it by id and give me everything back?
Translate this to French
make the names uppercase
I need this as a TypeScript array
Reformat:
Delete row 140.
Rename n5 to m5
Apply this to the repo
Please apply
Commit this
Use git apply with this
Revert this change
Find the duplicates and remove them
Look at this and put it in src/data.json
Check this into git
What would this look like as YAML?
Which ids are doubled? Drop those.
How can I turn this into a table?
Can you check it and save it to data.json?
How about uppercase names?
What if n5 was m5?
Explain nothing, just repeat it
Look up the names, then list them all
Is it possible to get this sorted by id?
Is there a way to have all of it in one line?
Do you mind doing the same for n5?
Look at it, and give me all of it with ids
Look: uppercase the names
Please check, and resend
Look at the schema and produce 10 more rows
Compare it with the schema and bring it in line
What comes next? Predict 10 more rows
Explain each row
Where the state is failed, blank the name
Which rows are fine? Tell me all of them
What's the CSV of this?
analyze, cast the ids to strings
How would it look with ids first?
Was ist das? Bitte speichern
Check whether it is valid and give it back verbatim
This is what goes into the database
Check the spelling and correct it
Compare the rows and write the result to out.csv
What I want is this as CSV
What is in it? Also, I need it sorted.
yaml?
Here is my data
See below`.split("\n");

/** What users ask about data. */
const ASKED = `What is wrong?
Why does this fail?
Why is row 140 an error?
Why did this fail?
What does this mean?
What's in this list?
Which of these failed?
Which rows have an error?
How many rows have the state failed?
How does this page work?
Who owns row 7?
Where is the failure?
Explain this
Please explain the error here.
Can you explain what happened?
Find the slow requests
Find the bug
Check whether all ids are unique
Please check this for errors.
Debug this
Analyze this response
Can you analyse these numbers?
Summarise this
Summarize the changes in this diff
Please summarize it in two sentences.
Look at this: what is odd?
Take a look at this.
Compare the first and the last row
Is anything odd here?
Are there any failed ones?
Any idea what is going on here?
I want to know why the last one failed.
I need help. What went wrong?
This came back from the API. Does it look right?
Tell me what changed here
Here is what I see: ... What do you make of it?
Hi, the server returned this, do you see why?
Describe the page
Give me a short summary
- what is wrong with it
Our API returns this for /orders. Some are missing, but I don't see any error. Can you help me find out why?
What does data.json say about n5?
Why does the request to api.example.com return this?`.split("\n");

Deno.test("whyItStays lets data go only where the words ask about it, and for nothing else", () => {
  for (const kind of ["json", "table", "diff", "html"] as const) {
    for (const fence of ["", "\n\n```json\n\n```\n"]) {
      const reasonOf = (said: string) =>
        whyItStays({ ...PART, kind, said: `${said}${fence}` });
      const shortened = WANTED.filter((said) => reasonOf(said) === undefined);
      assert.deepEqual(shortened, []);
      const left = ASKED.filter((said) => reasonOf(said) !== undefined);
      assert.deepEqual(left, []);
    }
  }
});

Deno.test("whyItStays reads neither code nor what a client adds as a question", () => {
  const reasonOf = (said: string) => whyItStays({ ...PART, said });
  const code = "```ts\n// what is this?\n```";
  assert.equal(reasonOf(`This one\n\n${code}`), "may_be_edited");
  const reminder = (text: string) =>
    `<system-reminder>\n${text}\n</system-reminder>`;
  assert.equal(reasonOf(reminder("what is new?")), "may_be_edited");
  assert.equal(reasonOf("- check the ids\n- wrap them"), "may_be_edited");
  const long = `Why?\n${"x ".repeat(2000)}`;
  assert.equal(reasonOf(long), "may_be_edited");
  assert.equal(reasonOf(`Why?\n${reminder(long)}`), undefined);
  const said = `${reminder("Edit the files.")}\nWhat is odd here?`;
  assert.equal(reasonOf(said), undefined);
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
    ["Bash", ""],
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
