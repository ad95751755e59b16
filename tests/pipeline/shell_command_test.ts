import assert from "node:assert/strict";
import fc from "fast-check";
import {
  commandOfWords,
  MAX_LINE,
  parseShellLine,
  programOf,
  type ShellCommand,
} from "../../src/pipeline/shell_command.ts";
import { assertLinear } from "../cpu_time.ts";

/** Words of every command, pipelines apart. */
function words(line: string): readonly (readonly (readonly string[])[])[] {
  return parseShellLine(line).map((pipeline) =>
    pipeline.map((command) => command.words)
  );
}

function only(line: string): ShellCommand {
  const pipelines = parseShellLine(line);
  assert.equal(pipelines.length, 1, line);
  assert.equal(pipelines[0]!.length, 1, line);
  return pipelines[0]![0]!;
}

Deno.test("parseShellLine splits at operators and line feeds", () => {
  assert.deepEqual(words("a 1 | b 2 |& c && d; e || f & g\nh"), [
    [["a", "1"], ["b", "2"], ["c"]],
    [["d"]],
    [["e"]],
    [["f"]],
    [["g"]],
    [["h"]],
  ]);
});

Deno.test("parseShellLine keeps operators in quotes, escapes and substitutions", () => {
  assert.deepEqual(
    words(`a 'x | y' "p; \\"q" r\\;s $(t | u ")" ) \`v;w\``),
    [[["a", "x | y", 'p; "q', "r;s", "$_", "`v", "w`"]]],
  );
});

Deno.test("parseShellLine joins continued lines and goes on after a trailing pipe", () => {
  assert.deepEqual(words("cat a \\\n  b |\n head -n 3"), [
    [["cat", "a", "b"], ["head", "-n", "3"]],
  ]);
});

Deno.test("parseShellLine passes over comments but not over # in a word", () => {
  assert.deepEqual(words("# first\ncat a#b c # | tail\nls"), [
    [["cat", "a#b", "c"]],
    [["ls"]],
  ]);
});

Deno.test("parseShellLine passes over the bodies of here-documents", () => {
  assert.deepEqual(
    words("cat <<'EOF' > out\ncat secret\nEOF\nls <<-X\n\tcat y\n\tX\npwd"),
    [[["cat"]], [["ls"]], [["pwd"]]],
  );
});

for (
  const [line, redirected] of [
    ["cat f > out", true],
    ["cat f >> out", true],
    ["cat f 1> out", true],
    ["cat f &> out", true],
    ["cat f &>> out", true],
    ["cat f >| out", true],
    ["cat f >& out", true],
    ["cat f >(wc)", false],
    ["cat f > >(wc)", true],
    ["cat f 2> /dev/null", false],
    ["cat f 2>&1", false],
    ["cat f >&2", false],
    ["cat 'a > b'", false],
  ] as const
) {
  Deno.test(`parseShellLine says whether output goes to a file: ${line}`, () => {
    assert.equal(only(line).redirected, redirected);
  });
}

Deno.test("parseShellLine names the file that input comes from", () => {
  const command = only("cat < in.txt 2>/dev/null");
  assert.equal(command.input, "in.txt");
  assert.deepEqual(command.words, ["cat"]);
  assert.equal(only("cat <<< text").input, undefined);
});

for (
  const [line, expected] of [
    ["A=1 B='x y' cat f", ["cat", "f"]],
    ["sudo -u root -E cat f", ["cat", "f"]],
    ["env -u HOME LANG=C nice -n 10 cat f", ["cat", "f"]],
    ["timeout -k 1 5s stdbuf -oL cat f", ["cat", "f"]],
    ["time nohup /usr/bin/ionice -c 3 cat f", ["cat", "f"]],
    ["do cat f", ["cat", "f"]],
    ["! { cat f", ["cat", "f"]],
    ["sudo", []],
    ["X=1", []],
  ] as const
) {
  Deno.test(`parseShellLine peels: ${line}`, () => {
    assert.deepEqual(only(line).words, expected);
  });
}

Deno.test("parseShellLine knows xargs", () => {
  const [[, command]] = parseShellLine("ls | xargs -0 -I {} cat {}") as [
    [ShellCommand, ShellCommand],
  ];
  assert.deepEqual(command.words, ["cat", "{}"]);
  assert.equal(command.viaXargs, true);
});

Deno.test("parseShellLine reads the script of sh -c, to a bounded depth", () => {
  const { inner } = only(`bash -lc "cd x && cat 'a b'"`);
  assert.deepEqual(inner.map((p) => p.map((c) => c.words)), [
    [["cd", "x"]],
    [["cat", "a b"]],
  ]);
  let depth = 0;
  const nested = (line: string): string => `sh -c ${JSON.stringify(line)}`;
  let command = only(nested(nested(nested(nested(nested("cat f"))))));
  while (command.inner.length > 0) {
    command = command.inner[0]![0]!;
    depth++;
  }
  assert.equal(depth, 3);
});

Deno.test("commandOfWords takes an argument list as it is", () => {
  const { inner, words } = commandOfWords(["bash", "-lc", "cat a | head"]);
  assert.equal(words.length, 3);
  assert.deepEqual(inner.map((p) => p.map((c) => c.words)), [
    [["cat", "a"], ["head"]],
  ]);
  assert.deepEqual(commandOfWords([]).words, []);
});

Deno.test("programOf takes the base name", () => {
  assert.equal(programOf("/usr/bin/cat"), "cat");
  assert.equal(programOf("svc.exe"), "svc");
});

Deno.test("parseShellLine reads nothing above its size bound and nothing that the word splitter refuses", () => {
  assert.deepEqual(parseShellLine(`cat ${"a".repeat(MAX_LINE)}`), []);
  assert.deepEqual(words("cat ${"), [[[]]]);
});

Deno.test("parseShellLine reads a bounded number of words of each command", () => {
  for (const unit of ["a ", "a;", "<(", "$(", "a 'b' ", "<<a ", "\\", '"']) {
    const line = unit.repeat(MAX_LINE / unit.length);
    const longest = Math.max(
      0,
      ...parseShellLine(line).flat().map((command) => command.words.length),
    );
    assert.ok(longest <= 130, `${unit}: ${longest} words`);
  }
});

Deno.test("parseShellLine never throws", () => {
  const part = fc.constantFrom(
    ..."'\"`\\$(){}<>|&;#\n \t!=2ab*?\ud800".split(""),
    "<<EOF",
    "sh -c ",
    "cat f",
    "${",
    "$(",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      for (const command of parseShellLine(parts.join("")).flat()) {
        assert.ok(command.words.every((word) => typeof word === "string"));
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("parseShellLine stays cheap on lines of operators and of many commands", async () => {
  for (const unit of [">a", "<a", ";a", "|a", "${|", "`|", "a |", "'|", "a "]) {
    await assertLinear(unit, {
      make: (size) => `cat ${unit.repeat(Math.floor(size / unit.length))}`,
      work: (line) => parseShellLine(line),
      sizes: [1000, 16_000],
    });
  }
});
