/** Values at a place of a JSON document, as they are written there. @module */
import { endOf, findJson } from "../../text/json/find.ts";
import { ARRAY, OBJECT } from "../../text/json/tape.ts";
import { readPlace, type Step, stepText } from "./json_place.ts";
import {
  childrenOf,
  insideString,
  type Missing,
  missingText,
  placeText,
  type Spot,
  spotOf,
  walk,
} from "./json_walk.ts";
import { type Cutting, echo, type Piece } from "./piece.ts";

/**
 * Cuts the value at a place: exact text, no matter how it is written.
 * A single index counts from 0 as everywhere in JSON; ranges, and the documents of JSON Lines, count from 1 as notes do.
 * A way leads on into a string that holds JSON. O(n), not recursive.
 */
export function cutPlace(piece: Piece, given: string): Cutting {
  const json = piece.json ?? findJson(piece.text);
  if (json === undefined) {
    return {
      error: `Cannot find path ${echo(given)}: the original holds no JSON; ` +
        "ask for lines or a query instead",
    };
  }
  const steps = readPlace(given);
  if (steps === undefined) {
    return {
      error: `Cannot find path ${echo(given)}: this is no path; give one as ` +
        'items[3].name, items[3-9], ["a key"] or /items/3/name',
    };
  }
  const split = steps.findIndex(({ type }) => type === "range");
  const step = steps[split];
  const first = step === undefined ? steps : steps.slice(0, split);
  const spot = walk(spotOf(json), first);
  if ("at" in spot) return { error: missingText(spot) };
  return step?.type === "range"
    ? cutRange(piece, spot, { step, rest: steps.slice(split + 1) })
    : pieceOf(piece, spot);
}

/** The value that a walk came to. */
function pieceOf(piece: Piece, spot: Spot): Piece {
  const { json, node, prefix } = spot;
  const said = [...piece.said, placeText(prefix) + rowText(spot)];
  if (node === 0) {
    return { ...piece, items: json.values.length, said, json, place: prefix };
  }
  return {
    text: json.tape.raw(node),
    way: "json",
    items: json.tape.isContainer(node) ? json.tape.count(node) : 1,
    said,
    place: placeOf(prefix),
  };
}

function placeOf(prefix: string): string {
  return prefix === "" ? "" : placeText(prefix);
}

/** Which one of how many an element is, as notes count: `: item 4 of 90`. */
function rowText(spot: Spot): string {
  const { json: { tape, values }, node } = spot;
  if (node === 0) return "";
  const parent = tape.parent(node);
  const isDocument = parent === 0;
  if (isDocument ? values.length < 2 : tape.kind(parent) !== ARRAY) return "";
  const all = Array.from(childrenOf({ ...spot, node: parent }));
  const noun = isDocument ? "document" : "item";
  return `: ${noun} ${all.indexOf(node) + 1} of ${all.length}`;
}

/** A range, and the steps that follow it. */
interface Ranged {
  readonly step: Extract<Step, { type: "range" }>;
  readonly rest: readonly Step[];
}

/** The rows of a range, or one place in each of them. */
function cutRange(piece: Piece, from: Spot, { step, rest }: Ranged): Cutting {
  const spot = insideString(from);
  const { json: { tape }, node, prefix } = spot;
  const all = Array.from(childrenOf(spot));
  const rows = all.slice(Math.max(0, step.from - 1), step.to);
  const [head, tail = 0] = [rows[0], rows.at(-1)];
  if (head === undefined) return { error: missingText({ at: spot, step }) };
  const kind = tape.kind(node);
  const noun = kind === ARRAY
    ? "items"
    : kind === OBJECT
    ? "keys"
    : "documents";
  const first = Math.max(1, step.from);
  const last = first + rows.length - 1;
  const range = first === last
    ? `${noun.slice(0, -1)} ${first}`
    : `${noun} ${first}-${last}`;
  const place = placeOf(prefix) +
    stepText({ type: "range", from: first, to: last }, false);
  const said = `${place}: ${range} of ${all.length}`;
  if (rest.length > 0) return projected(piece, spot, { rows, rest, said });
  const start = kind === OBJECT ? tape.keyStart(head) : tape.start(head);
  const inner = tape.text.slice(start, tape.end(tail));
  return {
    text: kind === ARRAY
      ? `[${inner}]`
      : kind === OBJECT
      ? `{${inner}}`
      : inner,
    way: "json",
    items: rows.length,
    said: [...piece.said, said],
    place: placeOf(prefix),
    firstRow: first - 1,
  };
}

/** `items[3-9].name`: an array of what is at the place in each row that has it. */
function projected(
  piece: Piece,
  { json, prefix }: Spot,
  { rows, rest, said }: {
    readonly rows: readonly number[];
    readonly rest: readonly Step[];
    readonly said: string;
  },
): Cutting {
  const values: string[] = [];
  let first: Missing | undefined;
  for (const node of rows) {
    const found = walk({ json, node, prefix: `${prefix}[…]` }, rest);
    if ("at" in found) first ??= found;
    else if (found.node > 0) values.push(found.json.tape.raw(found.node));
    else values.push(found.json.tape.text.slice(0, endOf(found.json)));
  }
  if (first !== undefined && values.length === 0) {
    return { error: missingText(first) };
  }
  const steps = rest.map((step) => stepText(step, false)).join("");
  const some = values.length < rows.length
    ? `; ${values.length} of them have ${steps}`
    : `; ${steps} of each`;
  return {
    text: `[${values.join(",\n")}]`,
    way: "json",
    items: values.length,
    said: [...piece.said, said + some],
    place: `${said.slice(0, said.indexOf(":"))}${steps}`,
  };
}
