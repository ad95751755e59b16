/** How much each unit of a document says to a reader: numbers, names, instructions, decisions, failures, answers. @module */
import { STAYS } from "../../engine/choose.ts";
import { codeAt, type Lines } from "../../text/lines.ts";
import { bestLines, queryTerms } from "../../text/relevance.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";
import { hashOf, WordTable } from "../../text/words.ts";
import { CLUTTER, CODE, FENCE, HEADING, ITEM, ROW, TEXT } from "./parse.ts";
import type { Unit } from "./units.ts";

/** UTF-16 units of a sentence in which its form is looked for. */
const WIDTH = 160;

/** Weight of what repeats an earlier sentence, or says next to nothing. */
const NOTHING = 4;
/** UTF-16 units of a sentence that may repeat an earlier one. */
const LEAST_ECHO = 24;
/** Points for the best fit to the question. */
const FIT = 30;
/** UTF-16 units of a text whose first sentences stay only if they name something. */
const LONG = 4000;
const BAR = 124;
/** Units that fit at all, that stay as answers, and the share of the best fit that these need. */
const MOST_FITS = 40;
const ANSWERS = 0.5;
/** Entries of a long list, and headings of one level that are members. */
const LONG_RUN = 8;
const MANY = 6;
const USUAL = 1;
const ODD = 2;

/** It negates, advises, contrasts or gives a reason. */
const HINT = 1;
/** It names a default, a limit, a decision or a result. */
const CLAIM = 2;
/** The sentence says what must or must not be, warns, or names a failure. */
const RULE = 3;
const MODAL = 4;
const NOT = 5;
/** With `'t` or `’t` they forbid, or only negate. */
const FORBIDS = 6;
/** A claim; a rule before `if`. */
const ONLY = 7;
/** Points for the strongest of them. */
const CUE_POINTS = [0, 8, 20, 34];

const CUES = new WordTable(
  ([
    [
      RULE,
      "must never required requires require mandatory unless deprecated shall warning caution danger beware attention error fail failed " +
      "failing failure fatal crash panic broken breaking obsolete removed cannot forbidden prohibited disallowed illegal vulnerability " +
      "vulnerable security unsafe insecure incompatible unsupported denied refused rejected corrupt",
    ],
    [
      CLAIM,
      "requirement except exception default always important note notice invalid avoid ensure break todo fixme bug regression limit limited " +
      "limitation maximum minimum experimental conclusion decided decision verdict recommend recommended recommendation timeout blocked " +
      "blocker missing lost root total overall half twice percent dozen twenty thirty forty fifty sixty hundred thousand million",
    ],
    [
      HINT,
      "should without however but although instead because therefore otherwise nor neither none nothing no however why since result " +
      "finding found cause fix fixed changed added solution workaround answer question problem issue risk means whereas doesn didn isn " +
      "aren wasn weren wouldn hasn haven hadn",
    ],
    [MODAL, "do may might can could would will"],
    [FORBIDS, "don won shouldn mustn couldn"],
    [NOT, "not"],
    [ONLY, "only"],
  ] as const).flatMap(([cue, words]) =>
    words.split(" ").map((word) => [word, cue] as const)
  ),
);

/** Rules in other languages, where a table of words does not help. */
const FOREIGN =
  /必须|必需|不得|禁止|不要|不能|只能|默认|除非|警告|注意|错误|失败|弃用|不支持|してください|しないで|のみ|必須|既定|デフォルト|エラー|失敗|非推奨|できません|(?:^|[^\p{L}])(?:нельзя|никогда|только|обязательн\p{L}*|долж\p{L}+|необходимо|запрещ\p{L}+|по умолчанию|кроме|внимание|ошибк\p{L}+|устарел\p{L}*|требу\p{L}+|не (?:следует|надо|нужно|использ\p{L}+)|muss|müssen|darf|dürfen|nie|niemals|nur|außer|erforderlich\p{L}*|standardmäßig|verboten|achtung|warnung|fehler\p{L}*|veraltet|doit|doivent|jamais|seulement|sauf|obligatoire\p{L}*|attention|erreur\p{L}*|par défaut|interdit\p{L}*|debe|deben|nunca|solo|sólo|excepto|obligatorio|advertencia|por defecto|prohibido|deve|devono|mai|soltanto|tranne)(?!\p{L})/iu;

const NUMBER = /\d/;
/** Code, a path, an identifier, an acronym. */
const NAME = /`|\w[_/.:]\w|[a-z][A-Z]|\b[A-Z]{2}/;
/** Starts what came out of it all. */
const VERDICT =
  /^[\s>*_\d.-]*(?:decision|decided|verdict|conclusion|result|recommendation|status|root cause|cause|tl;dr|summary|short version|short answer|bottom line|outcome|workaround|fazit|ergebnis|вывод|итог|结论)\b[^.:\n]{0,24}:/i;
/** Leads on, thanks, greets, advertises. */
const PLEASANTRY =
  /^[\s>*_"'(-]*(?:in (?:this|the (?:next|following|previous)) (?:section|chapter|guide|article|tutorial|page|document|post|example|lesson|report),? (?:we|you|i)\b|this (?:section|chapter|guide|article|tutorial|page|document|post) (?:will|shows?|explains?|describes?|covers?|provides?|walks)\b|(?:now )?let['’]?s (?:get started|dive|take|start|begin|explore|see|look|move on)|(?:i )?hope (?:this|that|it) helps|(?:please )?(?:feel free|do ?n['’]?o?t hesitate) to|(?:please )?let (?:me|us) know (?:if|whether|what|how)|(?:many )?thank(?:s| you)\b|happy (?:coding|hacking|testing|reading)|(?:sure|certainly|absolutely|of course|great question|good question|great)[!,.]|welcome to\b|congratulations\b|as (?:mentioned|noted|discussed|described) (?:above|earlier|before|previously)|(?:read|learn|find out) more\b|(?:click|tap) (?:here|the)\b|was this (?:page|article|document) |(?:skip|back|jump|go) to (?:the )?(?:main |page )?(?:content|top|navigation|search|table of contents)|edit this page|(?:sign|log) (?:in|up)(?: to| for|$)|subscribe (?:to|for|now)|share (?:this|on)\b|(?:we|this (?:web)?site) uses? cookies|all rights reserved|the format is (?:based on|that of)\b|(?:all )?notable changes (?:to|of|in)\b|(?:and )?this project adheres to\b|without further ado|if you (?:like|enjoy|enjoyed) (?:this|the) |(?:pull requests|contributions|prs) (?:are )?(?:always )?welcome)/i;
/** Sentences of the usual licences. */
const LICENCE =
  /^[\s>*_"'(-]*(?:permission is hereby granted, free|permission to use, copy, modify|the above copyright notice and|the software is provided "as is"|in no event shall the|redistributions? (?:and use|of source code|in binary form)|this software is provided by the|neither the name of|unless required by applicable law|licensed under the apache|you may not use this file except|you may obtain a copy of|see the license for the specific|this program is free software[:;]|this program is distributed in|you should have received a copy of the gnu|copyright\b.{0,60}all rights reserved)/i;
/** Who says what follows: in a review, a thread, between the comments that `gh` prints. */
const SPEAKER =
  /^[\s>]*(?:(?:\*\*[^*]{2,40}\*\*|@[\w-]{2,40})(?: on `[^`]*`| \([^)]*\)| (?:commented|wrote|said|replied|asked)\b.*|,? [\d:.\-TZ ]+)?:?|--)\s*$/;
/** What `gh` prints of an issue and of each comment. */
const META =
  /^\s*(?:title|state|author|labels|assignees|milestone|number|comments|projects|association|edited|status|reviewers|url):\t/;
const RESULT_HEAD =
  /\b(?:conclusions?|results?|verdict|summary|recommend\w*|decisions?|outcome|findings|next steps|actions?|to ?do|open|questions?|tl;?dr|breaking|security|deprecat\w*|removed|what to do|fazit|ergebnis\w*)\b|итог|вывод|结论|结果/i;
const ASIDE_HEAD =
  /\b(?:licen[sc]es?|licensing|contribut\w*|acknowledge?ments?|credits|authors?|maintainers|sponsors?|backers|badges|(?:table of )?contents|see also|copyright|community|reporting bugs|history|translations?|lizenz|danksagung)\b|лицензия|许可/i;

/** A heading and what is below it. */
interface Section {
  /** First unit: the heading, or the start of the text. */
  readonly from: number;
  /** Unit after the last. */
  readonly to: number;
  /** One of many alike, as the members of a class: it may go whole. */
  readonly isMember: boolean;
  readonly isResult: boolean;
  readonly isAside: boolean;
}

/** What is known about all units. */
interface Reading {
  readonly lines: Lines;
  readonly units: readonly Unit[];
  /** Strongest cue of each unit. */
  readonly cues: Uint8Array;
  /** How well each unit fits the question, from 0 to 1. */
  readonly fits: ReadonlyMap<number, number>;
  /** Entries of long lists: {@linkcode USUAL} or {@linkcode ODD}. */
  readonly entries: Uint8Array;
  /** 1 for a unit that names who says what follows. */
  readonly speakers: Uint8Array;
  /** Sentences so far. */
  readonly said: Set<string>;
}

/** What was met so far in a section. */
interface Met {
  rules: number;
  results: number;
  sentences: number;
  /** UTF-16 units. */
  length: number;
}

/** Weights of all units. O(text). */
export function weightsOf(
  lines: Lines,
  units: readonly Unit[],
  query: string,
): Uint8Array {
  const reading: Reading = {
    lines,
    units,
    cues: cuesOf(lines, units),
    fits: fitsOf(lines, units, query),
    entries: entriesOf(lines, units),
    speakers: speakersOf(lines, units),
    said: new Set(),
  };
  const weights = new Uint8Array(units.length);
  for (const section of sectionsOf(lines, units)) {
    const met = { rules: 0, results: 0, sentences: 0, length: 0 };
    for (let u = section.from; u < section.to; u++) {
      const unit = units[u];
      if (unit === undefined) continue;
      const said = lines.text.slice(unit.said, unit.end);
      weights[u] = weigh(reading, { u, unit, said, section, met });
    }
  }
  keepErrors(reading, weights);
  keepHeads(units, weights);
  return weights;
}

/** A unit, and what is around it. */
interface Place {
  readonly u: number;
  readonly unit: Unit;
  /** Its text. */
  readonly said: string;
  readonly section: Section;
  readonly met: Met;
}

function weigh(reading: Reading, place: Place): number {
  const { fits, speakers, entries } = reading;
  const { u, unit, said, section, met } = place;
  met.length += said.length;
  if (unit.kind === CLUTTER) return 0;
  if (unit.kind === HEADING) return section.isMember ? NOTHING : STAYS;
  const fit = fits.get(u) ?? 0;
  const isEcho = said.length >= LEAST_ECHO && reading.said.has(said);
  reading.said.add(said);
  // Nobody must seem to have said what another one said.
  const isSpoken = speakers[u] === 1 || speakers[u - 1] === 1;
  if (isSpoken || fit === 1 || entries[u] === ODD) return STAYS;
  if (isEcho || entries[u] === USUAL) return NOTHING;
  const isSentence = unit.kind === TEXT || unit.kind === ITEM;
  const points = isSentence
    ? rateSentence(reading, place)
    : rateLine(reading, place);
  if (points === 0 || points === STAYS) return points;
  const more = FIT * fit + (section.isAside ? -25 : section.isResult ? 12 : 0) +
    (NUMBER.test(said) ? 50 : 0) + (NAME.test(said) ? 12 : 0);
  return Math.round(
    Math.max(NOTHING, Math.min(STAYS - 1, 2 * (points + more))),
  );
}

function rateSentence(reading: Reading, place: Place): number {
  const { lines: { codes }, units } = reading;
  const { u, unit, said, section, met } = place;
  const head = said.slice(0, WIDTH);
  const cue = codeAt(reading.cues, u);
  const hasNumber = NUMBER.test(said);
  const isNamed = hasNumber || NAME.test(said);
  if (u > 0 && LICENCE.test(head)) return 0;
  if (u > 0 && cue !== RULE && !isNamed && PLEASANTRY.test(head)) return 0;
  const isFirst = met.sentences++ === 0;
  if (META.test(head) || (head.includes(":") && VERDICT.test(head))) {
    return STAYS;
  }
  const mostRules = (hasNumber ? 6 : 3) + met.length / 600;
  if (cue === RULE && met.rules++ < mostRules) return STAYS;
  const isTop = (isFirst && !section.isAside && !section.isMember) ||
    (section.isResult && met.results++ < 3);
  if (isTop && (isNamed || !isLong(reading))) return STAYS;
  const isLast = u >= units.length - 2;
  if (asks(codes, unit.end)) return isLast || isFirst ? STAYS : 80;
  const base = unit.opens ? 51 : 37;
  return base + (isTop ? 25 : 0) + (CUE_POINTS[cue] ?? 0) + (isLast ? 14 : 0) +
    (head.includes("**") ? 8 : 0);
}

/** A row of a table or of an option, or code. */
function rateLine(reading: Reading, place: Place): number {
  const { lines: { codes }, units } = reading;
  const { u, unit, said, section, met } = place;
  const isSoft = section.isMember || section.isAside;
  const before = units[u - 1]?.kind;
  if (unit.kind !== ROW) {
    // The fence's end, or the head of a block.
    const opens = before !== unit.kind || unit.kind === FENCE;
    if (!opens) return 34;
    return isSoft ? 62 : isLong(reading) ? 75 : STAYS;
  }
  if (META.test(said)) return STAYS;
  if (codes[unit.said] !== BAR) return 46;
  // The head of a table, and the line below it.
  const isTop = before !== ROW || units[u - 2]?.kind !== ROW;
  const isRule = codeAt(reading.cues, u) === RULE && met.rules++ < 6;
  return isRule || (isTop && !isSoft) ? STAYS : 46;
}

function isLong({ lines }: Reading): boolean {
  return lines.text.length > LONG;
}

/** The strongest cue of each unit; 0 for none. O(text). */
function cuesOf(
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
    } else if (value === NOT) cue = modalEnd + 1 === start ? RULE : HINT;
    else if (value === FORBIDS) {
      cue = /^['’]t/.test(text.slice(end, end + 2)) ? RULE : 0;
    } else if (value === ONLY) {
      cue = text.startsWith(" if ", end) ? RULE : CLAIM;
    } else if (value === HINT) modalEnd = end;
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

/** How well units fit the question, by unit. O(text). */
function fitsOf(
  { text, codes }: Lines,
  units: readonly Unit[],
  query: string,
): Map<number, number> {
  const starts = new Uint32Array(units.length + 1);
  for (const [u, { start }] of units.entries()) starts[u] = start;
  starts[0] = 0;
  starts[units.length] = text.length + 1;
  const index = { text, codes, starts, count: units.length };
  const fits = new Map<number, number>();
  for (const { asked, weight, answers } of questionsOf(query)) {
    const ranked = bestLines(index, queryTerms(asked), MOST_FITS);
    const top = ranked[0]?.score ?? 1;
    for (const [rank, { line, score }] of ranked.entries()) {
      const share = score / top;
      const fit = rank < answers && share >= ANSWERS ? 1 : weight * share;
      fits.set(line, Math.max(fits.get(line) ?? 0, fit));
    }
  }
  return fits;
}

/** What was asked, and the arguments of the call, which say less of what is wanted. */
function questionsOf(query: string) {
  const at = query.lastIndexOf("\n{");
  const asked = { asked: query, weight: 0.9, answers: 6 };
  if (at <= 0) return [asked];
  const call = {
    asked: query.slice(at + 1),
    weight: 0.45,
    answers: 2,
  };
  return [{ ...asked, asked: query.slice(0, at) }, call];
}

/** In lists and tables of many entries, those that end like most of them, and the few that do not. O(text). */
function entriesOf({ codes }: Lines, units: readonly Unit[]): Uint8Array {
  const entries = new Uint8Array(units.length);
  const lastWord = ({ said, end }: Unit) => {
    let last = end;
    while (
      last > said && (codeAt(codes, last - 1) <= 32 || codes[last - 1] === 124)
    ) last--;
    let first = last;
    while (first > said && codeAt(codes, first - 1) > 32) first--;
    return hashOf(codes, first, last);
  };
  for (let from = 0; from < units.length;) {
    const kind = units[from]?.kind;
    let to = from + 1;
    while (to < units.length && units[to]?.kind === kind) to++;
    if ((kind === ITEM || kind === ROW) && to - from >= LONG_RUN) {
      const words = units.slice(from, to).map(lastWord);
      const counts = countsOf(words);
      for (const [usual, count] of counts) {
        if (count < 0.6 * words.length) continue;
        for (const [i, word] of words.entries()) {
          entries[from + i] = word !== usual ? ODD : i >= 5 ? USUAL : 0;
        }
      }
    }
    from = to;
  }
  return entries;
}

/** Marks who speaks, where three do or more. O(text). */
function speakersOf({ text }: Lines, units: readonly Unit[]): Uint8Array {
  const speakers = Uint8Array.from(
    units,
    ({ said, end, opens }) =>
      opens && end - said < 90 && SPEAKER.test(text.slice(said, end)) ? 1 : 0,
  );
  const count = speakers.reduce((sum, each) => sum + each, 0);
  return count >= 3 ? speakers : speakers.fill(0);
}

/** Cuts a text into sections. O(text). */
function sectionsOf({ text }: Lines, units: readonly Unit[]): Section[] {
  const heads = units.flatMap(({ kind, said, end }, from) =>
    kind === HEADING || from === 0
      ? [{
        from,
        head: kind === HEADING
          ? text.slice(said, Math.min(end, said + WIDTH))
          : "",
      }]
      : []
  );
  const levels = heads.map(({ head }) => levelOf(head));
  const counts = countsOf(levels);
  return heads.map(({ from, head }, s) => {
    const level = levels[s] ?? 0;
    return {
      from,
      to: heads[s + 1]?.from ?? units.length,
      isMember: level >= 3 && (counts.get(level) ?? 0) >= MANY,
      isResult: RESULT_HEAD.test(head),
      isAside: ASIDE_HEAD.test(head),
    };
  });
}

/** 1 for the highest headings; those without marks are below all others. */
function levelOf(head: string): number {
  if (head === "") return 0;
  const marks = /^\s*(#+)/.exec(head)?.[1];
  return marks?.length ?? (/^[A-Z]{2}/.test(head) ? 2 : 7);
}

/** Failing lines in long code stay: the first ones of each block. */
function keepErrors({ lines, units }: Reading, weights: Uint8Array): void {
  if (!units.some(({ kind }) => kind === CODE)) return;
  const flags = severities(lines);
  let found = 0;
  for (const [u, { kind, line }] of units.entries()) {
    if (kind !== CODE) found = 0;
    else if ((codeAt(flags, line) & ERROR) !== 0 && found++ < 3) {
      weights[u] = STAYS;
    }
  }
}

/** The start of an item, an option and the heading of a member weigh as much as what is said of it. */
function keepHeads(units: readonly Unit[], weights: Uint8Array): void {
  let said = 0;
  let most = 0;
  for (let u = units.length - 1; u >= 0; u--) {
    const { kind = 0, opens = true, isListed = false } = units[u] ?? {};
    const weight = codeAt(weights, u);
    if (kind === HEADING) {
      weights[u] = Math.max(weight, most);
      said = most = 0;
      continue;
    }
    if (isListed && opens || kind === ROW) {
      weights[u] = Math.max(weight, said);
      said = 0;
    } else said = opens && !isListed ? 0 : Math.max(said, weight);
    most = Math.max(most, codeAt(weights, u));
  }
}

/** Whether a question ends at `end`. */
function asks(codes: Uint8Array, end: number): boolean {
  let last = end - 1;
  while (last > 0 && (codeAt(codes, last) <= 32 || codes[last] === 42)) last--;
  return codes[last] === 63;
}

/** How often each item is in a list. */
function countsOf<T>(items: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
