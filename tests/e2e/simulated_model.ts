/** A model and the tools it calls, both decided by a seed. */
import { SAMPLES } from "../bench/samples.ts";
import { Random } from "./random.ts";
import type { Script } from "./scripted_provider.ts";
import type { Reply } from "./scripted_wires.ts";

/** How often the model does what, as probabilities. */
export interface Habits {
  /** It asks for an original, where it sees a marker. */
  readonly retrieve: number;
  /** It calls the client's tools beside a retrieval. */
  readonly beside: number;
  /** It answers a request that came before in the same words, under other ids. */
  readonly repeat?: number;
  /** It thinks in plain text before it speaks. */
  readonly thinks?: number;
}

/** Name of the conversation that a request belongs to; clients write it into their first message. */
const NAME = /\[simulated ([^\]]+)\]/;
const MARKER_HASH = /Retrieve more: hash=([0-9a-f]{24})\]/g;
const FORBIDS_TOOLS = /"tool_choice":("none"|\{"type":"none"\})/;
/** The changing part of the ids that the provider gives to calls and responses. */
const GIVEN_ID = /(?<=[a-z]_)\d+/g;
const CLIENT_TOOLS = ["Bash", "Grep", "fetch_rows"] as const;

/** The first message of the conversation `name`. */
export function questionOf(name: string): string {
  return `[simulated ${name}] why did it fail?`;
}

/** Name of the conversation of a body; `undefined` when it belongs to none. */
export function nameIn(body: string): string | undefined {
  return NAME.exec(body)?.[1];
}

/** Keys of the originals that the markers of a body name. */
export function hashesIn(body: string): readonly string[] {
  return [...body.matchAll(MARKER_HASH)].map(([, hash]) => hash!);
}

/**
 * Makes a model whose every reply depends on the conversation's name and how many requests of that
 * conversation came before; not on other conversations.
 */
export function simulatedModel(habits: Habits): Script {
  const asked = new Map<string, number>();
  return (request) => {
    const body = new TextDecoder().decode(request.body);
    const name = nameIn(body) ?? "";
    const n = asked.get(name) ?? 0;
    asked.set(name, n + 1);
    const random = new Random(`${name} reply ${n}`);
    if (!random.chance(habits.repeat ?? 0)) return reply(random, habits, body);
    return reply(new Random(body.replaceAll(GIVEN_ID, "")), habits, body);
  };
}

function reply(random: Random, habits: Habits, body: string): Reply {
  const said = `say ${random.below(1e9)} ü "q"`;
  if (FORBIDS_TOOLS.test(body)) return { text: said };
  const hashes = hashesIn(body);
  const retrieves = hashes.length > 0 && random.chance(habits.retrieve);
  const calls = !retrieves || random.chance(habits.beside)
    ? Array.from({ length: random.below(3) }, () => clientCall(random))
    : [];
  if (retrieves) {
    const at = random.below(calls.length + 1);
    calls.splice(at, 0, retrieval(random, hashes));
  }
  const speaks = calls.length === 0 || random.chance(0.7);
  return {
    ...speaks ? { text: said } : {},
    ...habits.thinks !== undefined && random.chance(habits.thinks)
      ? { thinking: thought(random), isPlain: true }
      : {},
    calls,
  };
}

/** Mostly long enough to be shortened. */
function thought(random: Random): string {
  return SAMPLES.prose(200 + random.below(9_000), 1 + random.below(1e9));
}

type ModelCall = NonNullable<Reply["calls"]>[number];

function clientCall(random: Random): ModelCall {
  const tool = random.pick(CLIENT_TOOLS);
  const input = { command: `make ${random.below(1e9)}`, pattern: "x" };
  return { tool, input };
}

/** Now and then of an original that never was. */
function retrieval(random: Random, hashes: readonly string[]): ModelCall {
  const hash = random.chance(0.05) ? "f".repeat(24) : random.pick(hashes);
  return { tool: "headroom_retrieve", input: { hash } };
}

/** What a tool prints: a log, rows, matches, anything, little or nothing, now and then hard to write. `tag` makes the text unique. */
export function toolOutput(random: Random, tag: string): string {
  const text = plainOutput(random, tag);
  switch (random.below(12)) {
    case 0:
      return text.replaceAll("\n", "\r\n");
    case 1:
      return text && `${text}\n`;
    case 2:
      return text.replaceAll("a", "ä😀\u2028").replaceAll("worker", '"\\w\t"');
    case 3:
      return text && `\ufeff${text}\u0000\u007f`;
    default:
      return text;
  }
}

/** The same, but nothing that is hard to write. */
export function plainOutput(random: Random, tag: string): string {
  const kind = random.below(20);
  if (kind < 7) return log(random, tag);
  if (kind < 10) return rows(random, tag);
  if (kind < 13) return matches(random, tag);
  if (kind < 17) return ofAnyKind(random);
  return kind === 17 ? "" : `short ${tag}`;
}

/** A text of any kind that is compressed; the seed makes it unique. */
function ofAnyKind(random: Random): string {
  const make = random.pick(Object.values(SAMPLES));
  return make(500 + random.below(9_000), 1 + random.below(1e9));
}

function log(random: Random, tag: string): string {
  const two = (n: number) => String(n % 60).padStart(2, "0");
  return Array.from({ length: 20 + random.below(250) }, (_, i) => {
    const time = `2026-03-02T08:${two(Math.floor(i / 60))}:${two(i)}Z`;
    return random.chance(0.02)
      ? `${time} ERROR ${tag} job ${i} failed: connect ECONNREFUSED 10.0.3.17:5432`
      : `${time} INFO worker-${i % 5} ${tag} job ${i} done in ${
        20 + i * 37 % 180
      } ms`;
  }).join("\n");
}

function rows(random: Random, tag: string): string {
  const total = 5 + random.below(60);
  const all = Array.from({ length: total }, (_, id) => ({
    id,
    tag,
    state: random.chance(0.03) ? "failed" : "done",
    owner: `team-${id % 4}`,
    "größe": '\u2028 "q" \\',
  }));
  return JSON.stringify({ total, rows: all }, null, random.pick([0, 2]));
}

function matches(random: Random, tag: string): string {
  return Array.from(
    { length: 10 + random.below(120) },
    (_, i) =>
      `src/${tag}/f${Math.floor(i / 7)}.ts:${10 + i}:  const x${i} = call(${
        random.below(9)
      });`,
  ).join("\n");
}
