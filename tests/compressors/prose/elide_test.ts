import assert from "node:assert/strict";
import { elideProse } from "../../../src/compressors/prose/elide.ts";
import { contextOf, inputOf, talk } from "./samples.ts";

const context = contextOf(true);

function share(text: string): number {
  const elided = elideProse(text, context);
  assert(elided !== undefined);
  return context.countTokens(elided.text) / context.countTokens(text);
}

Deno.test("elideProse leaves out less of a short text than of a long one, and about two fifths of that", () => {
  const short = share(inputOf("german"));
  const long = share(inputOf("serviceReadme"));
  assert.ok(short > 0.6 && short < 0.85, `${short}`);
  assert.ok(long > 0.5 && long < 0.62, `${long}`);
});

Deno.test("elideProse leaves nothing out of a short text, of another language or of a list of facts", () => {
  for (
    const text of [
      "Short. It says little. It says it well.",
      talk(1),
      "Το αρχείο διαβάζεται κάθε βράδυ από το σύστημα και μετά σβήνεται. "
        .repeat(60),
    ]
  ) assert.equal(elideProse(text, context), undefined);
});

Deno.test("elideProse counts what it left out", () => {
  const elided = elideProse(inputOf("manual"), context)!;
  assert.equal(elided.omitted.unit, "sentences");
  assert.ok(elided.omitted.count < elided.omitted.total);
});
