/** Which parts of a user's text may be shortened: what programs wrote, and nobody is to edit. @module */
import type { ContentKind } from "../core/detector.ts";

/** A file above this many tokens is too large to be edited from one read. */
export const LARGE_FILE_TOKENS = 20_000;
/** A part of fewer tokens stays as it is. */
const MIN_TOKENS = 500;
/** Evidence, whatever is asked. */
const EVIDENCE: ReadonlySet<ContentKind> = new Set(["log", "search_results"]);
/** What a user may also want back, changed. */
const DATA: ReadonlySet<ContentKind> = new Set([
  "json",
  "table",
  "diff",
  "html",
]);
/** Files that hold such things, and files whose names do not say what they hold. */
const FILES =
  /(?:^|[\\/])[^.\\/]*$|\.(?:log|logs|out|err|txt|text|trace|dump|jsonl?|ndjson|har|csv|tsv|psv|tab|diff|patch|\d+)$/i;
/** Names of files that people write in JSON. */
const SETTINGS =
  /(?:^|[\\/])(?:[\w.-]*config[\w.-]*|package|composer|manifest|settings|deno|tasks|launch|\.[\w.-]+)\.json$/i;
/** Words that ask for nothing but to be told something. */
const ASKING =
  "explain|find|spot|check|debug|diagnose|analy[sz]e|investigate|inspect|examine|verify|summari[sz]e|look|compare|describe|understand|figure|thoughts|ideas|explanation|summary|overview|analysis";
const QUESTION = "why|what|what's|which|who|whose|where|when|how";
const AUXILIARY = "is|are|was|were|do|does|did|has|have|any";
/** Where a sentence or a part of one begins, with what is no word before the first one. */
const BEGIN = String
  .raw`(?:^|[?!(\n]|[.,;:]\s|\b(?:and|or|then)\s)(?:(?!\n)[\W\d_]){0,40}`;
/** Words before a verb that ask for nothing themselves. */
const BEFORE_VERB =
  "please|pls|so|but|also|now|just|maybe|and|or|then|can|could|would|will|you|anyone|hey|hi";
/** Whether something is asked. */
const ASKS = new RegExp(
  [
    // A question word elsewhere may belong to no question.
    String
      .raw`(?:${BEGIN}|\b(?:so|but|me|know|understand|see|out|wonder|hey|hi|please|exactly) )(?:${
      QUESTION.replace("|when", "")
    })\b(?! (?:about|if)\b)`,
    String.raw`\b(?:${QUESTION})\b(?! (?:about|if)\b)[^.!?\n]{0,200}\?`,
    String.raw`${BEGIN}(?:(?:so|but) )?(?:${AUXILIARY})\b[^.!?\n]{0,200}\?`,
    String.raw`\b(?:${ASKING})\b`,
  ].join("|"),
  "i",
);
/** A sentence or a part of one that may begin with any other verb, and so be an order. */
const ORDERS = new RegExp(
  String
    .raw`${BEGIN}(?:(?:${BEFORE_VERB})\b(?:(?!\n)[\W\d_]){1,5})*(?!(?:${BEFORE_VERB}|${QUESTION}|${AUXILIARY}|${ASKING}|had|tell me|help|let me know|see|take a look|give me an? (?:\w+ )?(?:summary|explanation|overview)|i|i'm|i've|i'd|we|we're|we've|it|it's|this|that|that's|these|those|they|he|she|the|our|my|your|there|there's|here|here's|an?|some|one|something|someone|somebody|nothing|for|from|in|on|at|since|after|before|if|because|while|during|thanks?|thx|cheers|hello|ok|okay|yes|sorry)(?!['\w]))[a-z]`,
  "i",
);
/** Words with which a user asks for a text to be changed, made into another one, given back or kept, wherever they are. */
const CHANGES = new RegExp(
  [
    String
      .raw`(?<!\b(?:the|these|those|this|that|my|your|our|what|which|an?|any|of) )\b(?:edit|chang|updat|modif|rewrit|refactor|renam|reformat|format|convert|translat|transform|transpos|migrat|add|remov|delet|drop|strip|trim|insert|replac|swap|sort|shuffl|revers|merg|combin|split|flatten|group|dedup|deduplicat|clean|appl|append|prepend|prefix|extend|continu|complet|prettif|minif|compact|indent|fill|improv|adjust|correct|fix|normali[sz]|locali[sz]|anonymi[sz]|redact|mask|hid|escap|encod|quot|uppercas|lowercas|capitali[sz]|doubl|increment|generat|creat|build|draw|render|sav|writ|stor|import|export|upload|commit|seed|copy|cop|past|repeat|echo|reproduc|extract|filter|revert|rephras|implement)(?:e|es|s|ing|ting|y|ies|ying)?\b`,
    String
      .raw`\b(?:verbatim|word for word|as it is|as is|(?:it|this|them|these|that|me) back|same but|instead|without the|into an?|turn(?:ed)? into|upper ?case|lower ?case|should (?:all )?be|should (?:it|this|that|they) look|would (?:it|this|that|these) look|look like (?:with|without|as|in|if)|must|possible to|a way to|able to|mind|why (?:don't|not)|each|every|all of (?:it|them|these)|spelling|typos?|grammar|(?:sort|group|order|convert|format|uppercas|lowercas|renam|replac|translat)ed|check(?: \w+)? in(?:to)?|put|make(?! (?:of|sense)\b))\b`,
    // What is wanted, other than to know.
    String
      .raw`(?:\b(?:wants?|needs?)|(?:'d|would) like)\b(?! (?:to (?:know|understand|find|see|check|debug|figure)|(?:your |some )?help|an? (?:explanation|summary))\b)`,
    String
      .raw`\b(?:as|to|into|in) (?:an? |the )?(?:yaml|json|jsonl|csv|tsv|xml|html|markdown|md|sql|toml|table|list|array|object|map|type|class|file|base64|(?:type|java)script|ts|js|python|rust|go|java|fixtures?)\b`,
    String
      .raw`\bthe (?:yaml|json|csv|tsv|xml|html|markdown|sql|table) (?:be|of|for|version)\b`,
    // A file to write; the last part of the name of a host is none.
    String
      .raw`\b(?:in|into|to|as|at|under|called|named) (?:(?:the|an?|my|our|new|file) ){0,3}["'\x60]?[\w./\\~@-]*\.(?!(?:com|org|net|io|dev|local)\b)[a-z]\w{0,9}\b(?!\.\w)`,
  ].join("|"),
  "i",
);
/** Some word or letter of another language than English: what is asked there is not understood here. */
const FOREIGN =
  /(?![a-z])\p{L}|\b(?:das|der|und|ist|bitte|les|une|est|ceci|las|los|esto|por|que|het|een|dit|uma|gli|questo)\b/iu;
/** UTF-16 units of what is said; of more than that the middle is not known. */
const MAX_SAID = 4000;
/** Code in fences, whose words are nobody's; what clients add; tags. */
const FENCED = /^ {0,3}(```|~~~)[^]*?^ {0,3}\1/gm;
const REMINDERS = /<system-reminder>[^]*?<\/system-reminder>/g;
const TAGS = /<\/?[a-z][^<>\n]{0,300}>/gi;
/** Where one record ends and the next begins; so many make a list of them. */
const NEXT_RECORD = /[}\]]\s*,?\s*[{[]/g;
const RECORDS = 8;

/** A part of a user's text. */
export interface PastedPart {
  /** What it is; `undefined` when no recogniser claimed it. */
  readonly kind: ContentKind | undefined;
  /** The part. */
  readonly text: string;
  /** File that it comes from; empty when unknown. */
  readonly path: string;
  /** What the user says around it. */
  readonly said: string;
  /** Counts its tokens. */
  readonly tokens: () => number;
}

/**
 * Says why a part stays as the user sent it.
 *
 * @returns A slug; `undefined` where it may be shortened. O(n).
 */
export function whyItStays(
  { kind, text, path, said, tokens }: PastedPart,
): string | undefined {
  if (kind === undefined) return "no_kind";
  // What stands in the wrapper is asked about next.
  if (kind === "wrapped") return undefined;
  if (!EVIDENCE.has(kind) && !DATA.has(kind)) return "own_words";
  if (path !== "" && !FILES.test(path)) return "may_be_edited";
  const count = tokens();
  if (count < MIN_TOKENS) return "too_small";
  if (EVIDENCE.has(kind) || count > LARGE_FILE_TOKENS) return undefined;
  const isWritten = kind === "json" &&
    (SETTINGS.test(path) || !isRecords(text));
  return isWritten || !asksOnly(said) ? "may_be_edited" : undefined;
}

/** Whether words ask about data and for nothing else, as far as is clear. */
function asksOnly(said: string): boolean {
  const words = said.replaceAll(REMINDERS, "\n").replaceAll("’", "'");
  if (words.length > MAX_SAID) return false;
  const own = words.replaceAll(FENCED, "\n").replaceAll(TAGS, "\n");
  return ASKS.test(own) && !ORDERS.test(own) &&
    !CHANGES.test(words) && !FOREIGN.test(words);
}

/** Whether a JSON text lists things of one kind, as programs do and settings seldom. */
function isRecords(text: string): boolean {
  let found = 0;
  for (const _ of text.matchAll(NEXT_RECORD)) {
    if (++found >= RECORDS) return true;
  }
  return false;
}
