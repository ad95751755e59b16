/** Frames of stack traces: which lines they are, and whether they are in the user's code or in a library. @module */
import { lineHead, type Lines } from "../lines.ts";
import { matches } from "../sticky.ts";

/** The line is a frame in the user's code. */
export const USER_FRAME = 1;
/** The line is a frame in a library, in the runtime or in a framework. */
export const LIBRARY_FRAME = 2;

/** Units of a line that are looked at. */
const WIDTH = 400;
const TAB = 9;
const SPACE = 32;
const HASH = 35;
const NONE = 0;

/** What a frame starts with, behind blanks. */
const INDENTED =
  /(?:at (?=[^\n]{0,300}[(:])|File "|\d{1,4}: +(?:0x[0-9a-f]+ - )?[\w<_&]|#\d{1,4} |\S{1,300}\.go:\d|\d{1,4}: from |from \S{1,300}:\d|\S{1,300}\.rb:\d{1,6}:in |\.{3} \d+ (?:more|common frames))/y;
/** Frames of PHP and of debuggers, that need no blanks before them. */
const NUMBERED =
  /#\d{1,4} +(?:\S{1,300}\(\d+\): |\[internal function\]: |\{main\}|0x[0-9a-f]+ in )/y;
/** Frames of pytest in its short form: `src/store.py:41: in open`. */
const PYTEST = /^\S{1,300}\.py:\d{1,7}: in [\w<]/;
const RUST = /\s*\d{1,4}: +/y;
const RUST_PLACE = /\s+at \S+:\d+:\d+\s*$/;
const GO_PLACE = /^\s+\S+\.go:\d+(?: \+0x[0-9a-f]+)?\s*$/;
const GO_CALL = /^(?:created by )?\S+(?:\(|\sin goroutine|$)/;

const LIBRARY_PATH =
  /node_modules|site-packages|dist-packages|\bnode:|\(internal\/|\/lib(?:64)?\/python|<frozen|_pytest|pluggy|\/rustc\/|\.cargo\/registry|\/usr\/local\/go\/src\/|\/go\/src\/(?:runtime|net|testing|sync|reflect|io|os|encoding|database|internal|context|bufio|fmt|strconv|strings|bytes|errors|syscall|time)\/|\/libexec\/src\/|\/go\/pkg\/mod\/|\/gems\/|\/lib\/ruby\/|<internal:|\/vendor\/|\[internal function\]|\{main\}|\/usr\/(?:lib|include)\/|\bext:|\.{3} \d+ (?:more|common)/;
const LIBRARY_CALL =
  /\bat (?:async )?(?:[\w.@]+\/{1,2})?(?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|android|androidx|com\.android|dalvik|io\.netty|reactor|akka|System|Microsoft|Xunit|NUnit|org\.(?:springframework|apache|junit|gradle|hibernate|eclipse|mockito|codehaus|slf4j)|com\.(?:fasterxml|zaxxer|google\.common|intellij))\./;
const LIBRARY_CRATE =
  /\s*\d{1,4}: +(?:0x[0-9a-f]+ - )?<?(?:std|core|alloc|tokio|futures\w*|hyper|test|rayon|rust_\w+|__rust\w*|_?main$|__libc\w*|_start|start_thread|clone3?$|<unknown>)(?:\b|$)/y;

/**
 * Finds the frames. The two lines of a frame of Go or Rust are both frames, of the same sort.
 *
 * @returns One byte per line: {@linkcode USER_FRAME}, {@linkcode LIBRARY_FRAME} or 0. O(n).
 */
export function framesOf(lines: Lines): Uint8Array {
  const frames = new Uint8Array(lines.count);
  const { text, codes, starts } = lines;
  for (let line = 0; line < lines.count; line++) {
    const start = starts[line]!;
    const first = codes[start]!;
    const isIndented = first === SPACE || first === TAB;
    const end = Math.min(starts[line + 1]! - 1, start + WIDTH);
    if (!isIndented && first !== HASH) {
      if (isPytest(lines, { line, start, end })) {
        frames[line] = LIBRARY_PATH.test(text.slice(start, end))
          ? LIBRARY_FRAME
          : USER_FRAME;
      }
      continue;
    }
    let at = start;
    while (at < end && codes[at]! <= SPACE) at++;
    if (at >= end || !mayStart(codes[at]!)) continue;
    if (!matches(isIndented ? INDENTED : NUMBERED, text, at)) continue;
    frames[line] = sortOf(lines, { line, start, end }, frames);
  }
  return frames;
}

/** A frame's line, as far as it is looked at. */
interface Place {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Whether a line is a frame of pytest, with the source that is quoted below it. */
function isPytest({ text, codes, starts }: Lines, { line, start, end }: Place) {
  // The quoted source is indented, and a blank separates the place from the name.
  if (codes[starts[line + 1]!] !== SPACE) return false;
  const head = text.slice(start, end);
  return head.includes(".py:") && PYTEST.test(head);
}

function sortOf(
  lines: Lines,
  { line, start, end }: Place,
  frames: Uint8Array,
): number {
  const { text } = lines;
  const content = text.slice(start, end);
  const sort = LIBRARY_PATH.test(content) || LIBRARY_CALL.test(content)
    ? LIBRARY_FRAME
    : USER_FRAME;
  if (GO_PLACE.test(content)) {
    const call = headOf(lines, line - 1);
    if (frames[line - 1] === NONE && GO_CALL.test(call)) {
      frames[line - 1] = sort;
    }
    return sort;
  }
  if (RUST_PLACE.test(content) && isRust(lines, line - 1)) {
    // A place in the user's code does not make a call of the runtime the user's.
    if (sort === LIBRARY_FRAME) frames[line - 1] = sort;
    return frames[line - 1]!;
  }
  if (!matches(RUST, text, start)) return sort;
  if (matches(LIBRARY_CRATE, content, 0)) return LIBRARY_FRAME;
  const isCall = content.includes("::") || content.includes(": from ") ||
    RUST_PLACE.test(headOf(lines, line + 1));
  return isCall ? sort : NONE;
}

/** Whether a line is the first of a frame of Rust. */
function isRust(lines: Lines, line: number): boolean {
  return line >= 0 && matches(RUST, lines.text, lines.starts[line]!);
}

function headOf(lines: Lines, line: number): string {
  if (line < 0 || line >= lines.count) return "";
  return lineHead(lines, line, WIDTH);
}

/** `a`, `f`, `F`, `#`, `.`, `/`, digits, and letters a path may start with. */
function mayStart(code: number): boolean {
  return code === 97 || code === 102 || code === 70 || code === HASH ||
    (code >= 46 && code <= 57) || (code | 32) >= 97 && (code | 32) <= 122;
}
