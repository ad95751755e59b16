/** Draws what `svc demo` prints into `docs/demo.svg`. Usage: `deno run -A scripts/demo_picture.ts`. @module */
import { stripVTControlCharacters } from "node:util";
import { runDemo } from "../src/cli/commands/demo.ts";
import { denoIo } from "../src/cli/deno_io.ts";

/** Place of the picture. */
export const DEMO_PICTURE = new URL("../docs/demo.svg", import.meta.url);

/** What differs from run to run and from machine to machine: it is not shown. */
const UNSTEADY: readonly RegExp[] = [
  / at http:\/\/127\.0\.0\.1:\d+(?= shortens)/,
  / and added [\d.,]+ ms to each, just after its start(?=\.)/,
];

/** Plays the demo and draws it as a terminal shows it. The same program gives the same text. */
export async function demoPicture(): Promise<string> {
  let shown = "\x1b[1m$ svc demo\x1b[0m\n";
  const decoder = new TextDecoder();
  const exitCode = await runDemo({
    ...denoIo(),
    env: {},
    stdoutIsTerminal: true,
    stdout: (bytes) => void (shown += decoder.decode(bytes)),
    stderr: (text) => void (shown += text),
  });
  if (exitCode !== 0) throw new Error("svc demo failed: run it to see why");
  const lines = UNSTEADY.reduce(without, shown).trimEnd().split("\n");
  const [total = ""] = lines.filter((line) => line.includes("Whole conv"));
  return ansiSvg({
    lines,
    title: `svc demo in a terminal. ${stripVTControlCharacters(total)}`,
  });
}

function without(text: string, part: RegExp): string {
  if (part.test(text)) return text.replace(part, "");
  throw new Error(`svc demo does not print ${part} any more: mend the list`);
}

/** What a picture is of. */
interface TerminalPicture {
  /** Lines with the escape codes of `src/cli/style.ts`; characters one cell wide each. */
  readonly lines: readonly string[];
  /** What it shows, for those who do not see it. */
  readonly title: string;
}

/** Pixels of a character; its width is forced, whatever font there is. */
const CELL = { width: 7.8, height: 19, font: 13 } as const;
/** Pixels between text and frame. */
const PADDING = 18;

/** Classes by escape code. */
const CLASSES: ReadonlyMap<string, string> = new Map([
  ["1", "strong"],
  ["2", "faint"],
  ["31", "bad"],
  ["32", "good"],
]);

const STYLE = `
  .ground { fill: #ffffff; stroke: #d0d7de; }
  text { font: ${CELL.font}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre; }
  .strong { font-weight: 700; }
  .faint { fill: #59636e; }
  .good { fill: #116329; }
  .bad { fill: #b3261e; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; stroke: #3d444d; }
    text { fill: #e6edf3; }
    .faint { fill: #9198a1; }
    .good { fill: #56d364; }
    .bad { fill: #ff8a80; }
  }
`;

/**
 * Draws it. The same lines give the same text.
 *
 * @throws {RangeError} If a line has an escape code that has no class.
 */
function ansiSvg({ lines, title }: TerminalPicture): string {
  const all = lines.map(runsIn);
  const cells = Math.max(0, ...all.map(lengthOf));
  const width = Math.ceil(cells * CELL.width + 2 * PADDING);
  const height = lines.length * CELL.height + 2 * PADDING;
  const texts = all.flatMap((runs, i) => textOf(runs, i));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${
    height - 1
  }" rx="8"/>
${texts.join("\n")}
</svg>
`;
}

/** Characters of one look. */
interface Run {
  readonly text: string;
  /** `undefined` for plain ones. */
  readonly look: string | undefined;
}

function runsIn(line: string): Run[] {
  const runs: Run[] = [];
  let look: string | undefined;
  // Text and codes take turns.
  // deno-lint-ignore no-control-regex
  for (const [i, part] of line.split(/\x1b\[(\d+)m/).entries()) {
    if (i % 2 === 0) {
      if (part !== "") runs.push({ text: part, look });
    } else if (part === "0") look = undefined;
    else look = classOf(part);
  }
  return runs;
}

function classOf(code: string): string {
  const name = CLASSES.get(code);
  if (name !== undefined) return name;
  throw new RangeError(`Cannot draw the escape code ${code}: add a class`);
}

function lengthOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}

/** One element per line: it is as wide as its cells, so that columns stay columns. */
function textOf(runs: readonly Run[], line: number): string[] {
  const length = lengthOf(runs);
  if (length === 0) return [];
  const y = PADDING + line * CELL.height + CELL.font;
  const spans = runs.map(({ text, look }) =>
    look === undefined
      ? escaped(text)
      : `<tspan class="${look}">${escaped(text)}</tspan>`
  );
  const width = (length * CELL.width).toFixed(1);
  return [
    `<text x="${PADDING}" y="${y}" textLength="${width}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${
      spans.join("")
    }</text>`,
  ];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

if (import.meta.main) {
  await Deno.writeTextFile(DEMO_PICTURE, await demoPicture());
}
