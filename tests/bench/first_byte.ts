/** What looking for retrievals costs a stream: time to its first byte with the tool declared, and without. */
import { figure, percentile, table } from "./measure.ts";

const ROUNDS = 300;
const WARM = 60;

/** A streamed request of conversation `i`: the first, or the one after it. With tools, the retrieval tool is declared. */
function bodyOf(i: number, hasTools: boolean, isFirst: boolean): string {
  return JSON.stringify({
    model: "claude-sonnet-5",
    max_tokens: 1000,
    ...hasTools && {
      tools: [{ name: "Bash", input_schema: { type: "object" } }],
    },
    messages: [
      { role: "user", content: `question ${i} ${hasTools}` },
      ...isFirst ? [] : [
        { role: "assistant", content: "ok" },
        { role: "user", content: "go on" },
      ],
    ],
    stream: true,
  });
}

/** Milliseconds until the first byte of the body. */
async function firstByte(base: string, body: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${base}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "k" },
    body,
  });
  const reader = response.body!.getReader();
  await reader.read();
  const ms = performance.now() - start;
  while (!(await reader.read()).done);
  return ms;
}

/** The three ways, interleaved, as a Markdown table. */
export async function firstByteReport(
  { direct, proxy }: { readonly direct: string; readonly proxy: string },
): Promise<string> {
  const ways: readonly [name: string, base: string, hasTools: boolean][] = [
    ["direct", direct, true],
    ["through the proxy, no tool declared", proxy, false],
    ["through the proxy, tool declared", proxy, true],
  ];
  const first = ways.map((): number[] => []);
  const later = ways.map((): number[] => []);
  for (let i = -WARM; i < ROUNDS; i++) {
    for (let turn = 0; turn < ways.length; turn++) {
      // Each way has each place in a round equally often.
      const way = (turn + i + WARM) % ways.length;
      const [, base, hasTools] = ways[way]!;
      for (const samples of [first, later]) {
        const isFirst = samples === first;
        const ms = await firstByte(base, bodyOf(i, hasTools, isFirst));
        if (i >= 0) samples[way]!.push(ms);
      }
    }
  }
  const rows = ways.map(([name], way) => [
    name,
    ...[first, later].flatMap((samples) => {
      const sorted = samples[way]!.toSorted((a, b) => a - b);
      return [
        figure(percentile(sorted, 0.5)),
        figure(percentile(sorted, 0.99)),
      ];
    }),
  ]);
  return table([
    "first byte of a stream, ms",
    "first request p50",
    "p99",
    "later request p50",
    "p99",
  ], rows);
}
