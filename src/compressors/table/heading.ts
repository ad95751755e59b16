/** The header of a written table: names of columns, and what all their cells have in common. @module */
import type { ColumnPlan } from "./plan.ts";

/** One name and its plan. */
export interface HeadItem {
  /** Name as the table has it. */
  readonly name: string;
  /** Of the column; dittos are not told from cells of their own. */
  readonly plan: ColumnPlan;
}

/** What needs no quotes behind `=`. */
const BARE = /^[^\s"*=|,;…]+$/;

/** Writes `NAME`, `NAME=value` or `NAME=start*end`. */
export function headItem({ name, plan }: HeadItem): string {
  if (plan.type === "constant") return `${name}=${literal(plan.value)}`;
  if (plan.type !== "affix") return name;
  const { prefix, suffix } = plan;
  const parts = [prefix, suffix].map((part) =>
    part === "" ? "" : literal(part)
  );
  return `${name}=${parts.join("*")}`;
}

function literal(value: string): string {
  return BARE.test(value) ? value : JSON.stringify(value);
}

/** Reads what {@linkcode headItem} wrote, from items joined by `split`; throws on a broken literal. */
export function readHead(line: string, split: string): HeadItem[] {
  const items: HeadItem[] = [];
  let at = 0;
  do {
    const start = at;
    at = nameEnd(line, at, split);
    const name = line.slice(start, at);
    let plan: ColumnPlan = { type: "own" };
    if (line[at] === "=") {
      const first = literalEnd(line, at + 1, split);
      const value = readLiteral(line.slice(at + 1, first));
      at = first;
      plan = { type: "constant", value };
      if (line[at] === "*") {
        const second = literalEnd(line, at + 1, split);
        const suffix = readLiteral(line.slice(at + 1, second));
        at = second;
        plan = { type: "affix", prefix: value, suffix };
      }
    }
    items.push({ name, plan });
  } while (line.startsWith(split, at) && at++ < line.length);
  return items;
}

/** End of a name, which may be a quoted cell or have a bar behind a backslash. */
function nameEnd(line: string, from: number, split: string): number {
  let at = from;
  if (line[at] === '"') {
    at++;
    while (at < line.length) {
      if (line[at] !== '"') at++;
      else if (line[at + 1] === '"') at += 2;
      else break;
    }
    return Math.min(at + 1, line.length);
  }
  while (at < line.length && line[at] !== "=") {
    if (line[at] === split && line[at - 1] !== "\\") break;
    at++;
  }
  return at;
}

function literalEnd(line: string, from: number, split: string): number {
  let at = from;
  if (line[at] === '"') {
    at++;
    while (at < line.length && line[at] !== '"') {
      at += line[at] === "\\" ? 2 : 1;
    }
    return Math.min(at + 1, line.length);
  }
  while (at < line.length && line[at] !== split && line[at] !== "*") at++;
  return at;
}

function readLiteral(literal: string): string {
  return literal.startsWith('"') ? String(JSON.parse(literal)) : literal;
}
