/** How much of a text stays when parts are left out. @module */

/** What stays besides the rows of long lists. */
export interface Detail {
  /** Of similar objects, only the first ones and those that matter show what is nested in them; strings are short. */
  readonly brief: boolean;
  /** Containers below this many others are left out when they are large and nothing in them matters. */
  readonly depth: number;
}

/** Everything but the middle of long lists and strings. */
const FULL: Detail = { brief: false, depth: Infinity };
const BRIEF: Detail = { brief: true, depth: Infinity };
/** Levels shown of a text that stays large, one after the other. */
const DEPTHS = [6, 4];
/** Characters of a text from which rows may be brief. */
const MIN_BRIEF_CHARS = 4_000;
/** The same for a text that loses digests, such as a lock file: what packages need is secondary. */
const MIN_BRIEF_LOCK_CHARS = 2_000;
/** Characters of a text from which deep levels may be left out. */
const MIN_DEEP_CHARS = 6_000;

/** The details worth a try for a text of `chars` characters, from most to least. */
export function detailsFor(
  chars: number,
  losesDigests: boolean,
): readonly Detail[] {
  const deep = DEPTHS.map((depth) => ({ brief: true, depth }));
  const least = losesDigests ? MIN_BRIEF_LOCK_CHARS : MIN_BRIEF_CHARS;
  return [
    FULL,
    ...chars < least ? [] : [BRIEF],
    ...chars < MIN_DEEP_CHARS ? [] : deep,
  ];
}
