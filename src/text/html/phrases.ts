/** Numbers and cut texts as the form of a page writes them. @module */

/** A number with a comma before each group of three digits. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 link`, `2 links`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** At most `most` UTF-16 units of a text and a visible `…`; never half a character. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "").trimEnd()}…`;
}
