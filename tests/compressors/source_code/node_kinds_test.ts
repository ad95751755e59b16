import assert from "node:assert/strict";
import { grammarOf } from "../../../src/compressors/source_code/grammars.ts";
import type { LanguageId } from "../../../src/compressors/source_code/language.ts";
import {
  BLOCK,
  BODY,
  COMMENT,
  DATA,
  FUNCTION,
  MEMBERS,
  nodeTable,
} from "../../../src/compressors/source_code/node_kinds.ts";
import { LANGUAGES, loadAll } from "./samples.ts";

await loadAll();

Deno.test("nodeTable knows lists, functions and comments of every language", () => {
  for (const id of LANGUAGES) {
    const { list, traits } = nodeTable(id, grammarOf(id)!);
    for (const meaning of [BLOCK, MEMBERS, DATA]) {
      assert.ok(list.includes(meaning), `${id} ${meaning}`);
    }
    for (const bit of [FUNCTION, COMMENT]) {
      assert.ok(traits.some((bits) => (bits & bit) !== 0), `${id} ${bit}`);
    }
  }
});

Deno.test("nodeTable gives the meaning of a node by its type", () => {
  const meaning = (id: LanguageId, type: string) => {
    const grammar = grammarOf(id)!;
    return nodeTable(id, grammar).list[grammar.idForNodeType(type, true)!];
  };
  assert.equal(meaning("python", "block"), BLOCK);
  assert.equal(meaning("java", "constructor_body"), BODY);
  assert.equal(meaning("rust", "declaration_list"), MEMBERS);
  assert.equal(meaning("go", "identifier"), 0);
});

Deno.test("nodeTable is made once for each grammar", () => {
  const grammar = grammarOf("c")!;
  assert.equal(nodeTable("c", grammar), nodeTable("c", grammar));
});
