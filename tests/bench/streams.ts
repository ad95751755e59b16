/** What the proxy adds to each chunk of many streams at once. */
import { figure, percentile, table } from "./measure.ts";

/** Streams at a time. */
const STREAMS = 64;
/** Chunks of each stream that are measured; the provider sends one every 40 ms, as models do. */
const CHUNKS = 30;
/** Chunks that come first and do not count. */
const WARM = 5;
/** Times that both ways are measured, in turns. */
const ROUNDS = 6;

/** A streamed request that the provider answers slowly, each chunk with the time at which it was sent. */
const bodyWith = (members: object) =>
  JSON.stringify({
    model: "paced",
    max_tokens: 1000,
    ...members,
    messages: [{ role: "user", content: "go on" }],
    stream: true,
  });

/** With tools the retrieval tool is declared, and calls of it are looked for. */
const TOOLS = [{ name: "Bash", input_schema: { type: "object" } }];

/** Milliseconds since the Unix epoch, with fractions. */
const now = () => performance.timeOrigin + performance.now();

/** Milliseconds that each chunk of one stream was under way. */
async function chunkTimes(base: string, body: string): Promise<number[]> {
  const response = await fetch(`${base}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "k" },
    body,
  });
  const decoder = new TextDecoder();
  const times: number[] = [];
  for await (const chunk of response.body!) {
    const at = now();
    const text = decoder.decode(chunk);
    for (const [, sent] of text.matchAll(/"sent_at":([\d.]+)/g)) {
      times.push(at - Number(sent));
    }
  }
  return times.slice(WARM, WARM + CHUNKS);
}

/** All ways, in turns, as a Markdown table. */
export async function streamsReport(
  { direct, proxy }: { readonly direct: string; readonly proxy: string },
): Promise<string> {
  const ways: readonly (readonly [name: string, base: string, body: string])[] =
    [
      ["direct", direct, bodyWith({})],
      ["through the proxy, no tool declared", proxy, bodyWith({})],
      ["through the proxy, tool declared", proxy, bodyWith({ tools: TOOLS })],
    ];
  const samples = ways.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [way, [, base, body]] of ways.entries()) {
      const all = await Promise.all(
        Array.from({ length: STREAMS }, async (_, i) => {
          // As models do, they do not all speak at the same moment.
          await new Promise((done) => setTimeout(done, 40 * i / STREAMS));
          return await chunkTimes(base, body);
        }),
      );
      if (round > 0) samples[way]!.push(...all.flat());
    }
  }
  const row = (name: string, values: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    return [
      name,
      figure(percentile(sorted, 0.5)),
      figure(percentile(sorted, 0.99)),
    ];
  };
  return table(
    [`a chunk of ${STREAMS} streams, ms`, "p50", "p99"],
    ways.map(([name], way) => row(name, samples[way]!)),
  );
}
