import { bodyOf, messagesClient } from "../conformance/conversation.ts";
import { assertLinear } from "../cpu_time.ts";
import { harness } from "./harness.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A body of so many results, the last of which repeats one of them. */
function body(results: number, result: (i: number) => string): string {
  const steps = Array.from({ length: results }, (_, i) => ({
    calls: [{
      id: `c${i}`,
      tool: "Read",
      args: { file_path: `src/${i % 50}.ts` },
      result: i + 1 === results ? `${result(7)}\nanew` : result(i),
    }],
  }));
  return decoder.decode(
    bodyOf(messagesClient, { question: "q", steps }, results),
  );
}

/** The request by which a conversation begins. */
const first = bodyOf(messagesClient, { question: "q", steps: [] }, 0);

Deno.test("EarlierSearch takes time in proportion to the body", async () => {
  const texts: Record<string, (i: number) => string> = {
    "different results": (i) =>
      Array.from(
        { length: 12 },
        (_, k) => `export const value${i}_${k} = compute(${k}, "of the file");`,
      )
        .join("\n"),
    "equal results": () => "the same line again\n".repeat(20),
  };
  for (const [name, text] of Object.entries(texts)) {
    await assertLinear(name, {
      make: (results) => body(results, text),
      work: async (json) => {
        const { send } = harness({ dedupe: true });
        await send("messages", first);
        const call = await send("messages", encoder.encode(json));
        if (!call.strategies.includes("dedupe")) throw new Error(name);
      },
      sizes: [100, 1000, 5000],
    });
  }
});
