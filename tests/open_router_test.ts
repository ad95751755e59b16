import assert from "node:assert/strict";
import { openRouter } from "../src/open_router.ts";
import { ccrKey } from "../src/ccr/key.ts";

const log = Array.from(
  { length: 200 },
  (_, i) => `2026-03-02T08:00:${i % 60}Z INFO job ${i} done in ${i % 90} ms`,
).join("\n");

Deno.test("openRouter puts real compressors, counter and marker together", async () => {
  const { decide, counter } = await openRouter();
  const job = {
    text: log,
    toolName: "Bash",
    rule: "normal" as const,
    path: "",
    query: "",
    mayElide: true,
    model: "gpt-5",
  };
  const decision = decide(job);
  assert(decision.type === "form");
  assert.equal(decision.strategy, "log");
  assert.equal(decision.elision?.key, ccrKey(log));
  const text: string = JSON.parse(new TextDecoder().decode(decision.literal));
  const marker = text.split("\n").at(-1)!;
  assert.match(
    marker,
    /^\[200 lines compressed to \d+\. Retrieve more: hash=[0-9a-f]{24}\]$/,
  );
  assert.equal(decision.tokensBefore, counter.count(log, "gpt-5"));
  assert.equal(decision.tokensAfter, counter.count(text, "gpt-5"));
  const again = decide({ ...job, text });
  assert.deepEqual(again, { type: "alone", reason: "holds_marker" });
});

/** Inputs of all golden files, whole and cut at both ends. */
async function* samples(): AsyncGenerator<string> {
  const root = new URL("golden/", import.meta.url);
  for await (const kind of Deno.readDir(root)) {
    if (!kind.isDirectory) continue;
    const folder = new URL(`${kind.name}/`, root);
    for await (const { name } of Deno.readDir(folder)) {
      const file = await Deno.readTextFile(new URL(name, folder));
      const input = file.split("\n-----\n")[0]!;
      yield input;
      yield input.slice(0, input.length / 2);
      yield input.slice(input.length / 3);
    }
  }
}

Deno.test("every form of the real router is smaller in tokens, marker and share of the tool included (law 3)", async () => {
  const { decide, counter } = await openRouter();
  let forms = 0;
  for await (const text of samples()) {
    for (const rule of ["normal", "read"] as const) {
      for (const mayElide of [true, false]) {
        const decision = decide({
          text,
          toolName: "Bash",
          rule,
          path: "",
          query: "why did it fail",
          mayElide,
          model: "gpt-5",
        });
        assert.notEqual(decision.type, "failed", JSON.stringify(decision));
        if (decision.type !== "form") continue;
        forms++;
        const { literal, tokensBefore, tokensAfter, elision } = decision;
        const form: string = JSON.parse(new TextDecoder().decode(literal));
        assert.equal(tokensBefore, counter.count(text, "gpt-5"));
        assert.equal(tokensAfter, counter.count(form, "gpt-5"));
        assert(tokensAfter + (elision ? 20 : 0) < tokensBefore);
        assert.equal(elision !== undefined, form.includes("Retrieve more:"));
        if (!mayElide) assert.equal(elision, undefined);
      }
    }
  }
  assert(forms > 100, `${forms} forms`);
});
