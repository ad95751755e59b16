/** Which files a shell line prints. @module */
import {
  type Pipeline,
  programOf,
  type ShellCommand,
} from "./shell_command.ts";

/** Stands for files that a command line does not name. */
export const UNNAMED = "";

/** Readers, with their options that take a value. */
const READERS: ReadonlyMap<string, string> = new Map([
  ["cat", ""],
  ["head", "-n -c --lines --bytes"],
  ["tail", "-n -c -s --lines --bytes --pid"],
  ["nl", "-b -d -f -h -i -l -n -s -v -w"],
  [
    "bat",
    "-l -r -H -m --language --line-range --style --theme --paging --color --wrap",
  ],
  ["batcat", "-l -r -H -m --language --line-range --style --theme --paging"],
  ["less", "-p -x -P"],
  ["more", "-n"],
  ["sed", "-e -f -l --expression --file"],
]);

/** Nobody edits these by hand. */
const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|bun\.lockb|[\w.-]+\.lock)$/i;

/** Files that any of `pipelines` reads, {@linkcode UNNAMED} among them; `undefined` when none reads a file. */
export function filesRead(
  pipelines: readonly Pipeline[],
): readonly string[] | undefined {
  const reads = pipelines.map(readPaths).filter((paths) => paths !== undefined);
  return reads.length === 0 ? undefined : reads.flat();
}

/** A pipeline reads a file if one command does and the commands behind it only pick lines. */
function readPaths(pipeline: Pipeline): readonly string[] | undefined {
  for (const [i, command] of pipeline.entries()) {
    const paths = sourcePaths(command);
    if (paths === undefined) continue;
    if (pipeline.slice(i + 1).every(picksLines)) return paths;
  }
  return undefined;
}

function picksLines(command: ShellCommand): boolean {
  return !command.redirected && isReader(command);
}

/** `sed` only prints lines as they are when told to be quiet. */
function isReader({ words }: ShellCommand): boolean {
  const program = programOf(words[0] ?? "");
  if (!READERS.has(program)) return false;
  if (program !== "sed") return true;
  const options = words.slice(1).filter((word) => word.startsWith("-"));
  return options.some((word) =>
    /^(?:-[a-zA-Z]*n|--quiet|--silent)/.test(word)
  ) &&
    !options.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word));
}

function sourcePaths(command: ShellCommand): readonly string[] | undefined {
  if (command.redirected) return undefined;
  if (command.inner.length > 0) return filesRead(command.inner);
  if (!isReader(command)) return undefined;
  const files = filesOf(command);
  if (files.length === 0) return command.viaXargs ? [UNNAMED] : undefined;
  const edited = files.filter((file) => !LOCK_FILE.test(file));
  if (edited.length === 0) return undefined;
  return command.viaXargs ? [...edited, UNNAMED] : edited;
}

function filesOf({ words, input }: ShellCommand): readonly string[] {
  const program = programOf(words[0]!);
  const valued = READERS.get(program)!.split(" ");
  const files: string[] = [];
  let hasScript = program !== "sed";
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!;
    const takesValue = valued.includes(word) ||
      (program === "sed" && /^-[a-zA-Z]*[ef]$/.test(word));
    if (takesValue) i++;
    if (
      program === "sed" &&
      /^(?:-[a-zA-Z]*[ef]|--(?:expression|file))/.test(word)
    ) {
      hasScript = true;
    }
    if (takesValue || word.startsWith("-") || word.startsWith("+")) continue;
    if (hasScript) files.push(word);
    hasScript = true;
  }
  return files.length === 0 && input !== undefined ? [input] : files;
}

/** Programs that print a file from its first line to its last. */
const WHOLE_READERS: ReadonlySet<string> = new Set(["cat", "nl"]);

/** Whether `pipelines` print all of one file, and nothing else. */
export function printsOneFile(pipelines: readonly Pipeline[]): boolean {
  const printing = pipelines.filter((line) => !isMove(line));
  return printing.length === 1 && printing.every(printsAll);
}

/** Whether a pipeline goes to another directory, and prints nothing. */
function isMove([first, ...others]: Pipeline): boolean {
  return others.length === 0 && first?.words[0] === "cd";
}

/** Whether a pipeline prints all of one file. */
function printsAll([command, ...others]: Pipeline): boolean {
  if (others.length > 0 || command === undefined) return false;
  if (command.inner.some((line) => !isMove(line))) {
    return printsOneFile(command.inner);
  }
  return WHOLE_READERS.has(programOf(command.words[0] ?? "")) &&
    filesOf(command).length === 1;
}
