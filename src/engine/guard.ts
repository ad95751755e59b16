/** Keeps notes and markers that a text holds before it is compressed. @module */
import type { Units } from "../core/kind.ts";
import { offsetAt } from "../text/lines.ts";
import { STAYS } from "./choose.ts";
import { notesIn } from "./note.ts";

/**
 * Units in which a note or a marker of an earlier compression is, and the ones beside them, stay: a reader must not take
 * them for notes of the new form. The other units are as they were. O(text).
 */
export function withNotesKept(text: string, units: Units): Units {
  const notes = notesIn(text);
  if (notes.length === 0) return units;
  const weights = units.weights.slice();
  let unit = 0;
  for (const note of notes) {
    while (offsetAt(units.starts, unit + 1) <= note) unit++;
    weights.fill(STAYS, Math.max(0, unit - 1), unit + 2);
  }
  return { ...units, weights };
}
