/** Values at a place of a JSON document, as they are written there. @module */
import { copyOf, countIn, eachChild, type JsonChild } from "./json_children.ts";
import { readPlace, type Step, stepText } from "./json_place.ts";
import { findJson, type JsonSpan } from "./json_scan.ts";
import { kindAt } from "./json_tokens.ts";
import {
  insideString,
  type Missing,
  missingText,
  placeText,
  type Spot,
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
  const span = json.spans.length === 1 ? json.spans[0]! : undefined;
  const split = steps.findIndex(({ type }) => type === "range");
  const first = split < 0 ? steps : steps.slice(0, split);
  const spot = walk({ json, span, prefix: "" }, first);
  if ("at" in spot) return { error: missingText(spot) };
  if (split < 0) return pieceOf(piece, spot);
  return cutRange(piece, spot, {
    step: steps[split]! as Range,
    rest: steps.slice(split + 1),
  });
}

type Range = Extract<Step, { type: "range" }>;

/** The value that a walk came to. */
function pieceOf(piece: Piece, spot: Spot): Piece {
  const { json, span, prefix } = spot;
  const said = [...piece.said, placeText(prefix) + rowText(spot)];
  if (span === undefined) {
    return { ...piece, items: json.spans.length, said, json, place: prefix };
  }
  const text = json.text.slice(span.start, span.end);
  const isContainer = json.ends[span.start]! > 0 && /^[[{]/.test(text);
  return {
    text,
    way: "json",
    items: isContainer ? countIn(json, span.start) : 1,
    said,
    place: prefix === "" ? "" : placeText(prefix),
  };
}

/** Which one of how many an element is, as notes count: `: item 4 of 90`. */
function rowText({ json, span, array }: Spot): string {
  if (span === undefined) return "";
  if (array === undefined) {
    // Documents of JSON Lines are told apart by where they start.
    const index = json.spans.length < 2
      ? -1
      : json.spans.findIndex(({ start }) => start === span.start);
    return index < 0 ? "" : `: document ${index + 1} of ${json.spans.length}`;
  }
  let index = 0;
  const total = eachChild(json, array.start, (child) => {
    if (child.start === span.start) index = child.index;
  });
  return `: item ${index + 1} of ${total}`;
}

/** The rows of a range, or one place in each of them. */
function cutRange(
  piece: Piece,
  from: Spot,
  { step, rest }: { readonly step: Range; readonly rest: readonly Step[] },
): Cutting {
  const spot = insideString(from);
  const { json, span, prefix } = spot;
  const isObject = span !== undefined &&
    kindAt(json.text, span.start) === "object";
  const isArray = span !== undefined &&
    kindAt(json.text, span.start) === "array";
  const missing = () => ({ error: missingText({ at: spot, step }) });
  if (span !== undefined && !isObject && !isArray) return missing();
  const { rows, total } = rowsIn(spot, step);
  if (rows.length === 0) return missing();
  const noun = isArray ? "items" : isObject ? "keys" : "documents";
  const first = Math.max(1, step.from);
  const last = first + rows.length - 1;
  const range = first === last
    ? `${noun.slice(0, -1)} ${first}`
    : `${noun} ${first}-${last}`;
  const place = (prefix === "" ? "" : placeText(prefix)) +
    stepText({ type: "range", from: first, to: last }, false);
  const said = `${place}: ${range} of ${total}`;
  if (rest.length > 0) return projected(piece, spot, { rows, rest, said });
  const start = isObject ? (rows[0] as JsonChild).key : rows[0]!.start;
  const inner = json.text.slice(start, rows.at(-1)!.end);
  return {
    text: isArray ? `[${inner}]` : isObject ? `{${inner}}` : inner,
    way: "json",
    items: rows.length,
    said: [...piece.said, said],
    place: prefix === "" ? "" : placeText(prefix),
    firstRow: first - 1,
  };
}

function rowsIn(
  { json, span }: Spot,
  { from, to }: Range,
): { readonly rows: readonly JsonSpan[]; readonly total: number } {
  if (span === undefined) {
    return {
      rows: json.spans.slice(Math.max(0, from - 1), to),
      total: json.spans.length,
    };
  }
  const rows: JsonSpan[] = [];
  const total = eachChild(json, span.start, (child) => {
    if (child.index + 1 >= from && child.index < to) rows.push(copyOf(child));
  });
  return { rows, total };
}

/** `items[3-9].name`: an array of what is at the place in each row that has it. */
function projected(
  piece: Piece,
  { json, prefix }: Spot,
  { rows, rest, said }: {
    readonly rows: readonly JsonSpan[];
    readonly rest: readonly Step[];
    readonly said: string;
  },
): Cutting {
  const values: string[] = [];
  let first: Missing | undefined;
  const start = { json, prefix: `${prefix}[…]` };
  for (const span of rows) {
    const found = walk({ ...start, span }, rest);
    if ("at" in found) {
      first ??= found;
      continue;
    }
    const value = found.span!;
    values.push(found.json.text.slice(value.start, value.end));
  }
  if (values.length === 0) return { error: missingText(first!) };
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
