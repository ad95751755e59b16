/** Languages whose sentences and instructions we can tell. @module */

/** UTF-16 units looked at. */
const SAMPLE = 6000;
/** Share of the letters that may be of another writing. */
const MAX_OTHER = 0.15;
/** Share of the words that are small words of a known language. */
const LEAST_SMALL = 0.05;

const LETTER = /\p{L}/gu;
const KNOWN =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const WORD = /[a-zà-ÿ]+/gi;
const ENGLISH = new Set(
  ("a an the is are was be to of in on at for with by and or not as it this that you we if from can will has have " +
    "when but which all your").split(" "),
);
const OTHERS = new Set(
  ("der die das den dem ein eine ist sind und oder nicht mit für auf zu im von es wird werden kann " +
    "le la les un une des est sont et ou pas avec pour sur du au que qui dans " +
    "el los las una es son y o no con para por en se del al como " +
    "il lo gli uno sono e non per che di da della nel os as um uma são ou não com do ao")
    .split(" "),
);

/**
 * `english`; `other` for German, French, Spanish, Italian, Portuguese, Russian, Chinese and Japanese;
 * `unknown` for everything else, and for what is hardly language. O(1).
 */
export function languageOf(text: string): "english" | "other" | "unknown" {
  const sample = text.slice(0, SAMPLE);
  let latin = 0;
  let known = 0;
  let letters = 0;
  for (const [letter] of sample.matchAll(LETTER)) {
    letters++;
    if (letter <= "\u024f") latin++;
    else if (KNOWN.test(letter)) known++;
  }
  if (letters === 0 || letters - latin - known > MAX_OTHER * letters) {
    return "unknown";
  }
  if (known > latin / 4) return "other";
  const words = sample.match(WORD) ?? [];
  const count = (set: ReadonlySet<string>) =>
    words.filter((word) => set.has(word.toLowerCase())).length;
  const english = count(ENGLISH);
  const others = count(OTHERS);
  if (Math.max(english, others) < LEAST_SMALL * words.length) return "unknown";
  return english >= others ? "english" : "other";
}
