/** How much a unit of a document is worth to a reader who has the rest of it. @module */

/** The points of what must stay. */
export const HARD = 255;
/** The points of a heading: it goes only with all that stands below it. */
export const HEADS = 100;
/** Most points of what need not stay. */
export const MOST = 99;

/** A whole number of points from 1 to {@linkcode MOST}. */
export function bounded(points: number): number {
  return Math.round(Math.max(1, Math.min(MOST, points)));
}
