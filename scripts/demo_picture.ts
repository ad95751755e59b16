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
  throw new Error(`svc demo does not print ${part} any more: fix the list`);
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

/** Draws it. The same lines give the same text. */
function ansiSvg({ lines, title }: TerminalPicture): string {
  const cells = lines.map((line) => stripVTControlCharacters(line).length);
  const width = Math.ceil(Math.max(...cells) * CELL.width + 2 * PADDING);
  const height = lines.length * CELL.height + 2 * PADDING;
  // Each line is as wide as its cells, so that columns stay columns.
  const texts = lines.map((line, i) => {
    const y = PADDING + i * CELL.height + CELL.font;
    const length = (cells[i]! * CELL.width).toFixed(1);
    return `<text x="${PADDING}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${
      spansOf(line)
    }</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${
    height - 1
  }" rx="8"/>
${texts.filter((_, i) => cells[i]! > 0).join("\n")}
</svg>
`;
}

/** What an escape code begins, up to the next reset. */
// deno-lint-ignore no-control-regex
const STYLED = /\x1b\[(\d+)m(.*?)(?:\x1b\[0m|$)/g;

/** @throws {RangeError} If a line has an escape code that has no class. */
function spansOf(line: string): string {
  return escaped(line).replace(STYLED, (_, code: string, text: string) => {
    const look = CLASSES.get(code);
    if (look !== undefined) return `<tspan class="${look}">${text}</tspan>`;
    // The end of what began in a line above.
    if (code === "0") return text;
    throw new RangeError(`Cannot draw the escape code ${code}: add a class`);
  });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

if (import.meta.main) {
  await Deno.writeTextFile(DEMO_PICTURE, await demoPicture());
}
