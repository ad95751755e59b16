import assert from "node:assert/strict";
import { ccrKey } from "../../src/ccr/key.ts";
import { MapForms } from "../../src/ccr/map_forms.ts";
import { blockOf, formOf } from "./samples.ts";

const DAY_MS = 86_400_000;
const [a, b] = [blockOf("a"), blockOf("b")];

Deno.test("MapForms says which forms it took, and keeps the first of each", () => {
  const forms = new MapForms(1e6);
  const first = formOf("first");
  assert.deepEqual(forms.freeze(new Map([[a, first]]), 0).inserted, [a]);
  const written = forms.freeze(new Map([[a, formOf("x")], [b, first]]), 1);
  assert.deepEqual(written.inserted, [b]);
  assert.deepEqual(written.forms, new Map([[a, first], [b, first]]));
});

Deno.test("MapForms renews a form that is used, and forgets one that is not", () => {
  const forms = new MapForms(1e6);
  forms.freeze(new Map([[a, formOf("a")], [b, formOf("b")]]), 0);
  forms.touch([b, blockOf("unknown")], 20 * DAY_MS);
  const now = 30 * DAY_MS + 1;
  assert.deepEqual([...forms.of([a, b], now).keys()], [b]);
  forms.sweep(now);
  assert.deepEqual([...forms.of([a, b], 0).keys()], [b]);
});

Deno.test("MapForms lets go of the forms of removed originals, and of old ones without any", () => {
  const forms = new MapForms(1e6);
  const [gone, held] = ["gone", "held"].map(ccrKey);
  const ofGone = formOf("a", { entry: gone });
  const ofHeld = formOf("b", { entry: held });
  forms.freeze(new Map([[a, ofGone], [b, ofHeld]]), 0);
  forms.freeze(new Map([[blockOf("whole"), formOf("c")]]), 0);
  const keys = [a, b, blockOf("whole")];
  forms.clearIdle(new Set([gone!]), (key) => key === held, DAY_MS);
  assert.deepEqual([...forms.of(keys, 0).keys()], keys.slice(1));
  forms.clearIdle(new Set(), (key) => key === held, 2 * DAY_MS);
  assert.deepEqual([...forms.of(keys, 0).keys()], [b]);
  forms.clearAll();
  assert.equal(forms.of(keys, 0).size, 0);
});
