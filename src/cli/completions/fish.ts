/** Completions for fish, from version 3.0 on. @module */
import {
  allCommands,
  type CompletionCommand,
  type CompletionFlag,
  type CompletionSlot,
  headerOf,
  keyOfCommand,
} from "./tree.ts";

/** Makes a script that does not start svc when it completes. */
export function fishScript(program: CompletionCommand): string {
  const commands = allCommands(program);
  return `${headerOf("fish")}

${cursorFunction(commands)}

complete -c svc -e
complete -c svc -f
${commands.flatMap(linesOf).join("\n")}
`;
}

function cursorFunction(commands: readonly CompletionCommand[]): string {
  return `# Whether the cursor is behind the command or the list of a flag in $argv[1]; with $argv[2], whether that many arguments stand there already,
# or with "$argv[2]+" as many or more.
function __svc_at
    set -l at
    set -l place 0
    set -l rest
    set -l flag
    for word in (commandline -opc)[2..-1]
        if test -n "$flag"
            switch $flag
                case ${wordsOf(flagKeys(commands, true))}
                    string match -qr -- '^-.' $word; or continue
                    set flag
                case '*'
                    set flag
                    continue
            end
        end
        if test -z "$rest" -a "$word" = --
            set rest 1
        else if test -z "$rest"; and string match -qr -- '^-.' $word
            switch "$at $word"
                case ${wordsOf(flagKeys(commands, undefined))}
                    set flag "$at $word"
            end
        else
            switch "$at $word"
                case ${wordsOf(commands.slice(1).map(keyOfCommand))}
                    set at "$at $word"
                case '*'
                    set place (math $place + 1)
            end
        end
    end
    test "$flag" = "$argv[1]" -a -n "$flag"; and return 0
    test "$at" = "$argv[1]"; or return 1
    set -q argv[2]; or return 0
    if string match -q -- '*+' $argv[2]
        test $place -ge (string trim --chars=+ -- $argv[2])
    else
        test $place -eq $argv[2]
    end
end`;
}

/** Flags that take a value, or several; one that no command has stands for none. */
function flagKeys(
  commands: readonly CompletionCommand[],
  isMany: true | undefined,
): string[] {
  const keys = commands.flatMap((command) =>
    command.flags
      .filter(({ slot }) =>
        slot !== undefined && (isMany === undefined || slot.isMany)
      )
      .flatMap(({ names }) =>
        names.map((name) => `${keyOfCommand(command)} ${name}`)
      )
  );
  return keys.length === 0 ? [" -"] : keys;
}

function linesOf(command: CompletionCommand): string[] {
  const key = keyOfCommand(command);
  const below = command.commands.map(({ path, summary }) => {
    const name = fishQuoted(path.at(-1)!);
    return line(atPlace(key, "0"), ["-a", name, "-d", fishQuoted(summary)]);
  });
  const slots = command.slots.flatMap((slot, place) =>
    slotLines(atPlace(key, slot.isMany ? `${place}+` : `${place}`), slot)
  );
  const flags = command.flags.flatMap((flag) => [
    flagLine(key, flag),
    ...furtherLines(key, flag),
  ]);
  return [...below, ...slots, ...flags];
}

function slotLines(condition: string, slot: CompletionSlot): string[] {
  const words = suggestions(slot);
  return words.length === 0 ? [] : [line(condition, words)];
}

/** What stands for the values that are known. */
function suggestions({ value }: CompletionSlot): string[] {
  if (value.type === "files") return ["-F"];
  return value.type === "words"
    ? ["-a", fishQuoted(value.words.join(" "))]
    : [];
}

function flagLine(
  key: string,
  { names, summary, slot }: CompletionFlag,
): string {
  const words = names.flatMap((name) =>
    name.startsWith("--") ? ["-l", name.slice(2)] : ["-s", name.slice(1)]
  );
  return line(`__svc_at ${fishQuoted(key)}`, [
    ...words,
    ...(slot === undefined ? [] : valueWords(slot)),
    "-d",
    fishQuoted(summary),
  ]);
}

/** Values behind the first one. */
function furtherLines(key: string, { names, slot }: CompletionFlag): string[] {
  if (!slot?.isMany) return [];
  return names.flatMap((name) =>
    slotLines(`__svc_at ${fishQuoted(`${key} ${name}`)}`, slot)
  );
}

function valueWords(slot: CompletionSlot): string[] {
  return [slot.value.type === "files" ? "-r" : "-x", ...suggestions(slot)];
}

function atPlace(key: string, place: string): string {
  return `__svc_at ${fishQuoted(key)} ${place}`;
}

function line(condition: string, words: readonly string[]): string {
  return `complete -c svc -n ${fishQuoted(condition)} ${words.join(" ")}`;
}

function wordsOf(words: readonly string[]): string {
  return words.map(fishQuoted).join(" ");
}

/** A text in single quotes. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
