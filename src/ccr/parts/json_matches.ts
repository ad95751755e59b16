/** Rows of a JSON document that fit a query, each behind its place. @module */
import { JsonRows } from "./json_rows.ts";
import type { JsonValues } from "./json_scan.ts";
import { matchText, type Piece } from "./piece.ts";
import { findUnits } from "./search.ts";

/** Elements, members or parts of them with a match: `items[3]: {"name":…}`, the text as it is written. O(n). */
export function matchRows(
  piece: Piece,
  json: JsonValues,
  query: string,
): Piece {
  const rows = new JsonRows(json, piece);
  const text = json.text.slice(0, json.spans.at(-1)!.end);
  const starts = new Uint32Array(rows.count + 1);
  starts.set(rows.starts);
  starts[rows.count] = text.length + 1;
  const escaped = JSON.stringify(query.trim()).slice(1, -1);
  const { count, best } = findUnits({ text, starts }, query, [escaped]);
  const places = rows.places(best);
  const lines = best.map((row, i) =>
    `${places[i]}: ${json.text.slice(rows.from[row]!, rows.to[row]!)}\n`
  );
  const total = rows.count;
  const said = matchText(query, {
    shown: best.length,
    count,
    total,
    noun: "rows",
  });
  return {
    text: lines.join(""),
    way: "lines",
    items: best.length,
    said: [...piece.said, said],
  };
}
