/** Starts of the built file. */
import { figure, percentile, table } from "./measure.ts";
import { tempDir } from "../temp_dir.ts";

const ROOT = new URL("../../", import.meta.url);

const FIRST_STARTS = 5;
const LATER_STARTS = 20;

/** Milliseconds until a program has ended. */
async function timed(
  program: string,
  cache: string,
): Promise<number> {
  const start = performance.now();
  const { success, stderr } = await new Deno.Command(program, {
    args: ["--version"],
    env: { XDG_CACHE_HOME: cache },
    stdin: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return performance.now() - start;
}

/** Milliseconds until a proxy has said that it listens. */
async function readyAfter(
  program: string,
  cache: string,
  workspace: string,
): Promise<number> {
  const start = performance.now();
  const child = new Deno.Command(program, {
    args: ["proxy", "--port", "0"],
    env: { XDG_CACHE_HOME: cache, SVC_WORKSPACE_DIR: workspace },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let said = "";
  let ms: number | undefined;
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    said += chunk;
    if (ms === undefined && said.includes("listens on http")) {
      ms = performance.now() - start;
      child.kill("SIGTERM");
    }
  }
  await child.status;
  if (ms === undefined) throw new Error(said);
  return ms;
}

/** Builds the file and starts it many times; as Markdown. */
export async function oneFileReport(): Promise<string> {
  await using temp = await tempDir();
  const folder = temp.path;
  const built = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", "scripts/compile.ts", "--out", folder],
    cwd: ROOT,
    stdin: "null",
  }).output();
  if (!built.success) throw new Error(new TextDecoder().decode(built.stderr));
  const program = `${folder}/svc`;
  const first: number[] = [];
  for (let i = 0; i < FIRST_STARTS; i++) {
    first.push(await timed(program, `${folder}/cache${i}`));
  }
  const later: number[] = [];
  const ready: number[] = [];
  const again: number[] = [];
  for (let i = 0; i < LATER_STARTS; i++) {
    later.push(await timed(program, `${folder}/cache0`));
  }
  for (let i = 0; i < FIRST_STARTS; i++) {
    const workspace = `${folder}/workspace${i}`;
    ready.push(await readyAfter(program, `${folder}/cache0`, workspace));
    again.push(await readyAfter(program, `${folder}/cache0`, workspace));
  }
  const row = (name: string, samples: number[]) => {
    samples.sort((a, b) => a - b);
    const shown = [percentile(samples, 0.5), samples[0]!, samples.at(-1)!];
    return [name, ...shown.map((ms) => figure(ms, 0))];
  };
  const { size } = await Deno.stat(program);
  return [
    "## One file",
    "",
    `\`deno task compile\` makes a file of ${figure(size / 1e6, 1)} MB.`,
    "",
    table(["start, ms", "median", "least", "most"], [
      row("`svc --version`, the first time", first),
      row("`svc --version`, later", later),
      row("`svc proxy` until it listens, in a new workspace", ready),
      row("`svc proxy` until it listens, later", again),
    ]),
  ].join("\n");
}
