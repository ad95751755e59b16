/** Lines that only code starts like, and lines that no code starts like. @module */

/** Pattern of a line without its indentation, and how much it says. */
type Rule = readonly [RegExp, number];

/** Weight of what is never in code: a page of markup, a fence. */
const VETO = -99;

const MODIFIED: readonly Rule[] = [
  [/^\w+:$/, 3],
  [
    /^\w+\s+(?:(?:static|final|abstract|sealed|synchronized|default|partial|override|virtual|async|readonly|open|data|suspend|inline)\s+)*(?:class|interface|enum|record|struct|object|@interface|constructor|fun|func|val|var|let|def|delegate|get|set)\b/,
    3,
  ],
  [
    /^\w+\s+(?:(?:static|final|abstract|synchronized|default|readonly|async)\s+)*[\w.]+(?:<.*>)?(?:\[\])*\??\s+\w+\s*(?:[(;={]|$)/,
    2,
  ],
  [/^\w+\s+(?:static\s+|readonly\s+|async\s+)*[\w#]+\s*[(:?!=]/, 2],
];
const TYPED: readonly Rule[] = [
  [/^(?:unsigned\s+|long\s+)*\w+\s+\**\w+\s*(?:\(|\[|;|=)/, 2],
];
const BLOCK: readonly Rule[] = [[/[:{]\s*(?:(?:#|\/\/).*)?$/, 3]];

/** Rules by the first word of a line; the first that fits counts. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  import: [
    [
      /^import\s+(?:\($|type\b|[\w$*{][^"']*\sfrom\s+["']|\{|(?:static\s+)?\w+(?:\.\w+)+(?:\.\*)?;)/,
      3,
    ],
    [/^import\s+(?:\w+\s+)?["'][^"']+["'];?$/, 2],
    [
      /^import\s+(?:qualified\s+)?[A-Za-z_][\w.]*(?:\.[*_]|\s+as\s+\w+)?(?:,\s*[\w.]+)*\s*(?:#.*)?$/,
      2,
    ],
  ],
  from: [[/^from\s+\.*[\w.]*\s+import\b/, 3]],
  def: [[/^def\s+[\w.!?]+(?:\(.*)?(?:[:,(={)]|$)/, 3]],
  class: [
    [/^class\s+[\w$.]+(?:\([^()]*\))?:\s*(?:#.*)?$/, 3],
    [/^class\s+\w+\s*(?:final\s*)?:\s*(?:public|private|protected)\b/, 3],
    [/^class\s+[\w$]+(?:<.*>|\(.*)?\s*(?:extends\s|implements\s|\{$|;$)/, 2],
    [/^class\s+[A-Z]\w*(?:\s*[<(:].*)?$/, 2],
  ],
  elif: BLOCK,
  except: BLOCK,
  catch: BLOCK,
  try: [[/^try\s*[:{]/, 2]],
  with: [[/^with\s.*:\s*$/, 2]],
  if: [
    [/^if\s+(?:__name__\s*==|.*\berr\s*!=\s*nil\b|let\s+\w+\(|\[)/, 3],
    [/^if\s+[^({].*[^:]:\s*$|^if\s*\(.*[{)]$/, 2],
  ],
  for: [
    [/^for\s+.*:=\s*range\b/, 3],
    [/^for\s*\((?:const|let|var|auto|int|size_t)\s/, 2],
    [/^for\s+.*\sin\s.*(?:[:{]\s*|;\s*do)$/, 2],
  ],
  raise: [[/^raise\s+[A-Z]\w*(?:\(|$)/, 2]],
  throw: [[/^throw\s+new\s+\w+/, 2]],
  yield: [[/^yield\s+(?!return)[^;]*$/, 1]],
  async: [
    [/^async\s+def\s/, 4],
    [/^async\s+(?:function\b|\w+\(|\()/, 2],
  ],
  self: [[/^self\.\w+(?:\s*=|\().*$/, 1]],
  this: [[/^this\.\w+(?:\s*=|\().*;$/, 1]],
  const: [
    [/^const\s+(?:\($|[A-Z][A-Z0-9_]*:\s|[\w$]+\s*=.*[;({[`]\s*$|[{[])/, 3],
    [/^const\s+(?:[\w$]+\s*:.*=|\w+\s+\w+\s*=)/, 2],
    [/^const\s+[\w$]+\s*=/, 1],
  ],
  let: [
    [/^let\s+(?:mut\s|(?:Some|Ok|Err)\()/, 4],
    [/^let\s+(?:[\w$]+\s*(?::.*[=;]|;)|(?:[\w$]+|[{[(].*)\s*=.*[;({[]\s*$)/, 2],
    [/^let\s.*=/, 1],
  ],
  var: [
    [/^var\s+(?:\($|\w+\s+[\w*.[\]]+(?:\s*=.*)?$)/, 3],
    [/^var\s+[\w$]+\s*[=:]/, 1],
  ],
  function: [[/^function\s*\*?\s*[\w$:.]*\s*(?:<[^>]*>)?(?:\(|\{$)/, 3]],
  export: [
    [
      /^export\s+(?:declare\s+|abstract\s+)*(?:interface|type|enum|namespace|default|(?:async\s+)?function|class|const|let|var)\b|^export\s+[{*]/,
      4,
    ],
  ],
  interface: [[/^interface\s+\w+[^;]*\{?$/, 2]],
  type: [
    [/^type\s+\w+(?:<.*>)?\s*=/, 3],
    [
      /^type\s+(?:\($|\w+(?:\[.*\])?\s+(?:struct|interface|func|map\[|\[\]|\*|u?int|string))/,
      4,
    ],
  ],
  module: [[/^module\.exports\b/, 4], [/^module\s+[A-Z]\w*(?:::\w+)*$/, 2]],
  exports: [[/^exports\.\w+\s*=/, 3]],
  describe: [[/^describe(?:\.\w+)?\(?\s*["'`]/, 3]],
  it: [[/^it(?:\.\w+)?\(["'`]/, 2]],
  test: [[/^test(?:\.\w+)?\(["'`]/, 2]],
  package: [[/^package\s+[a-z_]\w*(?:\.\w+)*;?$/, 3]],
  func: [[/^func\s+(?:\([^)]*\)\s*)?\w+(?:\[.*\]|<.*>)?\(/, 3]],
  defer: [[/^defer\s+\w.*\(/, 3]],
  go: [[/^go\s+(?:func\b|\w[\w.]*\()/, 3]],
  fn: [[/^fn\s+\w+\s*(?:<.*>?)?\(/, 3]],
  pub: [
    [
      /^pub(?:\([\w ]+\))?\s+(?:fn|struct|enum|trait|mod|use|static|type|async|unsafe|const\s+(?:fn|\w+:))\b/,
      4,
    ],
    [/^pub(?:\([\w ]+\))?\s+\w+:\s/, 2],
  ],
  impl: [[/^impl\b[\s<]/, 4]],
  trait: [[/^trait\s+\w+/, 2]],
  use: [[/^use\s+(?:strict|warnings|[a-z_]\w*::|[A-Z]\w*[\\:])/, 3]],
  mod: [[/^mod\s+\w+\s*[;{]/, 3]],
  match: [[/^match\s.*[{:]$/, 2]],
  switch: [[/^switch\s.*\{$/, 2]],
  struct: [[/^struct\s+\w+(?:<.*>)?\s*(?:\{|$|;|\(|:)/, 2]],
  typedef: [[/^typedef\s/, 4]],
  template: [[/^template\s*</, 4]],
  namespace: [[/^namespace(?:\s+[\w:.\\]+)?\s*[{;]?$/, 3]],
  using: [[
    /^using\s+(?:namespace\s|\w+\s*=|\w+::|(?:static\s+)?[A-Z][\w.]*;)/,
    4,
  ]],
  enum: [[/^enum\s+(?:(?:class|struct)\s|\w+\s*\{)/, 2]],
  virtual: [[/^virtual\s/, 3]],
  constexpr: [[/^constexpr\s/, 3]],
  std: [[/^std::/, 2]],
  final: [[/^final\s+\w/, 2]],
  public: MODIFIED,
  private: MODIFIED,
  protected: MODIFIED,
  internal: MODIFIED,
  override: MODIFIED,
  suspend: MODIFIED,
  data: [[/^data\s+class\s/, 4]],
  static: [
    [/^static\s+\w+:\s/, 2],
    [
      /^static\s+(?:inline\s+|const\s+)*(?:struct\s+|unsigned\s+)?\w+\s*\**\s*\w+\s*[([;=]/,
      2,
    ],
  ],
  extern: [[/^extern\s+(?:"C"|crate\s|\w+\s+\**\w+)/, 3]],
  fun: [[/^fun\s+(?:<.*>\s*)?[\w.]+\(/, 4]],
  val: [[/^val\s+\w+\s*[:=]/, 3]],
  guard: [[/^guard\s.*\belse\b/, 4]],
  extension: [[/^extension\s+\w+/, 3]],
  local: [[/^local\s+(?:function\s|[\w, ]+=)/, 3]],
  my: [[/^my\s+[$@%(]/, 5]],
  sub: [[/^sub\s+\w+\s*\{/, 4]],
  defmodule: [[/^defmodule\s+\S+\s+do$/, 5]],
  object: [[/^object\s+\w+(?:\s.*)?\{$/, 3]],
  message: [[/^message\s+\w+\s*\{/, 4]],
  service: [[/^service\s+\w+\s*\{/, 3]],
  syntax: [[/^syntax\s*=\s*["']/, 5]],
  rpc: [[/^rpc\s+\w+\s*\(/, 4]],
  int: TYPED,
  void: TYPED,
  char: TYPED,
  double: TYPED,
  float: TYPED,
  long: TYPED,
  unsigned: TYPED,
  bool: TYPED,
  size_t: TYPED,
  boolean: [[/^boolean\s+\w+/, 2]],
  String: [[/^String(?:\[\])?\s+\w+\s*[=;(]/, 2]],
  "#": [
    [/^#\s*include\s*[<"]/, 3],
    [/^#\s*(?:define|ifdef|ifndef|undef|pragma)\s/, 2],
    [/^#!?\[\w/, 3],
    [/^#!.*\b(?:python|node|deno|bun|ruby|perl|sh|bash)\b/, 6],
  ],
  "@": [
    [
      /^@(?:Override|Test|Autowired|Nullable|Inject|property|staticmethod|classmethod|dataclass|pytest|abstractmethod)\b/,
      3,
    ],
    [/^@[A-Za-z][\w.]*(?:\(.*)?$/, 1],
  ],
  "<": [
    [/^<\?php/i, 6],
    [/^<(?:\?xml|!DOCTYPE|html|script|template|style)\b/i, VETO],
  ],
  "```": [[/^/, VETO]],
};

/** First characters that are words of their own. */
const SIGNS = "#@<";
const BY_WORD: ReadonlyMap<string, readonly Rule[]> = new Map(
  Object.entries(RULES),
);

/** Lines whose first word says nothing, by what must be in them. */
const ELSEWHERE: readonly (readonly [string, Rule])[] = [
  [" := ", [/^[\w.,\s]+ := \S/, 2]],
  ["=>", [/\)\s*=>\s*[{(]?$/, 1]],
  [": ", [
    /^(?:\w+|\.{3}\w+)\??: (?:string|number|boolean|unknown|readonly )/,
    2,
  ]],
  [" = require(", [/^[\w$]+ = require\(/, 3]],
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
  const rules = BY_WORD.get(firstWord(line));
  if (rules !== undefined) {
    return rules.find(([pattern]) => pattern.test(line))?.[1] ?? 0;
  }
  for (const [part, [pattern, weight]] of ELSEWHERE) {
    if (line.includes(part) && pattern.test(line)) return weight;
  }
  return 0;
}

/** The first word of a line; without regular expressions, as it is asked for every line of every text. */
function firstWord(line: string): string {
  let end = 0;
  while (end < line.length && isWordCode(line.charCodeAt(end))) end++;
  if (end > 0) return line.slice(0, end);
  if (line.startsWith("```")) return "```";
  return SIGNS.includes(line.charAt(0)) ? line.charAt(0) : "";
}

/** As `\w`. */
function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) ||
    code === 95 || (code >= 48 && code <= 57);
}
