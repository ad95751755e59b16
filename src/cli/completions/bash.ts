/** Completions for bash, from version 3.2 on. @module */
import {
  allCommands,
  type CompletionCommand,
  type CompletionSlot,
  headerOf,
  keyOfCommand,
  quoted,
} from "./tree.ts";

/** Makes a script that does not start svc when it completes. */
export function bashScript(program: CompletionCommand): string {
  const commands = allCommands(program);
  return `${headerOf("bash")}

# What the commands in $1 have below them, in words.
__svc_commands() {
  words=
  case $1 in
${commands.flatMap(commandsCase).join("\n")}
  esac
}

# The flags of the command in $1, in words.
__svc_flags() {
  words=
  case $1 in
${commands.map(flagsCase).join("\n")}
  esac
}

# What stands behind a flag ("command --flag") or as an argument ("command #number", from 0).
__svc_slot() {
  kind= many= words=
  case $1 in
${commands.flatMap(slotCases).join("\n")}
    *) return 1 ;;
  esac
}

${WALK}`;
}

function commandsCase(command: CompletionCommand): string[] {
  const names = command.commands.map(({ path }) => path.at(-1));
  if (names.length === 0) return [];
  return [
    `    ${quoted(keyOfCommand(command))}) words=${quoted(names.join(" "))} ;;`,
  ];
}

function flagsCase(command: CompletionCommand): string {
  const names = command.flags.flatMap(({ names }) => names);
  return `    ${quoted(keyOfCommand(command))}) words=${
    quoted(names.join(" "))
  } ;;`;
}

function slotCases(command: CompletionCommand): string[] {
  const key = keyOfCommand(command);
  const flags = command.flags.flatMap(({ names, slot }) =>
    slot === undefined
      ? []
      : [slotCase(names.map((name) => `${key} ${name}`), slot)]
  );
  const places = command.slots.map((slot, place) => {
    const number = slot.isMany ? "*" : "";
    return `    ${quoted(`${key} #${slot.isMany ? "" : place}`)}${number}) ${
      settingsOf(slot)
    } ;;`;
  });
  return [...flags, ...places];
}

function slotCase(keys: readonly string[], slot: CompletionSlot): string {
  return `    ${keys.map(quoted).join(" | ")}) ${settingsOf(slot)} ;;`;
}

function settingsOf({ value, isMany }: CompletionSlot): string {
  const many = isMany ? " many=1" : "";
  const words = value.type === "words"
    ? ` words=${quoted(value.words.join(" "))}`
    : "";
  return `kind=${value.type}${many}${words}`;
}

/** The part that is the same for every tree of commands. */
const WALK = String.raw`_svc() {
  local cur=${"${COMP_WORDS[COMP_CWORD]}"} before= at= flag= place=0 rest=
  local kind= many= words= word i IFS=$' \t\n'
  # Bash cuts "--flag=value" into three words.
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${"${COMP_WORDS[i]}"}
    [[ $word == = ]] && continue
    if [[ -n $flag ]]; then
      __svc_slot "$flag"
      if [[ -z $many ]]; then
        flag=
        continue
      fi
      [[ $word != -?* ]] && continue
      flag=
    fi
    if [[ -z $rest && $word == -- ]]; then
      rest=1
    elif [[ -z $rest && $word == -?* ]]; then
      __svc_slot "$at $word" && flag="$at $word"
    else
      __svc_commands "$at"
      if [[ " $words " == *" $word "* ]]; then at="$at $word"; else place=$((place + 1)); fi
    fi
  done
  [[ $cur == = ]] && cur=
  if [[ -z $rest && $cur == --*=* ]]; then
    flag="$at ${"${cur%%=*}"}" before="${"${cur%%=*}"}=" cur=${"${cur#*=}"}
  fi

  kind= many= words=
  [[ -n $flag ]] && __svc_slot "$flag"
  if [[ -z $kind || (-n $many && $cur == -*) ]]; then
    words=
    [[ $place == 0 ]] && __svc_commands "$at"
    if [[ -z $rest && $cur == -* ]]; then
      __svc_flags "$at"
    elif [[ -z $words ]] && ! __svc_slot "$at #$place" && [[ -z $rest && -z $cur ]]; then
      __svc_flags "$at"
    fi
  fi
  COMPREPLY=()
  if [[ $kind == files ]]; then
    # Bash's own way with file names; older ones do not have it.
    IFS=$'\n'
    compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$cur"))
  else
    COMPREPLY=($(compgen -P "$before" -W "$words" -- "$cur"))
  fi
}

complete -F _svc svc
`;
