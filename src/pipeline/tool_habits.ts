/** How clients use their tools, learned from their conversations. @module */
import { Lru } from "../bytes/lru.ts";
import { isJsonObject, parseJson } from "../bytes/json_parts.ts";
import type { Clock } from "../core/clock.ts";
import type { BodyScan } from "../core/format.ts";
import type { CcrStore, ConversationKey } from "../core/store.ts";
import type { Attempt } from "./attempt.ts";
import { type Declaration, mayElide } from "./declaration.ts";
import type { FormedBlock } from "./frozen_pass.ts";

/** How conversations of one client use one tool. */
export interface ToolHabit {
  /** Conversations that began with it. */
  readonly offered: number;
  /** Those in which it was called. */
  readonly used: number;
  /** Conversations with it whose results could be shortened at a loss: the model could ask for the originals. */
  readonly tried: number;
  /** Tokens that were left out of its results, in all of them. */
  readonly saved: number;
}

/** What habits are made of. */
export interface HabitParts {
  /** Where they are kept, as a name of the client. */
  readonly store: Pick<CcrStore, "responseId" | "write">;
  /** Absorbs failures. */
  readonly attempt: Attempt;
  /** Time. */
  readonly clock: Clock;
}

/** What a request shows. */
export interface ShownTools {
  /** Whether its conversation begins. */
  readonly begins: boolean;
  /** Whether something may be left out of its results. */
  readonly mayElide: boolean;
  /** Names of the client's tools. */
  readonly offered: readonly string[];
  /** Names of the tools whose results it has. */
  readonly used: readonly string[];
  /** Tokens that are newly left out, by tool. */
  readonly saved: ReadonlyMap<string, number>;
}

/** Conversations whose used tools are remembered. */
const MAX_CONVERSATIONS = 10_000;
/** Tools of one client that are remembered: those that it offers most. */
const MAX_TOOLS = 400;
/** Longest name of a tool in UTF-16 units; others are not remembered. */
const MAX_NAME = 128;
/** Conversations after which all numbers of a tool are halved, so that habits may change. */
const MAX_OFFERED = 200;

type Habits = ReadonlyMap<string, ToolHabit>;

const NOTHING: Habits = new Map();
const NO_HABIT: ToolHabit = { offered: 0, used: 0, tried: 0, saved: 0 };

/** Learns from requests, and keeps what it learned in the store. It decides nothing by itself. */
export class ToolHabits {
  readonly #parts: HabitParts;
  /** By client, while the store is written to: all that is written, and what came since. */
  readonly #unsaved = new Map<string, { all: Habits; next: Habits }>();
  /** Tools that a conversation was seen to use. */
  readonly #used = new Lru<ConversationKey, Set<string>>(MAX_CONVERSATIONS);

  /** Starts with what the store has. */
  constructor(parts: HabitParts) {
    this.#parts = parts;
  }

  /** What is known of the tools of `client`, by name. */
  of(client: string): Habits {
    const unsaved = this.#unsaved.get(client);
    return unsaved ? sum(unsaved.all, unsaved.next) : this.#kept(client);
  }

  /** Notes what a request of `client` shows. Written off the request path; never rejects. */
  note(client: string, key: ConversationKey, shown: ShownTools): void {
    const { begins, mayElide, offered, saved } = shown;
    const known = this.#used.get(key);
    const used = known ?? new Set<string>();
    const fresh = [...new Set(shown.used)].filter((name) => !used.has(name));
    for (const name of fresh) used.add(name);
    if (known === undefined) this.#used.set(key, used);
    const news = new Map<string, ToolHabit>();
    const add = (name: string, part: Partial<ToolHabit>) => {
      if (name === "" || name.length > MAX_NAME) return;
      news.set(name, plus(news.get(name) ?? NO_HABIT, part));
    };
    if (begins && known === undefined) {
      const seen = { offered: 1, tried: mayElide ? 1 : 0 };
      for (const name of offered) add(name, seen);
    }
    // Met in its middle: what it used before was counted by whoever saw it begin.
    if (begins || known !== undefined) {
      for (const name of fresh) add(name, { used: 1 });
    }
    for (const [name, tokens] of saved) add(name, { saved: tokens });
    if (news.size > 0) this.#keep(client, news);
  }

  #kept(client: string): Habits {
    return habitsIn(this.#parts.store.responseId(nameOf(client)) ?? "{}");
  }

  #keep(client: string, news: Habits): void {
    const unsaved = this.#unsaved.get(client);
    if (unsaved) unsaved.next = sum(unsaved.next, news);
    else void this.#write(client, news);
  }

  async #write(client: string, news: Habits): Promise<void> {
    const { store, attempt, clock } = this.#parts;
    for (let next = news; next.size > 0;) {
      const unsaved = { all: next, next: NOTHING };
      this.#unsaved.set(client, unsaved);
      await attempt("note_tools", async () => {
        unsaved.all = bounded(sum(this.#kept(client), next));
        const last = JSON.stringify(Object.fromEntries(unsaved.all));
        const responseIds = new Map([[nameOf(client), last]]);
        await store.write({ now: clock.now(), responseIds }, "soon");
      }, undefined);
      next = unsaved.next;
    }
    this.#unsaved.delete(client);
  }
}

/** What a request shows of its client's tools; `undefined` for one without tools. */
export function shownTools(
  { scan, declaration }: {
    readonly scan: BodyScan;
    readonly declaration: Declaration;
  },
  decided: readonly FormedBlock[],
): ShownTools | undefined {
  if (scan.tools === undefined) return undefined;
  const saved = new Map<string, number>();
  for (const { block: { toolName = "", isUserText }, form } of decided) {
    if (form.entry === undefined || isUserText) continue;
    const tokens = form.tokensBefore - form.tokensAfter;
    saved.set(toolName, (saved.get(toolName) ?? 0) + tokens);
  }
  return {
    begins: !scan.begun,
    mayElide: mayElide(declaration),
    offered: scan.begun ? [] : scan.tools.names,
    used: scan.blocks.filter(({ isUserText }) => !isUserText)
      .map(({ toolName = "" }) => toolName),
    saved,
  };
}

/** Name under which the store keeps the habits of `client`. */
function nameOf(client: string): string {
  return `tools of ${client}`;
}

function plus(a: ToolHabit, b: Partial<ToolHabit>): ToolHabit {
  return changed(a, (value, name) => value + (b[name] ?? 0));
}

function changed(
  { offered, used, tried, saved }: ToolHabit,
  change: (value: number, name: keyof ToolHabit) => number,
): ToolHabit {
  return {
    offered: change(offered, "offered"),
    used: change(used, "used"),
    tried: change(tried, "tried"),
    saved: change(saved, "saved"),
  };
}

function sum(a: Habits, b: Habits): Map<string, ToolHabit> {
  const all = new Map(a);
  for (const [name, habit] of b) {
    all.set(name, plus(all.get(name) ?? NO_HABIT, habit));
  }
  return all;
}

function bounded(habits: Habits): Habits {
  const halved = [...habits].map(([name, habit]) =>
    [
      name,
      habit.offered < MAX_OFFERED
        ? habit
        : changed(habit, (value) => value / 2),
    ] as const
  );
  const most = halved.toSorted(([, a], [, b]) => b.offered - a.offered);
  return new Map(most.slice(0, MAX_TOOLS));
}

/** Reads what was kept; what is no habit is left out. */
function habitsIn(text: string): Habits {
  const json = parseJson(text);
  if (!isJsonObject(json)) return new Map();
  return new Map(
    Object.entries(json).flatMap(([name, value]) => {
      if (!isJsonObject(value)) return [];
      const { offered, used, tried, saved } = value;
      return [offered, used, tried, saved].every(Number.isFinite)
        ? [[name, value as unknown as ToolHabit] as const]
        : [];
    }),
  );
}
