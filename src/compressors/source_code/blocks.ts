/** The lists of statements, members and values of a parsed text, with their lines. @module */
import type { Node, Tree, TreeCursor } from "web-tree-sitter";
import type { Lines } from "../../text/lines.ts";
import {
  BLOCK,
  BODY,
  CASES,
  DATA,
  ERROR_NODE,
  FLAT,
  FUNCTION,
  MEMBERS,
  type NodeTable,
  SCOPE,
  SEPARATOR,
  TEXT,
} from "./node_kinds.ts";

/** What a block is. */
export type BlockKind = "members" | "function" | "statements" | "data" | "text";

/** A list in the text. */
export interface Block {
  /** What it is. */
  readonly kind: BlockKind;
  /** In the order of the text. */
  readonly units: Unit[];
  /** Name of a function; empty when it has none or names do not matter. */
  readonly name: string;
  /** Its first line, from 0, those of its brackets included. */
  readonly from: number;
  /** Its last line. */
  readonly to: number;
  /** Something in it could not be parsed. */
  isBroken: boolean;
}

/** Neighbours in a list that share lines. */
export interface Unit {
  /** First line, from 0. */
  readonly from: number;
  /** Last line. */
  to: number;
  /** Offset of the first character. */
  readonly start: number;
  /** Offset after the last. */
  end: number;
  /** Has a bracket or keyword of the list in it. */
  isFixed: boolean;
  /** Bits of `node_kinds.ts` that all of it has. */
  traits: number;
  /** Lists in it, outermost only. */
  readonly blocks: Block[];
  /** Lines of the functions in it, outermost only. */
  functionLines: number;
}

/** How to read a tree. */
export interface WalkOptions {
  /** Meanings of the nodes. */
  readonly table: NodeTable;
  /** Whether the names of functions matter. */
  readonly named: boolean;
}

/** A node of fewer lines has nothing to leave out. */
const FEWEST_LINES = 3;
/** Steps from a body up to the name of its function, and down a declarator. */
const NAME_STEPS = 4;
/** Fields under which a name stands, beside or above a function. */
const NAME_FIELDS = ["name", "key", "property", "left", "declarator"];

/**
 * The block of the whole text. Steps on nodes of three lines or more and their children only, without recursion.
 *
 * @param tree Of the whole text of `lines`. Not deleted.
 */
export function blocksOf(
  tree: Tree,
  lines: Lines,
  options: WalkOptions,
): Block {
  const cursor = tree.walk();
  try {
    return new Walk(cursor, lines, options).run(tree.rootNode.hasError);
  } finally {
    cursor.delete();
  }
}

/** A node between the root and the current one. */
interface Level {
  readonly type: number;
  /** Innermost list that this node is or stands in. */
  readonly block: Block;
  /** Whether the children of this node are units of `block`. */
  readonly isList: boolean;
}

class Walk {
  readonly #cursor: TreeCursor;
  readonly #lines: Lines;
  readonly #options: WalkOptions;
  readonly #levels: Level[] = [];

  constructor(cursor: TreeCursor, lines: Lines, options: WalkOptions) {
    this.#cursor = cursor;
    this.#lines = lines;
    this.#options = options;
  }

  run(hasError: boolean): Block {
    const cursor = this.#cursor;
    const block = newBlock("members", [0, this.#lines.count - 1]);
    const type = cursor.nodeTypeId;
    this.#levels.push({ type, block, isList: true });
    if (!cursor.gotoFirstChild()) return block;
    while (true) {
      const level = this.#visit(hasError);
      if (level !== undefined && cursor.gotoFirstChild()) {
        this.#levels.push(level);
        continue;
      }
      while (!cursor.gotoNextSibling()) {
        cursor.gotoParent();
        this.#leave(this.#levels.pop()!);
        if (this.#levels.length === 0) return block;
      }
    }
  }

  /** Notes the current node; its level when there may be lists in it. */
  #visit(hasError: boolean): Level | undefined {
    const { list } = this.#options.table;
    const cursor = this.#cursor;
    const type = cursor.nodeTypeId;
    const { block, isList } = this.#levels.at(-1)!;
    if (isList && list[type] === FLAT) return { type, block, isList };
    const from = cursor.startPosition.row;
    const end = cursor.endPosition;
    // Some nodes take the newline after them in.
    const to = end.column === 0 && end.row > from ? end.row - 1 : end.row;
    if (isList) {
      if (type === ERROR_NODE) block.isBroken = true;
      this.#addUnit(block.units, from, to);
    }
    if (to - from + 1 < FEWEST_LINES) return undefined;
    const kind = this.#kindOf(type);
    if (kind === undefined) return { type, block, isList: false };
    const inner = newBlock(kind, [from, to], this.#nameFor(kind));
    inner.isBroken = hasError && cursor.currentNode.hasError;
    block.units.at(-1)!.blocks.push(inner);
    return kind === "text" ? undefined : { type, block: inner, isList: true };
  }

  #leave({ block, isList }: Level): void {
    const around = this.#levels.at(-1)?.block;
    if (!isList || around === undefined || around === block) return;
    around.units.at(-1)!.functionLines += block.kind === "function"
      ? linesOf(block)
      : block.units.reduce((sum, { functionLines }) => sum + functionLines, 0);
  }

  #addUnit(units: Unit[], from: number, to: number): void {
    const cursor = this.#cursor;
    const traits = this.#options.table.traits[cursor.nodeTypeId]!;
    const isSeparator = (traits & SEPARATOR) !== 0;
    const isFixed = !isSeparator && !cursor.nodeIsNamed;
    const end = Math.min(cursor.endIndex, this.#lines.starts[to + 1]! - 1);
    const before = units.at(-1);
    if (before === undefined || from > before.to) {
      const start = cursor.startIndex;
      units.push({
        ...{ from, to, start, end, isFixed, traits },
        blocks: [],
        functionLines: 0,
      });
      return;
    }
    before.to = Math.max(before.to, to);
    before.end = Math.max(before.end, end);
    before.isFixed ||= isFixed;
    if (!isSeparator) before.traits &= traits;
  }

  #kindOf(type: number): BlockKind | undefined {
    const { list, traits } = this.#options.table;
    switch (list[type]) {
      case BLOCK: {
        const parent = traits[this.#levels.at(-1)!.type]!;
        if (parent & FUNCTION) return "function";
        return parent & SCOPE ? "members" : "statements";
      }
      case BODY:
        return "function";
      case MEMBERS:
        return "members";
      case CASES:
        return "statements";
      case DATA:
        return "data";
      case TEXT:
        return "text";
    }
    return undefined;
  }

  #nameFor(kind: BlockKind): string {
    return kind === "function" && this.#options.named
      ? functionName(this.#cursor.currentNode)
      : "";
  }
}

function newBlock(
  kind: BlockKind,
  [from, to]: readonly [number, number],
  name = "",
): Block {
  return { kind, units: [], name, from, to, isBroken: false };
}

/** Number of the lines of a list, those of its brackets included. */
export function linesOf({ from, to }: Block): number {
  return to - from + 1;
}

/** Last part of the name that a function is declared, assigned or listed under. */
function functionName(body: Node): string {
  let node: Node | null = body.parent;
  for (let step = 0; node !== null && step < NAME_STEPS; step++) {
    for (const field of NAME_FIELDS) {
      const named = node.childForFieldName(field);
      if (named !== null) return /[\w$]*$/.exec(innermost(named).text)![0];
    }
    node = node.parent;
  }
  return "";
}

/** What a C declarator declares. */
function innermost(named: Node): Node {
  let node = named;
  for (let step = 0; step < NAME_STEPS; step++) {
    const inner = node.childForFieldName("declarator");
    if (inner === null) break;
    node = inner;
  }
  return node;
}
