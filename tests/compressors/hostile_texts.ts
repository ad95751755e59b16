/** Texts that no tool prints, and some that few print: each is made so long as is asked. @module */
import { randomSource } from "../bench/corpus.ts";

/** Makes a text of about so many UTF-16 units, the same on every run. */
export type MakeHostile = (length: number) => string;

/** The text again and again. */
function again(text: string): MakeHostile {
  return (length) => text.repeat(Math.max(1, Math.floor(length / text.length)));
}

/** Lines until the text is long enough. */
function lines(line: (i: number) => string): MakeHostile {
  return (length) => {
    const made: string[] = [];
    for (let size = 0; size < length;) {
      made.push(line(made.length));
      size += made.at(-1)!.length + 1;
    }
    return made.join("\n");
  };
}

/** An opening as often as a closing. */
function nested(open: string, close: string): MakeHostile {
  return (length) => {
    const depth = Math.floor(length / (open.length + close.length));
    return open.repeat(depth) + close.repeat(depth);
  };
}

/** Random characters from `from`, so many different ones. */
function random(from: number, many: number): MakeHostile {
  return (length) => {
    const next = randomSource(7);
    const codes = Array.from(
      { length },
      () => from + Math.floor(next() * many),
    );
    let text = "";
    for (let i = 0; i < length; i += 8192) {
      text += String.fromCharCode(...codes.slice(i, i + 8192));
    }
    return text;
  };
}

const LOG = "2026-03-01T08:00:01.730Z INFO request path=/a status=200 ms=41";
const TRACE = "    at handle (/home/dev/shop/src/server.js:27:3)";
const NEAR_MARKER = "[12 lines compressed to 3. Retrieve more: hash=";

const openers: Readonly<Record<string, MakeHostile>> = {
  "opening brackets": again("["),
  "opening tags": again("<a>"),
  "open objects": again('{"a":'),
  "open fences": again("```x\n"),
  "open strings": again('["a\n'),
  "opening braces": again("{"),
  "opening parentheses": again("("),
  "opening angles": again("<"),
  "double quotes": again('"'),
  "single quotes": again("'"),
  "back quotes": again("`"),
  "escaped quotes": again('\\"'),
  "backslashes": again("\\"),
  "block comments": again("/*"),
  "HTML comments": again("<!--"),
  "templates": again("{{"),
  "interpolations": again("`${"),
  "scripts": again("<script>"),
  "preformatted": again("<pre>\n"),
  "attributes": again("<a b "),
  "open attribute values": again('<a b="'),
  "character references": again("&amp"),
  "open fences of tildes": again("~~~\nx\n"),
  "open triple quotes": again('"""\nx\n'),
  "unclosed CSV": again('"a,b\n'),
  "sections": again("[a]\n"),
  "terminal codes": again("\x1b[31m"),
  "open terminal codes": again("\x1b["),
  "progress": again("50%\r"),
};

const nestings: Readonly<Record<string, MakeHostile>> = {
  "nested arrays": nested("[", "]"),
  "nested members": (length) => `${nested('{"a":', "}")(length)}`,
  "nested elements": nested("<div>\n", "</div>\n"),
  "nested quotes": lines((i) => `${"> ".repeat(i % 60)}a`),
  "nested lists": lines((i) => `${"  ".repeat(i % 60)}- a`),
  "nested keys": lines((i) => `${"  ".repeat(i % 60)}key${i}:`),
  "nested code": lines((i) =>
    `${"  ".repeat(i % 60)}${i % 120 < 60 ? "if (a) {" : "}"}`
  ),
  "nested fences": lines((i) => "`".repeat(3 + i % 60)),
  "nested tree": lines((i) => `${"│   ".repeat(i % 40)}├── a${i}`),
};

const longLines: Readonly<Record<string, MakeHostile>> = {
  "a line of one letter": again("a"),
  "a line of blanks": again(" "),
  "a line of dashes": again("-"),
  "a line of pipes": again("|"),
  "a line of numbers": again("1 "),
  "a line of slashes": again("a/"),
  "a line of words": again("word, and "),
  "a line of digits": again("7"),
  "a line of base64": (length) => random(65, 26)(length),
  "a line of fields": again("a=b "),
  "a line of commas": again("a,b,"),
  "a line of bars": again("a|b|"),
  "a line of tabs": again("a\t"),
  "a line of colons": again("a:1:"),
  "a line of sentences": again("This is so. "),
  "a line of code": again("function a(b){return b};"),
  "a line of times": again("2026-03-01T08:00:01.730Z "),
  "a line of hex": again("deadbeef"),
  "a line of JSON": again('{"a":1},'),
};

const manyLines: Readonly<Record<string, MakeHostile>> = {
  "newlines": again("\n"),
  "short lines": again("a: b\n"),
  "lines of one letter": again("a\n"),
  "lines of one digit": again("1\n"),
  "lines of a blank": again(" \n"),
  "lines of two returns": again("\r\n"),
  "lines of braces": again("{\n"),
  "lines of closing braces": again("}\n"),
  "lines of keys": again("a:\n"),
  "lines of entries": again("- a\n"),
  "lines of changes": again("+a\n-b\n"),
  "lines of hunks": again("@@ -1,9 +1,9 @@\n"),
  "headers of files": again("--- a/a\n+++ b/a\n"),
  "headers of diffs": again("diff --git a/a b/a\n"),
  "an endless hunk": (length) =>
    `--- a/a\n+++ b/a\n@@ -1,9999999 +1,9999999 @@\n${again(" a\n")(length)}`,
  "lines of rules": again("---\n"),
  "lines of bars": again("| a | b |\n"),
  "lines of headings": again("# a\n"),
  "lines of separators": again("--\n"),
  "lines of matches": lines((i) => `a.ts:${i}:b`),
  "lines of context": lines((i) => `a.ts-${i}-b`),
  "matches of many files": lines((i) => `src/a${i}.ts:1:b`),
  "numbered lines": lines((i) => `${i + 1}\ta`),
  "numbers that fall": lines((i) => `${1e6 - i}→a`),
  "lines of paths": lines((i) => `src/a/b/c${i}/d.ts`),
  "frames": again(`${TRACE}\n`),
  "causes": again("Caused by: java.lang.Exception: a\n\tat a.b(C.java:1)\n"),
  "tracebacks": again(
    'Traceback (most recent call last):\n  File "a.py", line 1, in a\nValueError: a\n',
  ),
  "failures": lines((i) => `ERROR failed: ${i}`),
  "different failures": lines((i) => `ERROR a${i * 7919 % 9973} failed b${i}`),
};

const equalOrNearly: Readonly<Record<string, MakeHostile>> = {
  "equal log lines": again(`${LOG}\n`),
  "equal rows of JSON": again('{"a":1,"b":"c"}\n'),
  "equal rows": again("a,b,c,1,2\n"),
  "equal paths": again("src/a/b/c.ts\n"),
  "equal sentences": again("The worker ended before its job was done.\n"),
  "equal code": again("const a = read(b, 1);\n"),
  "equal keys": again("a: b\nc: d\n"),
  "long common starts": lines((i) => `${"x".repeat(200)}${i}`),
  "long common ends": lines((i) => `${i}${"x".repeat(200)}`),
  "blocks that repeat": lines((i) => `step ${i % 97} of a block`),
  "blocks that nearly repeat": lines((i) =>
    i % 98 === 0 ? `${i}` : `step ${i % 97} of a block`
  ),
  "different words": lines((i) => `w${i} x${i * 31} y${i * 37} z${i * 41}`),
  "logs of different words": lines((i) =>
    `${LOG} k${i}=v${i} ${(i * 2_654_435_761 >>> 0).toString(36)}`
  ),
};

const mixtures: Readonly<Record<string, MakeHostile>> = {
  "alternating shapes": lines((i) =>
    [LOG, '{"a":1}', "+a", "a,b,c", "const a = 1;", "", "a.ts:1:b"][i % 7]!
  ),
  "logs and frames": lines((i) => i % 2 ? TRACE : LOG),
  "logs and JSON": lines((i) => i % 2 ? `{"a":${i}}` : LOG),
  "prose and fences": lines((i) => ["This is so.", "```", "a", "```"][i % 4]!),
  "prose and open fences": lines((i) => i % 2 ? "This is so." : "```ts"),
  "keys and text": lines((i) => i % 2 ? `a${i}: b` : "This is so."),
  "tags and text": lines((i) => i % 2 ? "<p>a" : "This is so."),
  "bars and text": lines((i) => i % 2 ? "| a | b |" : "This is so."),
  "numbers and blanks": lines((i) => i % 2 ? `${i}` : ""),
  "near markers": lines((i) => `${NEAR_MARKER}${i}`),
  "near markers in a line": again(NEAR_MARKER),
  "gap notes": lines((i) => `… lines ${i}-${i + 5} omitted`),
  "notes of repeats": lines((i) => `a ×${i}`),
  "hashes": lines((i) => `hash=${`${i}`.padStart(24, "a")}]`),
  "random bytes": random(0, 256),
  "random letters and line ends": (length) =>
    random(32, 96)(length).replaceAll("~", "\n"),
  "random characters": random(0, 65_536),
  "lone surrogates": again("\ud800a"),
};

/** Hostile texts by name, in groups. */
export const HOSTILE_TEXTS: Readonly<
  Record<string, Readonly<Record<string, MakeHostile>>>
> = {
  "what is never closed": openers,
  "deep nesting": nestings,
  "one line": longLines,
  "many lines": manyLines,
  "lines that are alike": equalOrNearly,
  "mixtures": mixtures,
};
