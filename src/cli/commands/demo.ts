/** `svc demo`: the proxy at work, with a scripted provider, no key and no network. @module */
import type { Command } from "@commander-js/extra-typings";
import { percentDigits } from "../../core/percent.ts";
import { resolveConfig } from "../../settings/resolve.ts";
import type { TextValues } from "../../settings/row.ts";
import { CONCLUSION, demoSteps, QUESTION } from "../demo/conversation.ts";
import { play, type Turn } from "../demo/play.ts";
import { scriptedProvider } from "../demo/provider.ts";
import { DEMO_EXAMPLES } from "../help.ts";
import type { CliIo } from "../io.ts";

/** Adds the action to the command. `done` takes the exit code. */
export function defineDemo(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command.addHelpText("before", DEMO_EXAMPLES).action(async () => {
    done(await runDemo(io));
  });
}

/** Milliseconds until the scripted model answers: meanwhile the proxy counts, so that its headers are exact. */
const THINKING_MS = 50;

/**
 * Plays the conversation and prints one line per request to stdout. Nothing is written to disk.
 *
 * @returns 0 if every prefix held, else 1.
 */
export async function runDemo(io: CliIo): Promise<number> {
  const steps = demoSteps();
  const script = scriptedProvider(steps);
  const provider = await io.serve(async (request) => {
    await new Promise((resolve) => setTimeout(resolve, THINKING_MS));
    return await script.handle(request);
  });
  const proxy = await io.startProxy(demoConfig(provider.port));
  const url = `http://127.0.0.1:${proxy.port}`;
  try {
    io.stderr(
      `An agent is asked: "${QUESTION}"\nEach request carries the whole conversation; the proxy at ${url} shortens what is new.\n\n`,
    );
    print(io, HEADING);
    const turns: Turn[] = [];
    let stats = await statsOf(url);
    for await (const turn of play(url, steps, script)) {
      turns.push(turn);
      const { saved } = stats.tokens;
      stats = await statsOf(url);
      print(io, row(turns.length, turn, stats.tokens.saved - saved));
    }
    print(io, "");
    print(io, total(turns, stats));
    io.stderr(`\nThe model concludes: "${CONCLUSION}"\n`);
    return turns.every(({ prefixHeld }) => prefixHeld) ? 0 : 1;
  } finally {
    await proxy.stop();
    await provider.stop();
  }
}

/** A proxy of its own: free port, memory only, the scripted provider behind it. */
function demoConfig(providerPort: number) {
  const env: TextValues = {
    SVC_PORT: "0",
    SVC_STATELESS: "true",
    MSG_TARGET_API_URL: `http://127.0.0.1:${providerPort}`,
    CHAT_TARGET_API_URL: `http://127.0.0.1:${providerPort}`,
  };
  return resolveConfig({ env });
}

const HEADING =
  " #  new in this request      sent by client  sent to model   tokens            saved  prefix";

/** One request; `saved` is what it added to the proxy's count. */
function row(n: number, turn: Turn, saved: number): string {
  const before = turn.tokensBefore;
  const after = before - saved;
  const cells = [
    String(n).padStart(2),
    turn.title.padEnd(22),
    kilobytes(turn.bytesIn).padStart(15),
    kilobytes(turn.bytesOut).padStart(14),
    `${before} -> ${after}`.padStart(16),
    percent(before, after).padStart(8),
    turn.prefixHeld ? "held" : "BROKEN",
  ];
  const note = turn.retrievals === 0
    ? ""
    : `\n    the model asked for ${turn.retrievals} original: the proxy answered it inside this request, and counts it here`;
  return cells.join("  ") + note;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

function percent(before: number, after: number): string {
  return `${percentDigits(before - after, before)} %`;
}

/** The part of the stats report that is shown. It waits until every request is counted to the last token. */
interface DemoStats {
  readonly requests: { readonly total: number };
  readonly tokens: { readonly saved: number };
  readonly overhead: { readonly average_ms: number };
}

async function statsOf(url: string): Promise<DemoStats> {
  const response = await fetch(`${url}/stats`);
  return await response.json() as DemoStats;
}

/** The proxy's own count: what it saved is the sum of the rows. */
function total(turns: readonly Turn[], stats: DemoStats): string {
  const before = turns.reduce((sum, turn) => sum + turn.tokensBefore, 0);
  const { saved } = stats.tokens;
  const held = turns.filter(({ prefixHeld }) => prefixHeld).length;
  return [
    `Whole conversation: ${before} -> ${
      before - saved
    } tokens, ${saved} saved (${percent(before, before - saved)}).`,
    `The prefix held in ${held} of ${turns.length} requests. The proxy counted ${stats.requests.total} requests and took ${
      stats.overhead.average_ms.toFixed(1)
    } ms per request, just after its start.`,
  ].join("\n");
}

function print(io: CliIo, line: string): void {
  io.stdout(new TextEncoder().encode(line + "\n"));
}
