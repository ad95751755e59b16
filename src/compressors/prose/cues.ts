/** Words by which a sentence says what must be, what may not be, what failed or was decided. @module */
import { codeAt, type Lines } from "../../text/lines.ts";
import { WordTable } from "../../text/words.ts";
import type { Unit } from "./units.ts";

/** It names a default, a limit, a decision or a result. */
export const CLAIM = 1;
/** It says what must or must not be, warns, or names a failure. */
export const RULE = 2;
const MODAL = 3;
const NOT = 4;
/** A claim; a rule before `if`. */
const ONLY = 5;

const CUES = new WordTable(
  ([
    [
      RULE,
      "must never required requires require mandatory unless deprecated shall warning caution danger beware attention error fail failed don won shouldn mustn couldn " +
      "failing failure fatal crash panic broken breaking obsolete removed cannot forbidden prohibited disallowed illegal vulnerability " +
      "vulnerable security unsafe insecure incompatible unsupported denied refused rejected corrupt",
    ],
    [
      CLAIM,
      "requirement except exception default always important note notice invalid avoid ensure break todo fixme bug regression limit limited " +
      "limitation maximum minimum experimental conclusion decided decision verdict recommend recommended recommendation timeout blocked " +
      "blocker missing lost root total overall half twice percent dozen twenty thirty forty fifty sixty hundred thousand million",
    ],
    [MODAL, "do may might can could would will should"],
    [NOT, "not"],
    [ONLY, "only"],
  ] as const).flatMap(([cue, words]) =>
    words.split(" ").map((word) => [word, cue] as const)
  ),
);

/** Rules in other languages, where a table of words does not help. */
const FOREIGN =
  /必须|必需|不得|禁止|不要|不能|只能|默认|除非|警告|注意|错误|失败|弃用|不支持|してください|しないで|のみ|必須|既定|デフォルト|エラー|失敗|非推奨|できません|(?:^|[^\p{L}])(?:нельзя|никогда|только|обязательн\p{L}*|долж\p{L}+|необходимо|запрещ\p{L}+|по умолчанию|кроме|внимание|ошибк\p{L}+|устарел\p{L}*|требу\p{L}+|не (?:следует|надо|нужно|использ\p{L}+)|muss|müssen|darf|dürfen|nie|niemals|nur|außer|erforderlich\p{L}*|standardmäßig|verboten|achtung|warnung|fehler\p{L}*|veraltet|doit|doivent|jamais|seulement|sauf|obligatoire\p{L}*|attention|erreur\p{L}*|par défaut|interdit\p{L}*|debe|deben|nunca|solo|sólo|excepto|obligatorio|advertencia|por defecto|prohibido|deve|devono|mai|soltanto|tranne)(?!\p{L})/iu;

/** The strongest cue of each unit; 0 for none. O(text). */
export function cuesOf(
  { text, codes }: Lines,
  units: readonly Unit[],
): Uint8Array {
  const cues = new Uint8Array(units.length);
  let u = 0;
  let modalEnd = -2;
  CUES.find(codes, (value, start, end) => {
    while (u + 1 < units.length && (units[u + 1]?.start ?? 0) <= start) u++;
    let cue: number = value;
    if (value === MODAL) {
      modalEnd = end;
      cue = 0;
    } else if (value === NOT) cue = modalEnd + 1 === start ? RULE : 0;
    else if (value === ONLY) cue = text.startsWith(" if ", end) ? RULE : CLAIM;
    if (cue > codeAt(cues, u)) cues[u] = cue;
  });
  for (const [at, { said, end }] of units.entries()) {
    const sentence = text.slice(said, end);
    if (/[\u0080-\uffff]/.test(sentence) && FOREIGN.test(sentence)) {
      cues[at] = RULE;
    }
  }
  return cues;
}
