/** Looks for the lines of new results in the earlier texts of their request. @module */
import { nextTurn } from "../core/next_turn.ts";
import { decodeLiteral } from "../bytes/json_string.ts";
import type { Decision, RepeatedLines } from "../core/decision.ts";
import type { CcrKey } from "../core/store.ts";
import {
  type ComparedLines,
  comparedLines,
  type EarlierRun,
} from "../text/earlier_lines.ts";
import type { CompressParts } from "./compress_parts.ts";
import {
  digestOf,
  type EarlierPart,
  earlierParts,
  type EarlierText,
  nameOf,
  needOfResult,
  type PartName,
  textsOf,
  whereText,
} from "./earlier_texts.ts";
import { type KnownText, KnownTexts } from "./known_texts.ts";
import type { LiveBlock } from "./live_zone_pass.ts";
import type { Plan } from "./plan.ts";
import { hasAllLines } from "./whole_texts.ts";

/** Bytes of a part that is looked at; smaller ones have no three lines that are worth a reference. */
const MIN_BYTES = 48;
const MAX_BYTES = 512 * 1024;
/** Work between two turns of other requests, in UTF-16 units: a few milliseconds. */
const TURN_LENGTH = 64 * 1024;
/** Work on a part whose text is not read, on a line, and on listing a part, in the same unit. */
const GLANCE = 128;
const LINE = 16;
const LIST = 8;

/** A block that repeats earlier text. */
export interface Repeating {
  /** Its place among the blocks that are asked about. */
  readonly asked: number;
  /** Its lines. */
  readonly repeats: readonly RepeatedLines[];
}

/** One search in one body. */
export class EarlierSearch {
  readonly #parts: CompressParts;
  readonly #plan: Plan;
  readonly #decisions: readonly Decision[];
  /** Places of blocks among those that are asked about, and their forms, by where they begin. */
  readonly #asked: ReadonlyMap<number, number>;
  readonly #forms: ReadonlyMap<number, Plan["known"][number]["form"]>;
  /** Originals of which something is left out, among those of new blocks. */
  readonly #elided = new Set<CcrKey>();
  readonly #texts = new Map<KnownText, ComparedLines | undefined>();
  readonly #list: EarlierPart[] = [];
  #known = new KnownTexts();
  /** Place of the last part whose lines were added in this search. */
  #lastAdded = -1;
  #left = TURN_LENGTH;

  /** @param decisions One per block that is asked about. */
  constructor(
    parts: CompressParts,
    plan: Plan,
    decisions: readonly Decision[],
  ) {
    this.#parts = parts;
    this.#plan = plan;
    this.#decisions = decisions;
    this.#asked = new Map(
      plan.asked.map(({ block }, i) => [block.span.start, i]),
    );
    this.#forms = new Map(
      plan.known.map(({ block, form }) => [block.span.start, form]),
    );
  }

  /** The blocks among `candidates` that repeat text before them, and where it is. */
  async run(candidates: ReadonlySet<LiveBlock>): Promise<readonly Repeating[]> {
    const { asked, scan } = this.#plan;
    const starts = [...candidates].map(({ block }) => block.span.start);
    for (const part of earlierParts(scan, Math.max(...starts) + 1)) {
      this.#list.push(part);
      await this.#spend(LIST);
    }
    const first = Math.min(...starts);
    await this.#recall(
      this.#list.findIndex(({ span }) => span.start === first),
    );
    const found: Repeating[] = [];
    for (let i = this.#known.identities.length; i < this.#list.length; i++) {
      const part = this.#list[i]!;
      const place = this.#asked.get(part.span.start);
      const live = place === undefined ? undefined : asked[place]!;
      const repeats = live && candidates.has(live)
        ? await this.#repeatsOf(live, i)
        : [];
      if (place !== undefined && repeats.length > 0) {
        found.push({ asked: place, repeats });
        this.#elided.add(live!.job.original);
        this.#push(part, false);
      } else await this.#add(part, i);
    }
    return found;
  }

  /**
   * Remembers the parts for the next request.
   *
   * @param whole Blocks that were found and stay whole after all: from the first of them on, all is read again.
   */
  keep(whole: readonly LiveBlock[]): void {
    const known = this.#known;
    const starts = whole.map(({ block }) => block.span.start);
    const first = Math.min(...starts);
    for (let i = known.identities.length - 1; i >= 0; i--) {
      const part = this.#list[i]!;
      if (part.span.start < first) break;
      known.pop(this.#nameOf(part).noun);
    }
    if (this.#lastAdded >= known.identities.length) return;
    this.#parts.earlierTexts.keep(this.#plan.key, known);
  }

  /** Takes what is remembered of the first `count` parts, if they are the same. */
  async #recall(count: number): Promise<void> {
    const known = this.#parts.earlierTexts.take(this.#plan.key);
    if (known === undefined || known.identities.length > count) return;
    for (const [i, identity] of known.identities.entries()) {
      const part = this.#list[i]!;
      if (this.#identityOf(part, this.#isWhole(part)) !== identity) return;
      await this.#spend(GLANCE);
    }
    this.#known = known;
  }

  async #spend(work: number): Promise<void> {
    this.#left -= work;
    if (this.#left > 0) return;
    this.#left = TURN_LENGTH;
    this.#plan.input.signal.throwIfAborted();
    await nextTurn();
  }

  /** Adds a part behind the others. */
  async #add(part: EarlierPart, place: number): Promise<void> {
    const isWhole = this.#isWhole(part);
    const nth = this.#push(part, isWhole);
    const bytes = part.span.end - part.span.start;
    const isRead = isWhole && bytes >= MIN_BYTES && bytes <= MAX_BYTES;
    const { noun, path } = this.#nameOf(part);
    const texts = isRead ? this.#textsOf(part) : [];
    for (const [index, { text, ...about }] of texts.entries()) {
      const lines = comparedLines(text, path, about.isPatch);
      if (lines === undefined) continue;
      const from = { noun, path, part: place, index, nth, first: lines.first };
      this.#known.lines.add({ ...about, ...from }, lines);
      this.#lastAdded = place;
      await this.#spend(LINE * lines.digests.length);
    }
    await this.#spend(isRead ? bytes : GLANCE);
  }

  #push(part: EarlierPart, isWhole: boolean): number {
    const { noun } = this.#nameOf(part);
    return this.#known.push(this.#identityOf(part, isWhole), noun);
  }

  #nameOf(part: EarlierPart): PartName {
    return nameOf(this.#plan.input.body, this.#plan.scan, part);
  }

  #textsOf(part: EarlierPart): readonly EarlierText[] {
    const { input: { body }, recognised } = this.#plan;
    if (part.kind !== "result") return textsOf(body, part, this.#parts.keyOf);
    const lookup = recognised.lookups[part.block]!;
    const text = decodeLiteral(body, part.span);
    if (text === undefined || !("key" in lookup)) return [];
    const need = needOfResult(lookup.key);
    return [{ text, before: "the ", need, isPatch: false }];
  }

  /** What a part is; another one where it is no longer whole. */
  #identityOf(part: EarlierPart, isWhole: boolean): string {
    const state = isWhole ? "+" : "-";
    if (part.kind === "result") {
      const lookup = this.#plan.recognised.lookups[part.block]!;
      return `${state}${"key" in lookup ? lookup.key : ""}`;
    }
    const digest = digestOf(this.#plan.input.body, part.span);
    return part.kind === "user"
      ? `${state}u${digest}`
      : `${state}c${digest}${part.name}:${part.id}`;
  }

  /** Whether every line of a part is in what is sent. */
  #isWhole(part: EarlierPart): boolean {
    const { start } = part.span;
    const place = this.#asked.get(start);
    if (place !== undefined) return this.#staysWhole(place);
    if (part.kind === "result") {
      const lookup = this.#plan.recognised.lookups[part.block]!;
      if (lookup.state === "unreadable") return false;
    }
    const form = this.#forms.get(start);
    return form === undefined || hasAllLines(
      form,
      () => decodeLiteral(this.#plan.input.body, part.span),
    );
  }

  /** Whether every line of a block that is asked about is in its form. */
  #staysWhole(place: number): boolean {
    const { isOlder, text, job } = this.#plan.asked[place]!;
    const decision = this.#decisions[place]!;
    if (decision.type !== "form") return true;
    if (decision.elision !== undefined) this.#elided.add(job.original);
    // Whether forms of older turns are used is not known yet, where they have to pay.
    const isUsed = !isOlder || this.#plan.older.reason !== undefined;
    return isUsed && hasAllLines(
      { literal: decision.literal, entry: decision.elision?.key },
      () => text,
    );
  }

  /** The lines of a block that are in the texts before it. */
  async #repeatsOf(
    { text, job }: LiveBlock,
    place: number,
  ): Promise<RepeatedLines[]> {
    if (this.#elided.has(job.original)) return [];
    const lines = comparedLines(text, job.path);
    if (lines === undefined) return [];
    await this.#spend(text.length + LINE * lines.digests.length);
    const repeats: RepeatedLines[] = [];
    for (const run of this.#known.lines.find(lines)) {
      const { owner, line, count, at } = run;
      if (!this.#texts.has(owner)) {
        this.#texts.set(owner, this.#linesOf(owner));
        await this.#spend(this.#texts.get(owner)?.text.length ?? GLANCE);
      }
      if (!isSame(lines, this.#texts.get(owner), run)) continue;
      const back = this.#known.back(owner);
      repeats.push({
        line: lines.skipped + line,
        count,
        number: lines.first + line,
        where: whereText({ ...owner, back }),
        there: owner.first + at,
        need: { text: owner.need, gap: place - owner.part - 1 },
      });
    }
    return repeats;
  }

  #linesOf(
    { part, index, path, isPatch }: KnownText,
  ): ComparedLines | undefined {
    const text = this.#textsOf(this.#list[part]!)[index]?.text;
    return text === undefined ? undefined : comparedLines(text, path, isPatch);
  }
}

/** Whether the lines of a run are the same in both texts: digests can be equal by chance, or by intent. */
function isSame(
  lines: ComparedLines,
  there: ComparedLines | undefined,
  { line, count, at }: EarlierRun<unknown>,
): boolean {
  if (there === undefined) return false;
  for (let i = 0; i < count; i++) {
    if (lineOf(lines, line + i) !== lineOf(there, at + i)) return false;
  }
  return true;
}

function lineOf({ text, starts, ends }: ComparedLines, line: number): string {
  return text.slice(starts[line], ends[line]);
}
