/** `svc demo`: the proxy at work, with a scripted provider, no key and no network. @module */
import type { Command } from "@commander-js/extra-typings";
import { percentDigits } from "../../core/percent.ts";
import { readSetting } from "../../settings/given.ts";
import { SETTINGS } from "../../settings/registry.ts";
import { resolveConfig } from "../../settings/resolve.ts";
import type { TextValues } from "../../settings/row.ts";
import { CONCLUSION, demoSteps, QUESTION } from "../demo/conversation.ts";
import { play, type Turn } from "../demo/play.ts";
import { scriptedProvider } from "../demo/provider.ts";
import { CliFailure } from "../failure.ts";
import { DEMO_EXAMPLES } from "../help.ts";
import type { CliIo } from "../io.ts";
import { makeStyle, type Style } from "../style.ts";

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

/**
 * Plays the conversation and prints one line per request to stdout. Nothing is written to disk.
 *
 * @returns 0 if every prefix held, else 1.
 * @throws {CliFailure} When its own proxy cannot be reached.
 */
export async function runDemo(io: CliIo): Promise<number> {
  // It talks to itself over the loopback address.
  io.giveUp?.({
    files: readSetting(SETTINGS.stateless, { env: io.env }),
    network: false,
  });
  const steps = demoSteps();
  const script = scriptedProvider(steps);
  const provider = await io.serve(script.handle);
  const proxy = await io.startProxy(demoConfig(provider.port));
  const url = `http://127.0.0.1:${proxy.port}`;
  try {
    io.stderr(
      `An agent is asked: "${QUESTION}"\nEach request carries the whole conversation; the proxy at ${url} shortens what is new.\n\n`,
    );
    const style = makeStyle(io.stdoutIsTerminal, io.env);
    print(io, style.strong(HEADING));
    const turns: Turn[] = [];
    let stats = await statsOf(url);
    for await (const played of play(url, steps, script)) {
      const { saved } = stats.tokens;
      stats = await statsOf(url);
      const turn = { ...played, tokensBefore: await newestBefore(url) };
      turns.push(turn);
      const added = stats.tokens.saved - saved;
      print(io, row({ n: turns.length, saved: added, turn }, style));
    }
    print(io, "");
    print(io, total(turns, stats, style));
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

/** One request in the table. */
interface DemoRow {
  /** Its number, from 1. */
  readonly n: number;
  /** Tokens that it added to the proxy's count of saved ones. */
  readonly saved: number;
  /** What went over the wire. */
  readonly turn: Turn;
}

function row({ n, saved, turn }: DemoRow, style: Style): string {
  const before = turn.tokensBefore;
  const after = before - saved;
  const cells = [
    String(n).padStart(2),
    turn.title.padEnd(22),
    kilobytes(turn.bytesIn).padStart(15),
    kilobytes(turn.bytesOut).padStart(14),
    `${before} -> ${after}`.padStart(16),
    (saved > 0 ? style.success : style.faint)(
      percent(before, after).padStart(8),
    ),
    turn.prefixHeld ? style.success("held") : style.failure("BROKEN"),
  ];
  if (turn.retrievals === 0) return cells.join("  ");
  const note =
    `    the model asked for ${turn.retrievals} original: the proxy answered it inside this request, and counts it here`;
  return `${cells.join("  ")}\n${style.faint(note)}`;
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
  const response = await reach(`${url}/stats`);
  return await response.json() as DemoStats;
}

/** A machine may have a loopback address that nothing reaches, e.g. in a network of its own. */
async function reach(url: string): Promise<Response> {
  try {
    return await fetch(url);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CliFailure(
      `Cannot reach ${url}, where svc itself listens: programs on this machine cannot talk to each other. Check its loopback interface (lo)`,
    );
  }
}

/** Tokens of the newest request as the client sent it: a header that went out early only estimates them. */
async function newestBefore(url: string): Promise<number> {
  const response = await reach(`${url}/transformations/feed?limit=1`);
  const { transformations: [newest] } = await response.json() as {
    readonly transformations: readonly {
      readonly input_tokens_original: number;
    }[];
  };
  return newest?.input_tokens_original ?? 0;
}

/** The proxy's own count: what it saved is the sum of the rows. */
function total(
  turns: readonly Turn[],
  stats: DemoStats,
  style: Style,
): string {
  const before = turns.reduce((sum, turn) => sum + turn.tokensBefore, 0);
  const { saved } = stats.tokens;
  const held = turns.filter(({ prefixHeld }) => prefixHeld).length;
  return [
    style.strong(
      `Whole conversation: ${before} -> ${
        before - saved
      } tokens, ${saved} saved (${percent(before, before - saved)}).`,
    ),
    `The prefix held in ${held} of ${turns.length} requests. The proxy counted ${stats.requests.total} requests and took ${
      stats.overhead.average_ms.toFixed(1)
    } ms per request, just after its start.`,
  ].join("\n");
}

function print(io: CliIo, line: string): void {
  io.stdout(new TextEncoder().encode(line + "\n"));
}
