/** Lines that only code starts like, and lines that no code starts like. @module */
import { addTo } from "../../text/counts.ts";

/** How much a line says that fits a pattern, indentation left out; the words that it may start with; patterns. */
type Rule = readonly [number, string, readonly RegExp[]];

/** Weight of what is never in code: a page of markup, a fence. */
const VETO = -99;

/** Words that lines may start with: that of each pattern, or these. */
const OWN = "";
const MODIFIERS = "public private protected internal override suspend";
const TYPES = "int void char double float long unsigned bool size_t";

/** Rules by how much they say, the most first; of those for the first word of a line the first that fits counts. */
const RULES: readonly Rule[] = [
  [6, OWN, [/^#!.*\b(?:python|node|deno|bun|ruby|perl|sh|bash)\b/, /^<\?php/i]],
  [5, OWN, [/^my\s+[$@%(]/, /^defmodule\s+\S+\s+do$/, /^syntax\s*=\s*["']/]],
  [4, OWN, [
    /^async\s+def\s/,
    /^let\s+(?:mut\s|(?:Some|Ok|Err)\()/,
    /^export\s+(?:declare\s+|abstract\s+)*(?:interface|type|enum|namespace|default|(?:async\s+)?function|class|const|let|var)\b|^export\s+[{*]/,
    /^type\s+(?:\($|\w+(?:\[.*\])?\s+(?:struct|interface|func|map\[|\[\]|\*|u?int|string))/,
    /^module\.exports\b/,
    /^pub(?:\([\w ]+\))?\s+(?:fn|struct|enum|trait|mod|use|static|type|async|unsafe|const\s+(?:fn|\w+:))\b/,
    /^impl\b[\s<]/,
    /^typedef\s/,
    /^template\s*</,
    /^using\s+(?:namespace\s|\w+\s*=|\w+::|(?:static\s+)?[A-Z][\w.]*;)/,
    /^data\s+class\s/,
    /^fun\s+(?:<.*>\s*)?[\w.]+\(/,
    /^guard\s.*\belse\b/,
    /^rpc\s+\w+\s*\(/,
  ]],
  [4, "message sub", [/^\w+\s+\w+\s*\{/]],
  [4, "CREATE ALTER DROP GRANT INSERT create alter drop grant insert", [
    /^\w+\s+(?:(?:or\s+replace|unique|only|temp|temporary)\s+)*(?:table|index|view|type|function|procedure|trigger|sequence|schema|extension|into|select|insert|update|all)\b[\s,]./i,
  ]],
  [3, OWN, [
    /^import\s+(?:\($|type\b|[\w$*{][^"']*\sfrom\s+["']|\{|(?:static\s+)?\w+(?:\.\w+)+(?:\.\*)?;)/,
    /^from\s+\.*[\w.]*\s+import\b/,
    /^def\s+[\w.!?]+(?:\(.*)?(?:[:,(={)]|$)/,
    /^class\s+[\w$.]+(?:\([^()]*\))?:\s*(?:#.*)?$/,
    /^class\s+\w+\s*(?:final\s*)?:\s*(?:public|private|protected)\b/,
    /^if\s+(?:__name__\s*==|.*\berr\s*!=\s*nil\b|let\s+\w+\(|\[)/,
    /^for\s+.*:=\s*range\b/,
    /^const\s+(?:\($|[A-Z][A-Z0-9_]*:\s|[\w$]+\s*=.*[;({[`]\s*$|[{[])/,
    /^var\s+(?:\($|\w+\s+[\w*.[\]]+(?:\s*=.*)?$)/,
    /^function\s*\*?\s*[\w$:.]*\s*(?:<[^>]*>)?(?:\(|\{$)/,
    /^type\s+\w+(?:<.*>)?\s*=/,
    /^exports\.\w+\s*=/,
    /^describe(?:\.\w+)?\(?\s*["'`]/,
    /^package\s+[a-z_]\w*(?:\.\w+)*;?$/,
    /^func\s+(?:\([^)]*\)\s*)?\w+(?:\[.*\]|<.*>)?\(/,
    /^defer\s+\w.*\(/,
    /^go\s+(?:func\b|\w[\w.]*\()/,
    /^fn\s+\w+\s*(?:<.*>?)?\(/,
    /^use\s+(?:strict|warnings|[a-z_]\w*::|[A-Z]\w*[\\:])/,
    /^mod\s+\w+\s*[;{]/,
    /^namespace(?:\s+[\w:.\\]+)?\s*[{;]?$/,
    /^constexpr\s/,
    /^extern\s+(?:"C"|crate\s|\w+\s+\**\w+)/,
    /^val\s+\w+\s*[:=]/,
    /^local\s+(?:function\s|[\w, ]+=)/,
    /^object\s+\w+(?:\s.*)?\{$/,
    /^#\s*include\s*[<"]/,
    /^#!?\[\w/,
    /^@(?:Override|Test|Autowired|Nullable|Inject|property|staticmethod|classmethod|dataclass|pytest|abstractmethod)\b/,
  ]],
  [3, "virtual extension", [/^\w+\s+\S/]],
  [3, "service", [/^\w+\s+\w+\s*\{/]],
  [3, "elif except catch", [/[:{]\s*(?:(?:#|\/\/).*)?$/]],
  [3, MODIFIERS, [
    /^\w+:$/,
    /^\w+\s+(?:(?:static|final|abstract|sealed|synchronized|default|partial|override|virtual|async|readonly|open|data|suspend|inline)\s+)*(?:class|interface|enum|record|struct|object|@interface|constructor|fun|func|val|var|let|def|delegate|get|set)\b/,
  ]],
  [2, OWN, [
    /^import\s+(?:\w+\s+)?["'][^"']+["'];?$/,
    /^import\s+(?:qualified\s+)?[A-Za-z_][\w.]*(?:\.[*_]|\s+as\s+\w+)?(?:,\s*[\w.]+)*\s*(?:#.*)?$/,
    /^class\s+[\w$]+(?:<.*>|\(.*)?\s*(?:extends\s|implements\s|\{$|;$)/,
    /^class\s+[A-Z]\w*(?:\s*[<(:].*)?$/,
    /^try\s*[:{]/,
    /^with\s.*:\s*$/,
    /^if\s+[^({].*[^:]:\s*$|^if\s*\(.*[{)]$/,
    /^for\s*\((?:const|let|var|auto|int|size_t)\s/,
    /^for\s+.*\sin\s.*(?:[:{]\s*|;\s*do)$/,
    /^raise\s+[A-Z]\w*(?:\(|$)/,
    /^throw\s+new\s+\w+/,
    /^async\s+(?:function\b|\w+\(|\()/,
    /^const\s+(?:[\w$]+\s*:.*=|\w+\s+\w+\s*=)/,
    /^let\s+(?:[\w$]+\s*(?::.*[=;]|;)|(?:[\w$]+|[{[(].*)\s*=.*[;({[]\s*$)/,
    /^interface\s+\w+[^;]*\{?$/,
    /^module\s+[A-Z]\w*(?:::\w+)*$/,
    /^pub(?:\([\w ]+\))?\s+\w+:\s/,
    /^match\s.*[{:]$/,
    /^switch\s.*\{$/,
    /^struct\s+\w+(?:<.*>)?\s*(?:\{|$|;|\(|:)/,
    /^enum\s+(?:(?:class|struct)\s|\w+\s*\{)/,
    /^std::/,
    /^static\s+\w+:\s/,
    /^static\s+(?:inline\s+|const\s+)*(?:struct\s+|unsigned\s+)?\w+\s*\**\s*\w+\s*[([;=]/,
    /^String(?:\[\])?\s+\w+\s*[=;(]/,
    /^#\s*(?:define|ifdef|ifndef|undef|pragma)\s/,
  ]],
  [2, "it test", [/^\w+(?:\.\w+)?\(["'`]/]],
  [2, "trait final boolean", [/^\w+\s+\w/]],
  [2, MODIFIERS, [
    /^\w+\s+(?:(?:static|final|abstract|synchronized|default|readonly|async)\s+)*[\w.]+(?:<.*>)?(?:\[\])*\??\s+\w+\s*(?:[(;={]|$)/,
    /^\w+\s+(?:static\s+|readonly\s+|async\s+)*[\w#]+\s*[(:?!=]/,
  ]],
  [2, TYPES, [/^(?:unsigned\s+|long\s+)*\w+\s+\**\w+\s*(?:\(|\[|;|=)/]],
  [1, OWN, [
    /^yield\s+(?!return)[^;]*$/,
    /^self\.\w+(?:\s*=|\().*$/,
    /^this\.\w+(?:\s*=|\().*;$/,
    /^const\s+[\w$]+\s*=/,
    /^let\s.*=/,
    /^var\s+[\w$]+\s*[=:]/,
    /^@[A-Za-z][\w.]*(?:\(.*)?$/,
  ]],
  [VETO, OWN, [/^<(?:\?xml|!DOCTYPE|html|script|template|style)\b/i, /^```/]],
];

/** The first word of a line; some characters are words of their own. */
const FIRST_WORD = /^(?:\w+|```|[#@<])/;
const BY_WORD = new Map<string, (readonly [number, RegExp])[]>();
for (const [weight, words, patterns] of RULES) {
  for (const pattern of patterns) {
    const [own = ""] = /(?<=^\^)(?:\w+|`+|.)/.exec(pattern.source) ?? [];
    for (const word of (words || own).split(" ")) {
      addTo(BY_WORD, word, [weight, pattern]);
    }
  }
}

/** Lines whose first word says nothing, by what must be in them. */
const ELSEWHERE: readonly (readonly [string, number, RegExp])[] = [
  [" := ", 2, /^[\w.,\s]+ := \S/],
  ["=>", 1, /\)\s*=>\s*[{(]?$/],
  [": ", 2, /^(?:\.{3})?\w+\??: (?:string|number|boolean|unknown|readonly )/],
  [" = require(", 3, /^[\w$]+ = require\(/],
];

/** The start of a line that is no code. */
const NO_CODE =
  /^(?:~~~|#{2,6} \S|[-+*] \S|\d+[.)] |@@ |diff |index [0-9a-f]{6}|[+-]{3} |\d+(?:\t|→|\||: )|\[?\d{4}-\d\d|\$ |>>> ?\w|==> |Traceback \(|File "|[^\s:(]+:\d+(?::|-)|at \S+ \(|[A-Z]+ \||[^\s(]+\(\d+(?:,\d+)?\): |\w+\(.*\) += -?\d|[\w.-]+@[\w.-]+[:~])/;
/** What lines of code in most languages end in, and what they start like otherwise. */
const CODE_ENDS = ";{}(),:[]=>\\";
const CODE_STARTS =
  /^(?:return|break)\b|^(?:end|else|begin|fi|done)$|^[\w.$]+(?:\[.*\])? [-+*/|&]?= \S/;

/** What one line says. */
export interface LineSigns {
  /** How much it speaks for code; below 0 where it can be in none. */
  readonly weight: number;
  /** Whether it looks like code. */
  readonly isCode: boolean;
  /** Whether it looks like something else. */
  readonly isOther: boolean;
}

/** Reads one line without its indentation, not empty. A few short patterns at most. */
export function signsOf(line: string): LineSigns {
  const weight = weightOf(line);
  if (weight !== 0) return { weight, isCode: weight > 0, isOther: weight < 0 };
  const isOther = NO_CODE.test(line);
  return { weight, isCode: !isOther && isCodeLike(line), isOther };
}

function isCodeLike(line: string): boolean {
  return CODE_ENDS.includes(line.slice(-1)) ||
    (line.includes(")") && line.includes("(")) || CODE_STARTS.test(line);
}

function weightOf(line: string): number {
  const rules = BY_WORD.get(FIRST_WORD.exec(line)?.[0] ?? "");
  if (rules !== undefined) {
    return rules.find(([, pattern]) => pattern.test(line))?.[0] ?? 0;
  }
  for (const [part, weight, pattern] of ELSEWHERE) {
    if (line.includes(part) && pattern.test(line)) return weight;
  }
  return 0;
}
