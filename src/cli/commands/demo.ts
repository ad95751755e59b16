/** `svc demo`: the proxy at work, with a scripted provider, no key and no network. @module */
import { play, scriptedProvider, type Turn } from "../demo/play.ts";
import {
  lineWidth,
  makeStyle,
  say,
  type Style,
  wrapText,
} from "../terminal.ts";
import type { Define } from "./options.ts";
import { readSetting } from "../../settings/given.ts";
import { SETTINGS } from "../../settings/registry.ts";
import { resolveConfig } from "../../settings/resolve.ts";
import type { TextValues } from "../../settings/row.ts";
import { CONCLUSION, demoSteps, QUESTION } from "../demo/conversation.ts";
import { CliFailure } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { type Column, tableWriter } from "../table.ts";
import { countText, manyText, msText, shareText } from "../words.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc demo                see what the proxy does, with no key and no network
`;

/** Adds the action to the command. `done` takes the exit code. */
export const define: Define = (command, io, done) => {
  command.action(async () => {
    done(await runDemo(io));
  });
};

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
    const style = makeStyle(io.stdoutIsTerminal, io.env);
    const width = lineWidth(io);
    const start =
      `An agent is asked: "${QUESTION}"\nEach request carries the whole conversation.\nThe proxy at ${url} shortens what is new.`;
    io.stderr(`${wrapText(start, width)}\n\n`);
    const line = tableWriter(COLUMNS, { width: () => width });
    say(io, style.strong(line().trimEnd()));
    const turns: CountedTurn[] = [];
    let stats = await statsOf(url);
    for await (const played of play(url, steps, script)) {
      const { saved } = stats.tokens;
      stats = await statsOf(url);
      const turn = { ...played, tokensBefore: await newestBefore(url) };
      turns.push(turn);
      const added = stats.tokens.saved - saved;
      const row = { n: turns.length, saved: added, turn };
      say(io, line(cellsOf(row, style)).trimEnd());
      for (const note of notesOn(row)) {
        say(io, style.faint(wrapText(`    ${note}`, width, "    ")));
      }
    }
    say(io, "");
    say(io, wrapText(total(turns, stats, style), width));
    const end = `The model concludes: "${CONCLUSION}"`;
    io.stderr(`\n${wrapText(end, width)}\n`);
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
    // Prompts are compared byte for byte, and shown in bytes: breakpoints are no part of them.
    SVC_AUTO_CACHE: "0",
    MSG_TARGET_API_URL: `http://127.0.0.1:${providerPort}`,
    CHAT_TARGET_API_URL: `http://127.0.0.1:${providerPort}`,
  };
  return resolveConfig({ env });
}

const COLUMNS: readonly Column[] = [
  { heading: "#", width: 2, right: true },
  { heading: "new in this request", width: 22, least: 16, good: 22 },
  { heading: "received", width: 8, right: true, rank: 2 },
  { heading: "sent on", width: 7, right: true, rank: 1 },
  { heading: "tokens", width: 16, right: true },
  { heading: "saved", width: 7, right: true },
  { heading: "prefix", width: 6 },
];

/** One request of the conversation, with its tokens as the client sent them, by the proxy's count. */
type CountedTurn = Turn & { readonly tokensBefore: number };

/** One request in the table. */
interface DemoRow {
  /** Its number, from 1. */
  readonly n: number;
  /** Tokens that it added to the proxy's count of saved ones. */
  readonly saved: number;
  /** What went over the wire. */
  readonly turn: CountedTurn;
}

function cellsOf({ n, saved, turn }: DemoRow, style: Style): string[] {
  const before = turn.tokensBefore;
  const after = before - saved;
  const paint = saved > 0 ? style.success : style.faint;
  return [
    `${n}`,
    turn.title,
    kilobytes(turn.bytesIn),
    kilobytes(turn.bytesOut),
    `${countText(before)} -> ${countText(after)}`,
    paint(shareText(saved, before)),
    turn.prefixHeld ? style.success("kept") : style.failure("BROKEN"),
  ];
}

/** What a reader would wonder about. */
function notesOn({ saved, turn }: DemoRow): string[] {
  const added = saved >= 0 ? [] : [
    `svc added the definition of its retrieval tool, ${
      manyText(-saved, "token")
    }: the first shortened result pays for it`,
  ];
  const asked = turn.retrievals === 0 ? [] : [
    `the model asked for ${
      manyText(turn.retrievals, "original")
    }: the proxy answered it inside this request, and counts it here`,
  ];
  return [...added, ...asked];
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
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
  turns: readonly CountedTurn[],
  stats: DemoStats,
  style: Style,
): string {
  const before = turns.reduce((sum, turn) => sum + turn.tokensBefore, 0);
  const { saved } = stats.tokens;
  const held = turns.filter(({ prefixHeld }) => prefixHeld).length;
  return [
    style.strong(
      `Whole conversation: ${countText(before)} -> ${
        countText(before - saved)
      } tokens, ${countText(saved)} saved (${shareText(saved, before)}).`,
    ),
    `The prefix held in ${held} of ${turns.length} requests.`,
    `The proxy counted ${stats.requests.total} requests and added ${
      msText(stats.overhead.average_ms)
    } to each, just after its start.`,
  ].join("\n");
}
