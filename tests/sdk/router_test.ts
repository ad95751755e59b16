import assert from "node:assert/strict";
import { CONTENT } from "../../src/compressors/registry.ts";
import type { CcrEntry } from "../../src/core/store.ts";
import type { OwnCompressor } from "../../src/sdk/svc_types.ts";
import { createRouter } from "../../src/sdk/router.ts";
import { logOf, rowsOf } from "./conversations.ts";

const first: OwnCompressor = {
  recognise: (text) => text.startsWith("MINE") ? 1 : 0.5,
  compressor: {
    id: "mine",
    compress: (text, { mayElide }) => {
      if (text.includes("throw")) throw new RangeError("a bug");
      const total = text.split("\n").length;
      return mayElide
        ? {
          type: "elided",
          text: text.split("\n")[0]!,
          omitted: { count: total - 1, total, unit: "lines" },
        }
        : { type: "unchanged", reason: "only_leaves_out" };
    },
  },
};

Deno.test("createRouter names kinds, counts tokens and lists its compressors", async () => {
  const router = await createRouter();
  assert.deepEqual(
    router.compressors.map(({ kind }) => kind),
    Object.keys(CONTENT),
  );
  assert.equal(router.detect(rowsOf(9)), "json");
  assert.equal(router.detect(logOf(50)), "log");
  assert.equal(router.detect(""), undefined);
  assert.equal(router.countTokens("Hello, world!"), 4);
  assert.equal(router.countTokens("Hello, world!", "gpt-4"), 4);
});

Deno.test("createRouter asks compressors of the caller's first, and svc's for the rest", async () => {
  const kept: CcrEntry[] = [];
  const router = await createRouter({
    compressors: [first],
    keep: (entry) => Promise.resolve(void kept.push(entry)),
  });
  const text = `MINE\n${logOf(100)}`;
  assert.equal(router.detect(text), "mine");
  const { strategy, text: form } = await router.compressText(text);
  assert.equal(strategy, "mine");
  assert.match(form, /^MINE\n\[101 lines compressed to 1\./);
  assert.equal(kept[0]?.original, text);
  assert.equal(router.detect(logOf(100)), "log");
  assert.equal((await router.compressText(logOf(100))).strategy, "log");
});

Deno.test("createRouter leaves nothing out where nobody keeps originals", async () => {
  const router = await createRouter({ compressors: [first] });
  const { text, reason } = await router.compressText(`MINE\n${logOf(100)}`);
  assert.equal(reason, "only_leaves_out");
  assert.equal(text, `MINE\n${logOf(100)}`);
});

Deno.test("createRouter gives a text back whose compressor throws", async () => {
  const router = await createRouter({ compressors: [first] });
  const text = `MINE\nthrow\n${logOf(100)}`;
  const result = await router.compressText(text);
  assert.equal(result.text, text);
  assert.equal(result.reason, "a bug");
});
