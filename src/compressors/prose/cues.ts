/** Words that make a sentence one to keep: instructions, negations, warnings, results. @module */
import type { Lines } from "../../text/lines.ts";
import { WordTable } from "../../text/words.ts";
import type { Unit } from "./units.ts";

/** It negates, advises, contrasts or gives a reason. */
export const HINT = 1;
/** It names a default, a limit, a decision or a result. */
export const CLAIM = 2;
/** The sentence says what must or must not be, warns, or tells of a failure. */
export const RULE = 3;

const W_RULE = 1;
const W_HINT = 2;
/** With `'t` they forbid, or only negate. */
const W_FORBIDS = 3;
const W_DENIES = 4;
const W_NOT = 5;
/** Before `not` they make an instruction. */
const W_MODAL = 6;
const W_CLAIM = 7;
/** A claim; a rule before `if`. */
const W_ONLY = 8;

const FORBIDS = "don won shouldn mustn couldn";
const DENIES = "doesn didn isn aren wasn weren wouldn hasn haven hadn";

const TABLE = new WordTable([
  ...pairs(
    W_RULE,
    "must never required requires require mandatory unless deprecated shall " +
      "warning caution danger beware attention error fail failed failing failure fatal crash panic broken breaking " +
      "obsolete removed cannot forbidden prohibited disallowed illegal " +
      "vulnerability vulnerable security unsafe insecure incompatible unsupported denied refused rejected corrupt",
  ),
  ...pairs(
    W_CLAIM,
    "requirement except exception default always important note notice invalid avoid ensure break " +
      "todo fixme bug regression limit limited limitation maximum minimum experimental conclusion decided decision verdict " +
      "recommend recommended recommendation timeout blocked blocker missing lost root total overall",
  ),
  ["only", W_ONLY],
  ...pairs(
    W_HINT,
    "should without however but although instead because therefore otherwise nor neither none nothing no however why since " +
      "result finding found cause fix fixed changed added solution workaround answer question problem issue risk means whereas",
  ),
  ...pairs(W_MODAL, "do may might can could would will"),
  ...pairs(W_FORBIDS, FORBIDS),
  ...pairs(W_DENIES, DENIES),
  // A letter beyond ASCII is part of a word, and so is this apostrophe.
  ...pairs(W_RULE, `${FORBIDS} can`.replace(/\w+/g, "$&’t")),
  ...pairs(W_HINT, DENIES.replace(/\w+/g, "$&’t")),
  ["not", W_NOT],
]);

/** The same in other languages, where a table of words does not help. */
const FOREIGN_RULE =
  /必须|必需|不得|禁止|不要|不能|仅|只能|只有|默认|除非|警告|注意|错误|失败|弃用|废弃|不支持|してください|しないで|禁止|のみ|必須|既定|デフォルト|警告|注意|エラー|失敗|非推奨|サポートされ|できません|ません|(?:^|[^\p{L}])(?:нельзя|никогда|только|обязательн\p{L}*|долж\p{L}+|необходимо|запрещ\p{L}+|по умолчанию|кроме|если не|внимание|предупреждение|ошибк\p{L}+|устарел\p{L}*|требу\p{L}+|важно|не (?:следует|надо|нужно|поддержива\p{L}+|использ\p{L}+)|muss|müssen|darf|dürfen|nie|niemals|nur|außer|erforderlich\p{L}*|standardmäßig|verboten|achtung|warnung|hinweis|fehler\p{L}*|veraltet|empfohlen|doit|doivent|jamais|seulement|sauf|obligatoire\p{L}*|attention|avertissement|erreur\p{L}*|par défaut|interdit\p{L}*|debe|deben|nunca|solo|sólo|excepto|obligatorio|advertencia|por defecto|prohibido|deve|devono|mai|soltanto|tranne|predefinit\p{L}+)(?![\p{L}])/iu;
const FOREIGN_HINT =
  /不|没有|但|因此|所以|应该|なぜ|しかし|ため|(?:^|[^\p{L}])(?:не|нет|но|однако|потому|поэтому|следует|nicht|kein\p{L}*|aber|weil|daher|sollte\p{L}*|ne|pas|mais|donc|no|pero|porque|non|però|perché)(?![\p{L}])/iu;

/** Calls `found` with `RULE`, `CLAIM` or `HINT` and the offset of each cue, ascending. O(codes). */
export function findCues(
  codes: Uint8Array,
  found: (cue: number, at: number) => void,
): void {
  let modalEnd = -2;
  TABLE.find(codes, (value, start, end) => {
    if (value === W_RULE) found(RULE, start);
    else if (value === W_CLAIM) found(CLAIM, start);
    else if (value === W_ONLY) {
      found(isIf(codes, end + 1) ? RULE : CLAIM, start);
    } else if (value === W_HINT) {
      found(HINT, start);
      // `should not`, also where `should` alone is advice.
      modalEnd = end;
    } else if (value === W_NOT) {
      found(modalEnd + 1 === start ? RULE : HINT, start);
    } else if (isContracted(codes, end)) {
      found(value === W_DENIES ? HINT : RULE, start);
    } else if (value === W_MODAL) modalEnd = end;
  });
}

/** `RULE`, `HINT` or 0 for a sentence that is not only ASCII. O(sentence). */
export function foreignCue(sentence: string): number {
  if (FOREIGN_RULE.test(sentence)) return RULE;
  return FOREIGN_HINT.test(sentence) ? HINT : 0;
}

/** `if` and a blank. */
function isIf(codes: Uint8Array, at: number): boolean {
  return codes[at] === 105 && codes[at + 1] === 102 && codes[at + 2]! <= 32;
}

/** `'t` follows. */
function isContracted(codes: Uint8Array, end: number): boolean {
  return codes[end] === 39 && codes[end + 1] === 116;
}

function pairs(value: number, words: string): [string, number][] {
  return words.split(" ").map((word) => [word, value]);
}

/** The strongest cue of each unit; 0 for none. O(text). */
export function cuesOf(
  { text, codes }: Lines,
  units: readonly Unit[],
  isEnglish: boolean,
): Uint8Array {
  const cues = new Uint8Array(units.length);
  let u = 0;
  findCues(codes, (cue, at) => {
    while (u < units.length && units[u]!.end <= at) u++;
    if (u === units.length || units[u]!.start > at) return;
    if (cue > cues[u]!) cues[u] = cue;
  });
  for (u = 0; u < units.length && !isEnglish; u++) {
    if (cues[u]! >= CLAIM) continue;
    const cue = foreignCue(text.slice(units[u]!.start, units[u]!.end));
    cues[u] = Math.max(cues[u]!, cue === 0 ? 0 : cue === HINT ? HINT : RULE);
  }
  return cues;
}
