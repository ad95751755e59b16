/** Does a registered MCP server start? @module */
import { isJsonObject, parseJson } from "../bytes/json_parts.ts";
import { systemCode } from "../core/errors.ts";
import { reasonOf } from "./failure.ts";
import { variable } from "./environment.ts";
import { linesOf } from "./streams.ts";
import type { ProbeTarget } from "./io.ts";

/** Milliseconds for an answer: clients wait 10 s or longer. */
const ANSWER_MS = 10_000;

/** Variables that every client passes on, where they are set. */
const PASSED_ON: readonly string[] = [
  ...["HOME", "PATH", "USER", "LANG", "TMPDIR"],
  ...["USERPROFILE", "LOCALAPPDATA", "APPDATA", "TEMP", "SYSTEMROOT"],
];

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "svc-status", version: "1" },
  },
}) + "\n";

/**
 * Starts the server as a client does, says hello and ends it.
 *
 * @param answerMs Milliseconds to wait.
 * @returns What is wrong, without a final period; `undefined` when it answered.
 */
export async function probeMcp(
  { command: [program = "", ...args], env }: ProbeTarget,
  answerMs: number = ANSWER_MS,
): Promise<string | undefined> {
  const passed = PASSED_ON.flatMap((name) => {
    const value = variable(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const given = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  );
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(program, {
      args,
      clearEnv: true,
      env: Object.fromEntries([...passed, ...given]),
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
  } catch (error) {
    return `it cannot be started (${systemCode(error) ?? reasonOf(error)})`;
  }
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    end(child);
  }, answerMs);
  try {
    const line = await answerOf(child);
    if (isLate) return `it did not answer within ${answerMs / 1000} s`;
    if (line === undefined) return "it ended without an answer";
    const answer = parseJson(line);
    return isJsonObject(answer) && "result" in answer
      ? undefined
      : "its answer is not that of a server";
  } finally {
    clearTimeout(late);
    end(child);
    await child.status;
  }
}

/** Sends the greeting; resolves to the first line of the answer. */
async function answerOf(child: Deno.ChildProcess): Promise<string | undefined> {
  const writer = child.stdin.getWriter();
  // A program that reads nothing gives no answer either, and that is what is reported.
  await writer.write(new TextEncoder().encode(INITIALIZE)).catch(() => {});
  let answer: string | undefined;
  for await (const line of linesOf(child.stdout)) {
    answer = line;
    break;
  }
  await writer.close().catch(() => {});
  return answer;
}

function end(child: Deno.ChildProcess): void {
  try {
    child.kill();
  } catch (error) {
    // It has ended already.
    if (!(error instanceof TypeError)) throw error;
  }
}
