/** Lines that only code in one language starts like, and lines that no code starts like. @module */

/** What a sign speaks for: a family of languages, something that is no code here, or what narrows a family down. */
export type Sign =
  | "c"
  | "go"
  | "java"
  | "js"
  | "python"
  | "rust"
  /** C++ and not C. */
  | "cpp"
  /** Elements in JavaScript or TypeScript. */
  | "jsx"
  /** A language without a grammar. */
  | "other";

/** Pattern of a line without its indentation, and what it speaks for with which weight. */
type Rule = readonly [RegExp, Partial<Readonly<Record<Sign, number>>>];

/** Rules by the first word of a line; the first that fits counts. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  import: [
    [/^import\s+\($/, { go: 3 }],
    [/^import\s+type\b/, { js: 3 }],
    [/^import\s+(?:[\w$*{][^"']*\sfrom\s+["']|\{)/, { js: 3 }],
    [/^import\s+'package:/, { other: 5 }],
    [/^import\s+"[^"]+"$/, { go: 2, js: 1 }],
    [/^import\s+["'][^"']+["'];?$/, { js: 2 }],
    [/^import\s+(?:static\s+)?\w+(?:\.\w+)+(?:\.\*)?;/, { java: 3 }],
    [/^import\s+(?:Foundation|SwiftUI|UIKit|Combine)$/, { other: 5 }],
    [
      /^import\s+[a-z_][\w.]*(?:\s+as\s+\w+)?(?:,\s*[\w.]+)*\s*(?:#.*)?$/,
      { python: 2 },
    ],
  ],
  from: [[/^from\s+\.*[\w.]*\s+import\b/, { python: 3 }]],
  def: [
    [/^def\s+\w+\(.*(?::|,|\()\s*(?:#.*)?$/, { python: 3 }],
    [/^def\s/, { other: 2 }],
  ],
  class: [
    [/^class\s+\w+(?:\([^()]*\))?:\s*(?:#.*)?$/, { python: 3 }],
    [/^class\s+\w+\s*(?:final\s*)?:\s*(?:public|private|protected)\b/, {
      c: 2,
      cpp: 3,
    }],
    [/^class\s+[\w$]+(?:<.*>)?\s+(?:extends|implements)\s/, { js: 2, java: 2 }],
    [/^class\s+\w+\s*\{$/, { js: 2, java: 1, c: 1, cpp: 2 }],
    [/^class\s+\w+;$/, { c: 2, cpp: 3 }],
    [/^class\s+[A-Z]\w*(?:\s*<\s*\w+)?$/, { other: 2 }],
  ],
  elif: [[/:\s*(?:#.*)?$/, { python: 3 }]],
  except: [[/:\s*(?:#.*)?$/, { python: 3 }]],
  try: [[/^try:/, { python: 2 }]],
  with: [[/^with\s.*:\s*$/, { python: 2 }]],
  if: [
    [/^if\s+__name__\s*==/, { python: 4 }],
    [/^if\s+.*\berr\s*!=\s*nil\b/, { go: 3 }],
    [/^if\s+\[/, { other: 3 }],
    [/^if\s+let\s+(?:Some|Ok|Err)\(/, { rust: 3 }],
    [/^if\s+[^({].*[^:]:\s*$/, { python: 2 }],
  ],
  for: [
    [/^for\s+.*:=\s*range\b/, { go: 3 }],
    [/^for\s+.*\sin\s.*:\s*$/, { python: 2 }],
    [/^for\s*\((?:const|let|var)\s/, { js: 2 }],
    [/^for\s*\((?:const\s+)?auto\b/, { c: 1, cpp: 3 }],
    [/^for\s+\S+.*\sin\s.*;\s*do\b/, { other: 3 }],
  ],
  raise: [[/^raise\s+[A-Z]\w*(?:\(|$)/, { python: 2 }]],
  yield: [[/^yield\s+(?!return)[^;]*$/, { python: 1 }]],
  async: [
    [/^async\s+def\s/, { python: 4 }],
    [/^async\s+(?:function\b|\w+\(|\()/, { js: 2 }],
  ],
  self: [[/^self\.\w+(?:\s*=|\().*[^;]$/, { python: 1 }]],
  const: [
    [/^const\s+\($/, { go: 3 }],
    [
      /^const\s+[A-Z][A-Z0-9_]*:\s*(?:&|[iu](?:\d|size)|f\d\d|\[|bool\b|Duration)/,
      { rust: 3 },
    ],
    [/^const\s+\w+\s*=.*\w::\w/, { rust: 2 }],
    [/^const\s+[\w$]+\s*:.*=/, { js: 2 }],
    [/^const\s+[\w$]+\s*=\s*@import/, { other: 5 }],
    [/^const\s+(?:[\w$]+|[{[].*)\s*=.*[;({[`]\s*$|^const\s+[{[]/, { js: 3 }],
    [/^const\s+(?:[\w$]+)\s*=/, { js: 1, go: 1 }],
    [/^const\s+\w+\s+\w+\s*=/, { go: 2, c: 1 }],
  ],
  let: [
    [/^let\s+mut\s/, { rust: 4 }],
    [/^let\s+(?:Some|Ok|Err)\(/, { rust: 4 }],
    [/^let\s+[\w$]+\s*:.*[=;]/, { js: 1, rust: 2 }],
    [/^let\s+(?:[\w$]+|[{[(].*)\s*=.*[;({[]\s*$/, { js: 1, rust: 1 }],
    [/^let\s+[\w$]+;/, { js: 2 }],
    [/^let\s.*=.*[^;({[]$/, { other: 1 }],
  ],
  var: [
    [/^var\s+\($/, { go: 3 }],
    [/^var\s+\w+\s+[\w*.[\]]+(?:\s*=.*)?$/, { go: 3 }],
    [/^var\s+[\w$]+\s*=.*[;({[]\s*$/, { js: 2, java: 1 }],
    [/^var\s+\w+\s*=/, { go: 1, js: 1 }],
  ],
  function: [
    [/^function\s*\*?\s*[\w$]*\s*(?:<[^>]*>)?\([^)]*\)\s*:/, { js: 3 }],
    [/^function\s*\*?\s*[\w$]*\s*(?:<[^>]*>)?\([^$]*$/, { js: 2 }],
    [/^function\s/, { other: 2 }],
  ],
  export: [
    [
      /^export\s+(?:declare\s+|abstract\s+)*(?:interface|type|enum|abstract|namespace)\b/,
      { js: 3 },
    ],
    [
      /^export\s+(?:default\b|(?:async\s+)?function\b|class\b|const\s|let\s|var\s|\{|\*)/,
      { js: 4 },
    ],
  ],
  interface: [[/^interface\s+\w+[^;]*\{?$/, { js: 2, java: 2 }]],
  readonly: [[/^readonly\s+\w+[?!]?:/, { js: 3 }]],
  type: [
    [/^type\s+\w+(?:<.*>)?\s*=.*/, { js: 3, rust: 1 }],
    [
      /^type\s+\w+(?:\[.*\])?\s+(?:struct|interface|func|map\[|\[\]|\*|u?int|string)/,
      { go: 4 },
    ],
    [/^type\s+\($/, { go: 3 }],
  ],
  module: [[/^module\.exports\b/, { js: 4 }]],
  exports: [[/^exports\.\w+\s*=/, { js: 3 }]],
  describe: [[/^describe(?:\.\w+)?\(["'`]/, { js: 3 }]],
  it: [[/^it(?:\.\w+)?\(["'`]/, { js: 2 }]],
  test: [[/^test(?:\.\w+)?\(["'`]/, { js: 2 }]],
  package: [
    [/^package\s+[a-z]\w*$/, { go: 3 }],
    [/^package\s+[a-z_]\w*(?:\.\w+)*;/, { java: 3 }],
    [/^package\s/, { other: 2 }],
  ],
  func: [
    [/^func\s.*->/, { other: 4 }],
    [/^func\s+(?:\([^)]*\)\s*)?\w+(?:\[.*\])?\(/, { go: 3 }],
  ],
  defer: [[/^defer\s+\w.*\(/, { go: 3 }]],
  go: [[/^go\s+(?:func\b|\w[\w.]*\()/, { go: 3 }]],
  fn: [[/^fn\s+\w+\s*(?:<.*>?)?\(/, { rust: 3 }]],
  pub: [
    [
      /^pub(?:\([\w ]+\))?\s+(?:fn|struct|enum|trait|mod|use|static|type|async|unsafe|const\s+(?:fn|\w+:))\b/,
      { rust: 4 },
    ],
    [/^pub(?:\([\w ]+\))?\s+\w+:\s/, { rust: 2 }],
  ],
  impl: [[/^impl\b/, { rust: 4 }]],
  trait: [[/^trait\s+\w+/, { rust: 2 }]],
  use: [
    [/^use\s+(?:strict|warnings)\b/, { other: 5 }],
    [/^use\s+(?:std|core|crate|super|self|[a-z_]\w*)(?:::)/, { rust: 3 }],
    [/^use\s+[A-Z]\w*[\\:]/, { other: 3 }],
  ],
  mod: [[/^mod\s+\w+\s*[;{]/, { rust: 3 }]],
  match: [
    [/^match\s.*\{$/, { rust: 3 }],
    [/^match\s.*:$/, { python: 2 }],
  ],
  struct: [
    [/^struct\s+\w+\s*:/, { other: 2 }],
    [/^struct\s+\w+(?:<.*>)?\s*(?:\{|$|;|\()/, { c: 2, rust: 2 }],
  ],
  typedef: [[/^typedef\s/, { c: 4 }]],
  template: [[/^template\s*</, { c: 2, cpp: 4 }]],
  namespace: [
    [/^namespace\s+\w+(?:\.\w+)+/, { other: 4 }],
    [/^namespace(?:\s+[\w:]+)?\s*\{?$/, { c: 2, cpp: 3 }],
  ],
  using: [
    [/^using\s+(?:namespace\s|\w+\s*=|\w+::)/, { c: 2, cpp: 4 }],
    [/^using\s+(?:static\s+)?[A-Z][\w.]*;/, { other: 5 }],
  ],
  enum: [
    [/^enum\s+(?:class|struct)\s/, { c: 2, cpp: 3 }],
    [/^enum\s+\w+\s*\{/, { c: 1, java: 1, js: 1, rust: 1 }],
  ],
  virtual: [[/^virtual\s/, { c: 2, cpp: 3 }]],
  constexpr: [[/^constexpr\s/, { c: 2, cpp: 3 }]],
  std: [[/^std::/, { c: 1, cpp: 2, rust: 1 }]],
  final: [[/^final\s+\w/, { java: 2 }]],
  public: accessRules(),
  private: accessRules(),
  protected: accessRules(),
  static: [
    [/^static\s+\w+:\s/, { rust: 2, js: 1 }],
    [
      /^static\s+(?:inline\s+|const\s+)*(?:struct\s+)?\w+\s*\**\s*\w+\s*[([;=]/,
      {
        c: 2,
        java: 1,
      },
    ],
  ],
  fun: [[/^fun\s/, { other: 5 }]],
  val: [[/^val\s/, { other: 3 }]],
  override: [[/^override\s+(?:fun|func|val|var|def)\s/, { other: 5 }]],
  guard: [[/^guard\s/, { other: 4 }]],
  extension: [[/^extension\s+\w+/, { other: 3 }]],
  end: [[/^end[;,)]?$/, { other: 3 }]],
  local: [[/^local\s/, { other: 3 }]],
  my: [[/^my\s+[$@%(]/, { other: 5 }]],
  sub: [[/^sub\s+\w+\s*\{/, { other: 4 }]],
  defmodule: [[/^defmodule\s/, { other: 5 }]],
  require: [[/^require\s+['"]/, { other: 4 }]],
  fi: [[/^fi\b/, { other: 4 }]],
  done: [[/^done\b/, { other: 4 }]],
  esac: [[/^esac\b/, { other: 4 }]],
  then: [[/^then\b/, { other: 3 }]],
  echo: [[/^echo\s/, { other: 3 }]],
  object: [[/^object\s+\w+/, { other: 3 }]],
  message: [[/^message\s+\w+\s*\{/, { other: 4 }]],
  syntax: [[/^syntax\s*=/, { other: 5 }]],
  int: typedRules(),
  void: typedRules(),
  char: typedRules(),
  double: typedRules(),
  float: typedRules(),
  long: typedRules(),
  unsigned: typedRules(),
  bool: typedRules(),
  boolean: [[/^boolean\s+\w+/, { java: 2 }]],
  size_t: typedRules(),
  String: [[/^String(?:\[\])?\s+\w+\s*[=;(]/, { java: 2 }]],
  "#": [
    [/^#\s*include\s*<\w+>/, { c: 3, cpp: 2 }],
    [/^#\s*include\s*[<"]/, { c: 3 }],
    [/^#\s*(?:define|ifdef|ifndef|undef|pragma)\s/, { c: 2 }],
    [/^#!?\[\w/, { rust: 3 }],
    [/^#!.*\b(?:python)/, { python: 6 }],
    [/^#!.*\b(?:node|deno|bun)\b/, { js: 6 }],
    [/^#!/, { other: 999 }],
  ],
  "@": [
    [/^@(?:Override|Test|Autowired|Nullable|Inject)\b/, { java: 3 }],
    [
      /^@(?:property|staticmethod|classmethod|dataclass|pytest|abstractmethod)\b/,
      { python: 3 },
    ],
    [/^@[\w.]+(?:\(.*)?$/, { python: 1, java: 1, js: 1 }],
  ],
  "<": [
    [/^<(?:\?php|\?xml|!DOCTYPE|html|script|template|style)\b/i, {
      other: 999,
    }],
    [/^<\/?[A-Za-z][\w.]*(?:[\s>/]|$)/, { jsx: 1 }],
  ],
  "```": [[/^/, { other: 20 }]],
  "$": [[/^\$(?:\w|\{)/, { other: 2 }]],
};

/** First characters that are words of their own. */
const SIGNS = "#@<$";
const BY_WORD: ReadonlyMap<string, readonly Rule[]> = new Map(
  Object.entries(RULES),
);

/** Lines whose first word says nothing, by what must be in them. */
const ELSEWHERE: readonly (readonly [string, Rule])[] = [
  [" := ", [/^[\w.,\s]+ := \S/, { go: 2 }]],
  ["=>", [/\)\s*=>\s*[{(]?$/, { js: 1 }]],
  [": ", [
    /^(?:\w+|\.{3}\w+)\??: (?:string|number|boolean|unknown|readonly )/,
    { js: 2 },
  ]],
  [" = require(", [/^[\w$]+ = require\(/, { js: 3 }]],
];

/** The start of a line that is no code. */
const NO_CODE =
  /^(?:~~~|#{2,6} \S|[-+*] \S|\d+[.)] |@@ |diff |index [0-9a-f]{6}|[+-]{3} |\d+(?:\t|→|\||: )|\[?\d{4}-\d\d|\$ |>>> ?\w|==> |Traceback \(|File "|[^\s:(]+:\d+(?::|-)|at \S+ \(|[A-Z]+ \||[\w.-]+@[\w.-]+[:~])/;
/** Signs that such a line has, and words that it starts with where it has none of them. */
const NO_CODE_SIGNS = /[:|@)\d]/;
const NO_CODE_WORDS = "dait";
/** What lines of code in most languages end in, and what they start like otherwise. */
const CODE_ENDS = ";{}(),:[]=>\\";
const CODE_STARTS = /^(?:return|break)\b|^[\w.$]+(?:\[.*\])? [-+*/|&]?= \S/;

/** A rule list of the words that say who may use a member. */
function accessRules(): readonly Rule[] {
  return [
    [/^\w+:$/, { c: 2, cpp: 3 }],
    [
      /^\w+\s+(?:static\s+|final\s+|abstract\s+|sealed\s+)*(?:class|interface|enum|record|@interface)\s/,
      { java: 3 },
    ],
    [/^\w+\s+(?:readonly|constructor|async|get|set)\b/, { js: 3 }],
    [
      /^\w+\s+(?:static\s+|final\s+|abstract\s+|synchronized\s+|default\s+)*[\w.]+(?:<.*>)?(?:\[\])*\s+\w+\s*(?:[(;=]|$)/,
      { java: 2 },
    ],
    [/^\w+\s+(?:static\s+)?[\w#]+\s*[(:?!=]/, { js: 2, java: 1 }],
    [/^\w+\s+(?:fun|val|func|let|def|partial|virtual|delegate)\b/, {
      other: 4,
    }],
  ];
}

/** A rule list of the names of plain types. */
function typedRules(): readonly Rule[] {
  return [[
    /^(?:unsigned\s+|long\s+)*\w+\s+\**\w+\s*(?:\(|\[|;|=)/,
    { c: 2, java: 1 },
  ]];
}

/** What one line says. */
export interface LineSigns {
  /** Weights; `undefined` when it says nothing. */
  readonly weights: Rule[1] | undefined;
  /** Whether it looks like code in some language. */
  readonly isCode: boolean;
  /** Whether it looks like something else. */
  readonly isOther: boolean;
}

/** Reads one line without its indentation, not empty. A few short patterns at most. */
export function signsOf(line: string): LineSigns {
  const weights = weightsOf(line);
  if (weights !== undefined) {
    return { weights, isCode: weights.other === undefined, isOther: false };
  }
  const isOther = isNoCode(line);
  return { weights, isCode: !isOther && isCodeLike(line), isOther };
}

/** Most lines are decided by their first letter. */
function isNoCode(line: string): boolean {
  const first = line.charCodeAt(0);
  const isSmall = first >= 97 && first <= 122;
  return (!isSmall || NO_CODE_WORDS.includes(line[0]!) ||
    NO_CODE_SIGNS.test(line)) && NO_CODE.test(line);
}

function isCodeLike(line: string): boolean {
  return CODE_ENDS.includes(line[line.length - 1]!) ||
    (line.includes(")") && line.includes("(")) || CODE_STARTS.test(line);
}

/** The first word of a line; without regular expressions, as it is asked for every line of every text. */
function firstWord(line: string): string {
  let end = 0;
  while (end < line.length && isWordCode(line.charCodeAt(end))) end++;
  if (end > 0) return line.slice(0, end);
  if (SIGNS.includes(line[0]!)) return line[0]!;
  return line.startsWith("```") ? "```" : "";
}

/** As `\w`. */
function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) ||
    code === 95 || (code >= 48 && code <= 57);
}

function weightsOf(line: string): Rule[1] | undefined {
  const rules = BY_WORD.get(firstWord(line));
  if (rules !== undefined) {
    for (const [pattern, weights] of rules) {
      if (pattern.test(line)) return weights;
    }
    return undefined;
  }
  for (const [part, [pattern, weights]] of ELSEWHERE) {
    if (line.includes(part) && pattern.test(line)) return weights;
  }
  return undefined;
}
