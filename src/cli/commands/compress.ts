/** `svc compress`: one text in, the compressed text out. @module */
import type {
  CompressedText,
  CompressTextOptions,
} from "../../core/compress_text.ts";
import { unknownVariables } from "../../settings/nearest.ts";
import { systemCode } from "../../core/errors.ts";
import { lineWidth, print, talkWidth, warn } from "../terminal.ts";
import { CliFailure, orUsage } from "../failure.ts";
import type { Define } from "./options.ts";
import { resolve } from "node:path";
import { readSetting } from "../../settings/given.ts";
import { SETTINGS } from "../../settings/registry.ts";
import type { SettingRow, TextValues } from "../../settings/row.ts";
import type { CliIo } from "../io.ts";
import { countText, reasonText, ruleText } from "../words.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc compress build.log > short.log
  npm test 2>&1 | svc compress --query "why does the login test fail"
  grep -rn TODO src | svc compress --tool Grep
`;

/** Ends the help page. */
export const NOTES = `
The text may have up to 64 MiB of UTF-8. Where something was left out, the
result ends with a marker, [... Retrieve more: hash=<hash>], and the original is
stored in the workspace (SVC_WORKSPACE_DIR, default ~/.svc) for
SVC_CCR_TTL_SECONDS, default 1800. To get it back: svc ccr show <hash>, or from
a running proxy curl http://127.0.0.1:8787/v1/retrieve/<hash>
`;

/** Longest input, in bytes: 64 MiB. It is held in memory several times. */
const MAX_BYTES = 2 ** 26;

/** Adds argument, flags and action to the command. `done` takes the exit code. */
export const define: Define = (command, io) => {
  command
    .argument("[file]", "file to read; default, and for -: standard input")
    .option(
      "--lossless",
      "lossless rewrites only [SVC_LOSSLESS or SVC_NO_CCR]",
    )
    .option("--query <text>", "what the reader is looking for")
    .option("--tool <name>", "tool that printed the text, e.g. Grep")
    .option(
      "--no-code-aware",
      "do not shorten source code [SVC_CODE_AWARE_ENABLED]",
    )
    .option(
      "--explain",
      "explain what was decided, why, and which lines had to stay",
    )
    .action(async (file, { explain, ...flags }) => {
      const path = file === "-" ? undefined : file;
      const options = {
        ...(flags.lossless || isOn(SETTINGS.lossless, io.env) ||
          isOn(SETTINGS.noCcr, io.env)) && { lossless: true },
        ...(flags.query !== undefined && { query: flags.query }),
        ...(flags.tool !== undefined && { toolName: flags.tool }),
        ...(path !== undefined && { path }),
        codeAware: flags.codeAware && isOn(SETTINGS.codeAware, io.env),
        folds: isOn(SETTINGS.losslessCompaction, io.env),
      };
      warn(io, unknownVariables(io.env));
      io.giveUp?.({
        files: isOn(SETTINGS.stateless, io.env),
        network: isOn(SETTINGS.offline, io.env),
      });
      const texts = await compressed(options, io);
      if (explain && texts.original !== "") {
        const { explain: explained } = await import("../explain.ts");
        io.stderr(explained(texts, talkWidth(io) ?? lineWidth(io)));
      }
    });
};

function isOn(row: SettingRow<boolean>, env: TextValues): boolean {
  return orUsage(() => readSetting(row, { env }));
}

/**
 * Compresses a file, or standard input without a path, to stdout; the numbers go to stderr.
 *
 * @throws {CliFailure} If the text cannot be read, or is longer than 64 MiB.
 */
async function compressed(options: CompressTextOptions, io: CliIo) {
  const { path: given } = options;
  const path = given === undefined ? undefined : resolve(io.cwd, given);
  const name = path === undefined ? "standard input" : JSON.stringify(path);
  const original = textOf(await bytesOf(path, name, io), name);
  if (original === "") {
    io.stderr(summary(EMPTY) + "\n");
    return { original, result: EMPTY };
  }
  const library = await io.openLibrary();
  const result = await Promise.resolve(library.compressText(original, options))
    .finally(() => library.close());
  // A prompt would stick to the last line.
  const end = io.stdoutIsTerminal && !result.text.endsWith("\n") ? "\n" : "";
  print(io, result.text + end);
  io.stderr(summary(result) + "\n");
  return { original, result };
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
  const by = reason === undefined
    ? ruleText(strategy)
    : `skipped: ${reasonText(reason)}`;
  return `${countText(tokensBefore)} -> ${countText(tokensAfter)} tokens (${
    permille / 10
  } % saved, ${by})`;
}

async function bytesOf(
  path: string | undefined,
  name: string,
  io: CliIo,
): Promise<Uint8Array> {
  try {
    return await (path === undefined
      ? io.stdin(MAX_BYTES)
      : io.readFile(path, MAX_BYTES));
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
  ["EFTYPE", "it is a device; name a file, or - for standard input"],
  ["EFBIG", "it is larger than 64 MiB; compress a part, e.g. its end"],
]);

/** Decodes without losing a byte: the byte order mark stays. */
function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CliFailure(
      `Cannot compress ${name}: it is not UTF-8 text. Convert it first, or leave binary files as they are`,
    );
  }
}
