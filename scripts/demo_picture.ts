/** Draws what `svc demo` prints into `docs/demo.svg`. Usage: `deno run -A scripts/demo_picture.ts`. @module */
import { runDemo } from "../src/cli/commands/demo.ts";
import { denoIo } from "../src/cli/deno_io.ts";
import { ansiSvg } from "./ansi_svg.ts";

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
  return ansiSvg({ lines, title: `svc demo in a terminal. ${plain(total)}` });
}

function without(text: string, part: RegExp): string {
  if (part.test(text)) return text.replace(part, "");
  throw new Error(`svc demo does not print ${part} any more: mend the list`);
}

function plain(line: string): string {
  // deno-lint-ignore no-control-regex
  return line.replace(/\x1b\[\d+m/g, "");
}

if (import.meta.main) {
  await Deno.writeTextFile(DEMO_PICTURE, await demoPicture());
}
