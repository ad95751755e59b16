/** Traces of an earlier compression in a text. @module */

/** A note of an elision, as any kind writes it. */
const NOTE =
  /^[ \t]*(?:(?:#|\/\/|\*|--)[ \t]*)?… (?:(?:the )?(?:(?:(?:old )?lines?|rows?|items?|keys?) )?\d|omitted: |[\w ,]{1,40} \d+ paths)|… \[?(?:lines? [\d-]+|[\d,]+ (?:characters?|sentences?)) omitted/m;

/**
 * Whether `text` holds a marker, or notes of what was left out: such a text is never compressed again, for its notes
 * would be taken for those of the new form. O(n).
 */
export function holdsNotes(text: string): boolean {
  return text.includes("Retrieve more: hash=") || text.includes("<<ccr:") ||
    (text.includes("… ") && NOTE.test(text));
}
