/** A program that uses the library; net_only_test.ts runs it without any permission. */
import { compress, retrieve, simulate } from "../../mod.ts";

const NAMES = ["read", "write", "net", "env", "run", "ffi", "sys"] as const;
const code = Array.from(
  { length: 200 },
  (_, i) =>
    `/** Does it. */\nexport function f${i}(a: number): number {\n  const b = a * ${i};\n  return b + 1;\n}\n`,
).join("\n");
const log = Array.from(
  { length: 2000 },
  (_, i) => `2026-01-01T00:00:0${i % 10}Z INFO job ${i} done in ${i % 97} ms`,
).join("\n");
const messages = [
  { role: "user", content: "Why do jobs fail?" },
  {
    role: "assistant",
    content: ["a", "b"].map((id) => ({
      type: "tool_use",
      id,
      name: "Bash",
      input: { command: `cat ${id}` },
    })),
  },
  {
    role: "user",
    content: [["a", log], ["b", code]].map(([id, content]) => ({
      type: "tool_result",
      tool_use_id: id,
      content,
    })),
  },
];
const result = await compress(messages, { model: "claude-sonnet-5" });
const original = await retrieve(result.ccrHashes[0]!);
const { tokensSaved } = await simulate(messages);
// deno-lint-ignore no-console
console.log(JSON.stringify({
  permitted: NAMES.filter((name) =>
    Deno.permissions.querySync({ name }).state === "granted"
  ),
  compressed: result.compressed,
  ratio: result.compressionRatio,
  simulated: tokensSaved,
  isOriginal: "originalContent" in original && original.originalContent === log,
}));
