/** What can be typed behind `svc`, as the commands themselves say it. @module */
import type {
  Argument,
  CommandUnknownOpts,
  Option,
} from "@commander-js/extra-typings";
import { keyOf } from "../../settings/fields.ts";
import { ROWS } from "../../settings/registry.ts";

/** What may stand behind a flag or as an argument. */
type CompletionValue =
  /** One of these; none of them has a space or a quote. */
  | { readonly type: "words"; readonly words: readonly string[] }
  /** A file or a directory. */
  | { readonly type: "files" }
  /** Something that only the user knows. */
  | { readonly type: "text" };

/** A value with what is known of it. */
export interface CompletionSlot {
  /** Its name on the help page, without brackets. */
  readonly name: string;
  /** What it may be. */
  readonly value: CompletionValue;
  /** Whether more of them may follow. */
  readonly isMany: boolean;
}

/** A flag of a command. */
export interface CompletionFlag {
  /** With their dashes, e.g. `-f` and `--follow`. */
  readonly names: readonly string[];
  /** What it does, in one sentence without a final period. */
  readonly summary: string;
  /** Its value; absent for a switch. */
  readonly slot?: CompletionSlot;
}

/** A command, or the program itself. */
export interface CompletionCommand {
  /** Its words, without the program's name: empty for the program. */
  readonly path: readonly string[];
  /** What it does, without a final period. */
  readonly summary: string;
  /** Commands below it. */
  readonly commands: readonly CompletionCommand[];
  /** Flags of its own. */
  readonly flags: readonly CompletionFlag[];
  /** Its arguments in their order. */
  readonly slots: readonly CompletionSlot[];
}

/**
 * Reads a program with everything below it; what is not on the help pages is left out.
 *
 * @param command All of its commands must be defined.
 */
export function completionTree(
  command: CommandUnknownOpts,
  path: readonly string[] = [],
): CompletionCommand {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const names = commands.map((sub) => sub.name());
  return {
    path,
    summary: command.description(),
    commands: commands.map((sub) =>
      sub.name() === "help"
        ? helpCommand(sub, path, names)
        : completionTree(sub, [...path, sub.name()])
    ),
    flags: help.visibleOptions(command).map(flagOf),
    slots: command.registeredArguments.map((argument) =>
      slotOf(argument, path)
    ),
  };
}

/** A command and all below it, each before those below it. */
export function allCommands(
  command: CompletionCommand,
): readonly CompletionCommand[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

/** `help` takes the names beside it. */
function helpCommand(
  command: CommandUnknownOpts,
  path: readonly string[],
  names: readonly string[],
): CompletionCommand {
  const words = names.filter((name) => name !== "help");
  const value: CompletionValue = { type: "words", words };
  return {
    path: [...path, "help"],
    summary: command.description(),
    commands: [],
    flags: [],
    slots: [{ name: "command", value, isMany: false }],
  };
}

function flagOf(option: Option): CompletionFlag {
  const { short, long, flags, description, argChoices, variadic } = option;
  const names = [short, long].filter((name) => name !== undefined);
  const summary = sentenceOf(description);
  const [, name] = /[<[]([^>\].]+)/.exec(flags) ?? [];
  if (name === undefined) return { names, summary };
  const value = valueOf(name, argChoices);
  return { names, summary, slot: { name, value, isMany: variadic } };
}

function slotOf(argument: Argument, path: readonly string[]): CompletionSlot {
  const { argChoices, variadic } = argument;
  const name = argument.name();
  const isSetting = OF_SETTINGS.test(path.join(" ")) && name !== "value";
  const choices = argChoices ?? (isSetting ? settingNames() : undefined);
  return { name, value: valueOf(name, choices), isMany: variadic };
}

/** Names of files and directories on the help pages. */
const FILE_NAMES: ReadonlySet<string> = new Set(["file", "path", "directory"]);

/** A value by its choices, or by its name on the help page: `a|b` are words. */
function valueOf(
  name: string,
  choices: readonly string[] | undefined,
): CompletionValue {
  if (choices !== undefined) return { type: "words", words: choices };
  if (FILE_NAMES.has(name)) return { type: "files" };
  return name.includes("|")
    ? { type: "words", words: name.split("|") }
    : { type: "text" };
}

/** Commands that take any name of a setting, too many for a help page. */
const OF_SETTINGS = /^config (get|set|unset)$/;

function settingNames(): readonly string[] {
  return ROWS.filter(({ available }) => available !== false).map(keyOf);
}

/** The first sentence, without the variables that end the text. */
function sentenceOf(description: string): string {
  const text = description.replace(/ \[[^\]]*\]$/, "");
  return text.replace(/(?<!\be\.g)\. [A-Z].*$/s, "").replace(/\.$/, "");
}

/** Line that every script has near its top, by which it is known again. */
export function headerOf(shell: string): string {
  return `# Completions of svc for ${shell}, made by: svc completions ${shell}`;
}

/** A text in single quotes, for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The words of a command, each with a blank before it. */
export function keyOfCommand({ path }: CompletionCommand): string {
  return path.map((word) => ` ${word}`).join("");
}
