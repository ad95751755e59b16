/** A form depends on its job alone, not on what the process decided before. */
import assert from "node:assert/strict";
import { openRouter } from "../../src/compute/open_router.ts";
import { sourceCode } from "../bench/corpus.ts";
import { jobOf } from "../pipeline/jobs.ts";

const code = sourceCode(3_000);
const python = Array.from(
  { length: 12 },
  (_, i) =>
    `def step_${i}(rows, limit):\n    """Takes step ${i}."""\n${
      `    rows = [row for row in rows if row.level > limit]\n`.repeat(7)
    }    return rows\n`,
).join("\n");

/** Places where code stands without a fence or a name that tells its language. */
const TEXTS: Readonly<Record<string, string>> = {
  "in colours": `\x1b[32m${code}\x1b[0m`,
  "in a JSON string": JSON.stringify({ path: "a.ts", body: code, n: 1 }),
  "behind a header": `Exit code: 0\nOutput:\n${python}`,
  "between tags": `<output>\n${python}\n</output>`,
};

/** What a fresh process sends for `text`. */
async function fresh(text: string): Promise<string> {
  const script = new URL("./decide_one.ts", import.meta.url);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", "--no-check", script.pathname],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  const { stdout } = await child.output();
  return new TextDecoder().decode(stdout);
}

Deno.test("code has the same form in a fresh process as after other code", async () => {
  const { decide } = await openRouter();
  for (const text of [code, python]) {
    await decide(jobOf(text, { model: "gpt-5" }));
  }
  const forms = await Promise.all(
    Object.entries(TEXTS).map(async ([name, text]) => {
      const decision = await decide(jobOf(text, { model: "gpt-5" }));
      assert(decision.type === "form", name);
      const warm = new TextDecoder().decode(decision.literal);
      return { name, warm, cold: await fresh(text) };
    }),
  );
  for (const { name, warm, cold } of forms) assert.equal(cold, warm, name);
});
