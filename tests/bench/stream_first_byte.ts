/**
 * Time to the first byte of a stream, with the retrieval tool declared and without, one after the other in one run.
 * Usage: `deno run -A tests/bench/stream_first_byte.ts [requests of each kind]`; 200 unless given.
 */
import { bodyOf, messagesClient } from "../conformance/conversation.ts";
import { LOG } from "../e2e/agent.ts";
import { withProxy } from "../e2e/proxy.ts";

/** Elided results and a stream that is looked into; or folded results and a stream that is relayed. */
const KINDS = ["declared", "not declared"] as const;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** One stream of a conversation of its own; milliseconds until its first byte, and until its end. */
async function measure(
  url: string,
  { n, isDeclared }: { readonly n: number; readonly isDeclared: boolean },
): Promise<readonly [first: number, all: number]> {
  const calls = [{
    id: `c${n}`,
    tool: "Bash",
    args: { n: `${n}` },
    result: LOG,
  }];
  const talk = { question: `${isDeclared} ${n}`, steps: [{ calls }] };
  const send = (steps: number) => {
    const json = JSON.parse(
      new TextDecoder().decode(bodyOf(messagesClient, talk, steps)),
    );
    return fetch(`${url}/v1/messages`, {
      method: "POST",
      body: JSON.stringify({ ...json, stream: true }),
    });
  };
  // A conversation that is met in its middle does not declare the tool.
  if (isDeclared) await (await send(0)).bytes();
  // The block is decided by then: what is measured is sending and relaying.
  await (await send(1)).bytes();
  const start = performance.now();
  const response = await send(1);
  const reader = response.body!.getReader();
  await reader.read();
  const first = performance.now() - start;
  while (!(await reader.read()).done);
  return [first, performance.now() - start];
}

if (import.meta.main) {
  const requests = Number(Deno.args[0] ?? 200);
  const warmUp = 20;
  const times = { declared: [], "not declared": [] } as Record<
    typeof KINDS[number],
    (readonly [number, number])[]
  >;
  await withProxy(
    () => ({ text: "A text of some words. ".repeat(20) }),
    async ({ url }) => {
      for (let n = 0; n < requests + warmUp; n++) {
        for (const kind of KINDS) {
          const isDeclared = kind === "declared";
          const time = await measure(url, { n, isDeclared });
          if (n >= warmUp) times[kind].push(time);
        }
      }
    },
  );
  for (const [kind, all] of Object.entries(times)) {
    const [first, end] = [0, 1].map((i) =>
      median(all.map((time) => time[i]!)).toFixed(2)
    );
    // deno-lint-ignore no-console
    console.log(
      `${kind}: median of ${all.length}: first byte ${first} ms, end ${end} ms`,
    );
  }
}
