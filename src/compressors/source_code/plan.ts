/** Which lines an outline may leave out: the bodies of functions, the middle of long values, the rest of long comments. @module */
import { lineAt, type Lines } from "../../text/lines.ts";
import { type Block, linesOf, type Unit } from "./blocks.ts";
import { type Body, chooseGaps } from "./budget.ts";
import { commentGap } from "./comments.ts";
import { type Gap, isWorthwhile, weigh } from "./gaps.ts";
import { COMMENT, EXPRESSION } from "./node_kinds.ts";
import {
  isHeld,
  isHolder,
  isShortLeave,
  isTypeName,
  lastOfRun,
  lastStatement,
  type Mode,
} from "./roles.ts";
import { isNamed, isWanted, type Wanted } from "./wanted.ts";

/** What a plan depends on. */
export interface PlanInput {
  /** The text. */
  readonly lines: Lines;
  /** What must stay. */
  readonly wanted: Wanted;
  /** Whether a block without a statement is an error. */
  readonly needsStatements: boolean;
  /** Whether only bodies of functions may be left out. */
  readonly bodiesOnly: boolean;
  /** First and last line that may be left out, from 0; all when not given. */
  readonly within?: readonly [number, number];
}

/** A body of so many lines may stay whole, one with a wanted line in it always does. */
const SHORT_BODY = 5;
const SHORT_WANTED_BODY = 10;
/** A wanted statement of so many lines stays whole. */
const MAX_STATEMENT_LINES = 12;
/** A literal of more lines and more values is shortened, to these first values and the last. */
const MAX_DATA_LINES = 12;
const MAX_VALUES = 8;
const FIRST_VALUES = 3;
/** A string of fewer lines stays whole; of another these first lines stay, and the last. */
const LONG_TEXT = 4;
const FIRST_TEXT_LINES = 1;
/** A comment of fewer lines stays whole. */
const LONG_COMMENT = 3;
/** A function of so many lines that is so much of the text is what the text is about. */
const MAIN_LINES = 30;
const MAIN_SHARE = 0.6;
/** Names that are looked up as types. */
const MOST_TYPES = 20;
const QUOTED = /^[rRuUbB]{0,2}(?:"""|''')/;

/** Gaps in ascending order, none inside another. O(lines + blocks · log blocks); no recursion. */
export function planGaps(root: Block, input: PlanInput): Gap[] {
  const plan = new Plan(input);
  plan.run(root);
  const gaps = chooseGaps(plan.weights, plan.gaps, plan.bodies);
  return gaps.sort((a, b) => a.from - b.from);
}

class Plan {
  /** Gaps whatever else stays. */
  readonly gaps: Gap[] = [];
  /** Bodies that may go. */
  readonly bodies: Body[] = [];
  readonly weights: Uint32Array;
  readonly #input: PlanInput;
  /** Names that the query asks for, and whether they are those of types. */
  readonly #types = new Map<string, boolean>();
  /** Blocks to look at, and how. */
  readonly #todo: (() => void)[] = [];

  constructor(input: PlanInput) {
    this.#input = input;
    this.weights = weigh(input.lines);
  }

  run(root: Block): void {
    this.#members(root);
    for (let next = this.#todo.pop(); next; next = this.#todo.pop()) next();
  }

  /** All units stay, comments shortened. */
  #members({ units }: Block): void {
    for (let i = 0; i < units.length; i++) {
      const unit = units[i]!;
      if (unit.traits & COMMENT) {
        const last = lastOfRun(units, i);
        this.#shorten(unit.from, units[last]!.to);
        i = last;
      } else if (this.#isDocstring(units, i)) {
        this.#shorten(unit.from, unit.to);
      } else this.#open(unit);
    }
  }

  #function(block: Block): void {
    const { wanted, lines } = this.#input;
    if (block.isBroken) return;
    const inner = block.units.filter((unit, i) =>
      !unit.isFixed && !this.#isDocstring(block.units, i)
    );
    const first = inner[0];
    if (first === undefined) return this.#members(block);
    const length = inner.at(-1)!.to - first.from + 1;
    const isMain = length >= MAIN_LINES && length >= MAIN_SHARE * lines.count;
    if (isHolder(block)) this.#statements(block, "functions");
    else if (isMain) this.#statements(block, "branches");
    else if (isNamed(wanted, block.name) && !this.#isType(block.name)) return;
    else if (!isWanted(wanted, block.from, block.to)) {
      this.#body(block, length <= SHORT_BODY);
    } else if (length > SHORT_WANTED_BODY) this.#statements(block, "none");
  }

  #isType(name: string): boolean {
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    // Each search reads the whole text.
    const found = this.#types.size < MOST_TYPES &&
      isTypeName(this.#input.lines, name);
    this.#types.set(name, found);
    return found;
  }

  /** A body without anything wanted: how much of it stays depends on what else does. */
  #body(block: Block, mayStay: boolean): void {
    const { units } = block;
    const drops = units.map((unit, i) => {
      const goes = !unit.isFixed && this.#isAlone(unit) &&
        !this.#isDocstring(units, i);
      if (goes) return true;
      if (this.#isDocstring(units, i)) this.#shorten(unit.from, unit.to);
      else this.#open(unit, "none");
      return false;
    });
    const all = this.#gapsOf(units, drops);
    const end = lastStatement(units);
    const forms = [all];
    if (drops[end] && isShortLeave(units[end]!)) {
      forms.push(this.#gapsOf(units, drops.with(end, false)));
    }
    if (mayStay) forms.push([]);
    this.bodies.push({ forms });
  }

  /** Statements in a function: the wanted ones stay, and what `mode` says. */
  #statements(block: Block, mode: Mode): void {
    if (block.isBroken) return;
    const { units } = block;
    const end = lastStatement(units);
    const drops = units.map((unit, i) => {
      if (unit.isFixed || !this.#isAlone(unit)) this.#open(unit, mode);
      else if (this.#isDocstring(units, i)) this.#shorten(unit.from, unit.to);
      else if (isWanted(this.#input.wanted, unit.from, unit.to)) {
        if (unit.to - unit.from >= MAX_STATEMENT_LINES) this.#open(unit, mode);
      } else if (isHeld(unit, mode)) this.#open(unit, mode);
      else {
        const stays = (i === end && block.kind === "function") ||
          mode === "branches";
        return !stays || !isShortLeave(unit);
      }
      return false;
    });
    this.gaps.push(...this.#gapsOf(units, drops));
  }

  #data(block: Block): void {
    const { units } = block;
    const values = units.filter((unit) => !unit.isFixed);
    if (
      this.#input.bodiesOnly || block.isBroken ||
      linesOf(block) <= MAX_DATA_LINES || values.length <= MAX_VALUES ||
      units.some(({ functionLines }) => functionLines > 0)
    ) return this.#members(block);
    const shown = new Set([...values.slice(0, FIRST_VALUES), values.at(-1)]);
    const drops = units.map((unit) => {
      const stays = unit.isFixed || shown.has(unit) || !this.#isAlone(unit) ||
        isWanted(this.#input.wanted, unit.from, unit.to);
      if (stays) this.#open(unit);
      return !stays;
    });
    this.gaps.push(...this.#gapsOf(units, drops));
  }

  #text(block: Block): void {
    const { lines, wanted, bodiesOnly } = this.#input;
    if (bodiesOnly || block.isBroken || linesOf(block) < LONG_TEXT) return;
    const from = block.from + FIRST_TEXT_LINES;
    const to = block.to - 1;
    if (isWanted(wanted, from, to)) return;
    const left = lines.text.slice(lines.starts[from]!, lines.starts[to + 1]!);
    // A value that is put in must not be cut in two.
    if (/\{[^{}\n]*$|^[^{}\n]*\}/m.test(left)) return;
    const lead = /^[ \t]*/.exec(left)![0];
    this.#add({ from, to, lead, inText: true });
  }

  /** Leaves the lists in a unit to be looked at; without a mode all statements stay. */
  #open(unit: Unit, mode?: Mode): void {
    for (const block of unit.blocks) {
      this.#todo.push(() => {
        if (block.kind === "function") this.#function(block);
        else if (block.kind === "data") this.#data(block);
        else if (block.kind === "text") this.#text(block);
        else if (block.kind === "members" || mode === undefined) {
          this.#members(block);
        } else this.#statements(block, mode);
      });
    }
  }

  /** Gaps for the runs of units to drop, without those that save too little. */
  #gapsOf(units: readonly Unit[], drops: readonly boolean[]): Gap[] {
    const gaps: Gap[] = [];
    const isLeft = drops.map((drop) => !drop);
    for (let i = 0; i < units.length; i++) {
      if (!drops[i]) continue;
      const start = i;
      while (i + 1 < units.length && drops[i + 1]) i++;
      const gap = this.#gapOf(units[start]!, units[i]!);
      if (isWorthwhile(this.weights, gap)) gaps.push(gap);
      else isLeft.fill(true, start, i + 1);
    }
    const needsStatement = this.#input.needsStatements && gaps.length > 0 &&
      !units.some(({ traits }, i) => isLeft[i] && (traits & COMMENT) === 0);
    if (needsStatement) gaps[0] = { ...gaps[0]!, needsStatement };
    return gaps;
  }

  /** From the blank lines before `first` on. */
  #gapOf(first: Unit, last: Unit): Gap {
    const { lines } = this.#input;
    let { from } = first;
    while (from > 0 && lineAt(lines, from - 1).trim() === "") from--;
    const lead = lines.text.slice(lines.starts[first.from]!, first.start);
    return { from, to: last.to, lead };
  }

  #shorten(from: number, to: number): void {
    const { lines, wanted, bodiesOnly } = this.#input;
    if (bodiesOnly || to - from + 1 < LONG_COMMENT) return;
    const gap = commentGap(lines, from, to);
    if (gap !== undefined && !isWanted(wanted, gap.from, gap.to)) {
      this.#add(gap);
    }
  }

  #add(gap: Gap): void {
    if (isWorthwhile(this.weights, gap)) this.gaps.push(gap);
  }

  /** Whether a unit is a string before all other statements of a block. */
  #isDocstring(units: readonly Unit[], index: number): boolean {
    const { traits, start } = units[index]!;
    return (traits & EXPRESSION) !== 0 &&
      QUOTED.test(this.#input.lines.text.slice(start, start + 6)) &&
      units.findIndex((unit) => (unit.traits & COMMENT) === 0) === index;
  }

  /** Whether the lines of a unit may go: they hold nothing else. */
  #isAlone({ from, to, start, end }: Unit): boolean {
    const { lines: { text, starts, count }, within } = this.#input;
    const [first, last] = within ?? [0, count - 1];
    return from >= first && to <= last &&
      text.slice(starts[from]!, start).trim() === "" &&
      text.slice(end, starts[to + 1]! - 1).trim() === "";
  }
}
