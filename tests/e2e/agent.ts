/** What the end-to-end conversations are about. */
import type { Reply } from "./scripted_wires.ts";
import type { Received } from "./upstream.ts";

/** A service log of 300 lines with one failure: long enough to be elided. */
export const LOG = Array.from(
  { length: 300 },
  (_, i) =>
    i === 171
      ? "2026-03-02T08:02:51Z ERROR worker-3 job 171 failed: connect ECONNREFUSED 10.0.3.17:5432"
      : `2026-03-02T08:${String(Math.floor(i / 60)).padStart(2, "0")}:${
        String(i % 60).padStart(2, "0")
      }Z INFO worker-${i % 5} job ${i} done in ${20 + i * 37 % 180} ms`,
).join("\n");

/** A JSON answer of 60 rows. */
export const ROWS = JSON.stringify(
  {
    total: 60,
    rows: Array.from({ length: 60 }, (_, i) => ({
      id: 1000 + i,
      state: i === 31 ? "failed" : "done",
      owner: `team-${i % 4}`,
      error: i === 31 ? "timeout after 5000 ms" : null,
    })),
  },
  null,
  2,
);

/** Two tool calls, one retrieval of what was left out, then the conclusion. */
export function investigate(request: Received, n: number): Reply {
  const body = new TextDecoder().decode(request.body);
  if (n === 0) {
    return {
      text: "I look at the log.",
      calls: [{ tool: "Bash", input: { command: "journalctl" } }],
    };
  }
  if (n === 1) {
    return { calls: [{ tool: "fetch_rows", input: { query: "jobs" } }] };
  }
  if (n === 2) {
    const hash = /hash=([0-9a-f]{24})/.exec(body)?.[1] ?? "none";
    return {
      text: "I need the whole log.",
      calls: [{ tool: "headroom_retrieve", input: { hash } }],
    };
  }
  return { text: "The database refused connections." };
}

/** Output of one of the client's own tools. */
export function runTool(name: string): string {
  if (name === "Bash") return LOG;
  if (name === "fetch_rows") return ROWS;
  throw new TypeError(`The client has no tool "${name}"`);
}

/** The conversation array of a request, from its bracket to its last element. */
export function conversationOf(
  { body }: Pick<Received, "body">,
  array: string,
): string {
  const text = new TextDecoder().decode(body);
  const start = text.indexOf(`"${array}":[`);
  let depth = 0;
  let inString = false;
  for (let i = start + array.length + 3; i < text.length; i++) {
    const c = text[i]!;
    if (inString) {
      if (c === "\\") i++;
      else if (c === '"') inString = false;
    } else if (c === '"') inString = true;
    else if (c === "[" || c === "{") depth++;
    else if (c === "]" || c === "}") {
      depth--;
      if (depth === 0) return text.slice(start, i);
    }
  }
  throw new TypeError(`No ${array} in the request`);
}
