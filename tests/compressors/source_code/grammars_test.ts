import assert from "node:assert/strict";
import {
  grammarOf,
  loadGrammar,
} from "../../../src/compressors/source_code/grammars.ts";
import { LANGUAGES } from "./samples.ts";

Deno.test("loadGrammar loads each grammar once, without any permission", async () => {
  await Promise.all([loadGrammar("go"), loadGrammar("go"), loadGrammar("c")]);
  const go = grammarOf("go");
  assert.ok(go);
  await loadGrammar("go");
  assert.equal(grammarOf("go"), go);
  await Promise.all(LANGUAGES.map(loadGrammar));
  for (const id of LANGUAGES) assert.ok(grammarOf(id), id);
});
