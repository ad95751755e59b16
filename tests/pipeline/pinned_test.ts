import assert from "node:assert/strict";
import * as fc from "fast-check";
import { splice } from "../../src/bytes/splice.ts";
import {
  addsRetrieval,
  clashes,
  instructionEdits,
  type Pinned,
  pinnedText,
  readPinned,
  withInsertions,
  withoutTools,
} from "../../src/pipeline/pinned.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { responsesFormat } from "../../src/providers/responses/format.ts";

const { definition, deferral } = messagesFormat.retrieval;
const { searchDefinition } = deferral!;
const OWN = [definition, searchDefinition];
const textOf = (pinned: Pinned) => pinnedText(pinned)!;

Deno.test("readPinned reads what pinnedText wrote, and texts of versions that pinned a definition only", () => {
  assert.equal(pinnedText({}), undefined);
  assert.equal(pinnedText({ definitions: OWN }), OWN.join(","));
  assert.deepEqual(readPinned(definition), { definitions: definition });
  const text = fc.string({ unit: "binary", maxLength: 20 });
  const pinned = fc.record({
    definitions: fc.constantFrom([], OWN, [searchDefinition]),
    resident: fc.array(text, { maxLength: 9 }),
    instruction: text,
    isCompact: fc.constant(true as const),
    isHeldOut: fc.constant(true as const),
  }, { requiredKeys: ["definitions"] });
  fc.assert(fc.property(pinned, (given) => {
    const written = pinnedText(given);
    const { definitions, resident, ...rest } = readPinned(written ?? "");
    const { definitions: own, resident: names, ...others } = given;
    assert.equal(definitions, own.join(","));
    assert.deepEqual(resident, names && new Set(names));
    assert.deepEqual({ ...rest }, { ...others });
  }));
});

Deno.test("addsRetrieval is about our tool of that name, and clashes about each that is added", () => {
  const search = textOf({
    definitions: [searchDefinition],
    resident: ["headroom_retrieve"],
  });
  const both = textOf({ definitions: OWN, resident: ["Bash"] });
  assert.equal(addsRetrieval(both), true);
  assert.equal(addsRetrieval(definition), true);
  assert.equal(addsRetrieval(search), false);
  assert.equal(clashes(search, ["Bash", "headroom_retrieve"]), false);
  assert.equal(clashes(search, ["svc_find_tools"]), true);
  assert.equal(clashes(definition, ["svc_find_tools"]), false);
  assert.equal(clashes(both, ["headroom_retrieve"]), true);
});

Deno.test("withoutTools leaves what is not about tools", () => {
  const instruction = "Be brief.";
  const all = textOf({
    definitions: OWN,
    resident: ["a"],
    isCompact: true,
    instruction,
  });
  assert.deepEqual(readPinned(withoutTools(all)!), {
    definitions: "",
    instruction,
  });
  assert.equal(withoutTools(definition), undefined);
});

Deno.test("withInsertions puts what is said at a literal's end behind its form, and nothing that is said elsewhere", () => {
  const utf8 = new TextEncoder();
  const edit = {
    span: { start: 10, end: 30 },
    replacement: utf8.encode('"form"'),
  };
  const said = (at: number) => ({
    span: { start: at, end: at },
    replacement: utf8.encode(" said"),
  });
  const text = (at: number) =>
    new TextDecoder().decode(withInsertions(edit, [said(at)]).replacement);
  assert.equal(text(29), '"form said"');
  for (const at of [9, 10, 28, 30]) assert.equal(text(at), '"form"', `${at}`);
});

Deno.test("instructionEdits adds a paragraph to the last text of the first user message, in any form of content", () => {
  const edited = (
    format: Pick<typeof messagesFormat, "scan">,
    body: object,
    instruction = 'Be "brief".',
  ) => {
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    const edits = instructionEdits(format.scan(bytes), textOf({ instruction }));
    return JSON.parse(new TextDecoder().decode(splice(bytes, edits)));
  };
  const said = (text: string) => `${text}\n\nBe "brief".`;
  const messages = [
    {
      role: "user",
      content: [{ type: "text", text: "a" }, { type: "text", text: "b" }],
    },
    { role: "assistant", content: "c" },
    { role: "user", content: "d" },
  ];
  const { messages: sent } = edited(messagesFormat, { model: "m", messages });
  assert.deepEqual(sent[0].content, [
    { type: "text", text: "a" },
    { type: "text", text: said("b") },
  ]);
  assert.deepEqual(sent.slice(1), messages.slice(1));
  assert.equal(
    edited(responsesFormat, { model: "m", input: "q" }).input,
    said("q"),
  );
  const silent = { model: "m", messages: [{ role: "user", content: [] }] };
  assert.deepEqual(edited(messagesFormat, silent), silent);
});
