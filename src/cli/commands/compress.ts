/** `svc compress`: one text in, the compressed text out. @module */
import type { Command } from "@commander-js/extra-typings";
import { CliFailure, systemCode } from "../failure.ts";
import { COMPRESS_EXAMPLES } from "../help.ts";
import type { CliIo, CompressedText, CompressTextOptions } from "../io.ts";

/** Adds argument, flags and action to the command. `done` takes the exit code. */
export function defineCompress(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command
    .addHelpText("before", COMPRESS_EXAMPLES)
    .argument("[file]", "file to read; standard input without one, or with -")
    .option("--lossless", "only forms that can be turned back")
    .option("--query <text>", "what the reader looks for")
    .option("--tool <name>", "tool that printed the text, e.g. Grep")
    .action(async (file, flags) => {
      const options = {
        ...(flags.lossless && { lossless: true }),
        ...(flags.query !== undefined && { query: flags.query }),
        ...(flags.tool !== undefined && { toolName: flags.tool }),
      };
      await runCompress(file, options, io);
      done(0);
    });
}

/**
 * Compresses a file or standard input to stdout; the numbers go to stderr.
 *
 * @param file Path; `undefined` or `-` is standard input.
 * @throws {CliFailure} If the text cannot be read.
 */
export async function runCompress(
  file: string | undefined,
  options: CompressTextOptions,
  io: CliIo,
): Promise<void> {
  const name = file === undefined || file === "-" ? "standard input" : file;
  const bytes = await bytesOf(file, name, io);
  const text = textOf(bytes, name);
  if (text === "") return io.stderr(summary(EMPTY) + "\n");
  const library = await io.openLibrary();
  const result = await Promise.resolve(library.compressText(text, options))
    .finally(() => library.close());
  io.stdout(new TextEncoder().encode(result.text));
  io.stderr(summary(result) + "\n");
}

/** Result of a text without a character. */
const EMPTY: CompressedText = {
  text: "",
  tokensBefore: 0,
  tokensAfter: 0,
  strategy: "",
  reason: "empty",
};

/** One line: tokens before and after, share saved (rounded down to 0.1), and by what. */
function summary(result: CompressedText): string {
  const { tokensBefore, tokensAfter, strategy, reason } = result;
  const permille = tokensBefore === 0
    ? 0
    : Math.floor(1000 * (tokensBefore - tokensAfter) / tokensBefore);
  const by = reason === undefined ? strategy : `unchanged: ${reason}`;
  return `${tokensBefore} -> ${tokensAfter} tokens (${
    permille / 10
  } % saved, ${by})`;
}

async function bytesOf(
  file: string | undefined,
  name: string,
  io: CliIo,
): Promise<Uint8Array> {
  if (file === undefined || file === "-") return await io.stdin();
  try {
    return await io.readFile(file);
  } catch (error) {
    const reason = READ_FAILURES.get(systemCode(error) ?? "");
    if (reason === undefined) throw error;
    throw new CliFailure(`Cannot read ${name}: ${reason}`);
  }
}

/** What the usual failures to read a file mean to the user. */
const READ_FAILURES: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "there is no such file"],
  ["EISDIR", "it is a directory; name a file"],
  ["EACCES", "no permission"],
]);

/** Decodes without losing a byte: the byte order mark stays. */
function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(bytes);
  } catch {
    throw new CliFailure(
      `Cannot compress ${name}: it is not UTF-8 text. Convert it first, or leave binary files as they are`,
    );
  }
}
