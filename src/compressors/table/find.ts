/** The tables of a text, whatever their layout. @module */
import type { Lines } from "../../text/lines.ts";
import { looksDelimited } from "./delimited_signs.ts";
import { parseDelimited } from "./delimited.ts";
import { findFixed } from "./find_fixed.ts";
import { findFrames } from "./find_frames.ts";
import { findListings } from "./listings.ts";
import type { Table } from "./table.ts";

/**
 * All tables of the first layout that gives any: framed, a known list, padded, delimited. O(n).
 *
 * @param path Name of the file that holds the text, if known.
 */
export function findTables(lines: Lines, path?: string): Table[] {
  const frames = findFrames(lines);
  if (frames.length > 0) return frames;
  const listings = findListings(lines);
  if (listings.length > 0) return listings;
  const fixed = findFixed(lines);
  if (fixed.length > 0) return fixed;
  if (!looksDelimited(lines.text, path)) return [];
  const delimited = parseDelimited(lines);
  return delimited === undefined ? [] : [delimited];
}
