/** Completions for zsh. @module */
import {
  allCommands,
  type CompletionCommand,
  type CompletionFlag,
  type CompletionSlot,
  headerOf,
  quoted,
} from "./tree.ts";

/** Makes a script that does not start svc when it completes; to be loaded by name or read at the start. */
export function zshScript(program: CompletionCommand): string {
  return `#compdef svc
${headerOf("zsh")}

${allCommands(program).map(functionOf).join("\n")}
if [[ $funcstack[1] == _svc ]]; then
  _svc "$@"
else
  compdef _svc svc
fi
`;
}

function functionOf(command: CompletionCommand): string {
  const specs = [
    ...command.flags.map(flagSpec),
    ...(command.commands.length > 0
      ? [quoted("1: :->command"), quoted("*:: :->rest")]
      : command.slots.map(slotSpec)),
  ];
  const lines = specs.map((spec) => ` \\\n    ${spec}`).join("");
  const below = command.commands.length === 0 ? "" : belowOf(command);
  return `${nameOf(command)}() {
  local curcontext=$curcontext state state_descr ret=1
  local -a context line
  local -A opt_args
  _arguments -C -S${lines} && ret=0
${below}  return ret
}
`;
}

/** What follows the name of a command that has others below it. */
function belowOf(command: CompletionCommand): string {
  const items = command.commands.map(({ path, summary }) =>
    `        ${quoted(`${path.at(-1)}:${summary.replaceAll(":", "\\:")}`)}`
  );
  const cases = command.commands.map((sub) =>
    `        ${sub.path.at(-1)}) ${nameOf(sub)} && ret=0 ;;`
  );
  return `  case $state in
    command)
      local -a commands=(
${items.join("\n")}
      )
      _describe -t commands ${
    quoted(["svc", ...command.path, "command"].join(" "))
  } commands && ret=0
      ;;
    rest)
      curcontext="\${curcontext%:*}-$line[1]:"
      case $line[1] in
${cases.join("\n")}
      esac
      ;;
  esac
`;
}

/** Name of the function of a command. */
function nameOf({ path }: CompletionCommand): string {
  return ["_svc", ...path].join("_").replaceAll("-", "_");
}

function flagSpec({ names, summary, slot }: CompletionFlag): string {
  // Several values are asked for with the flag before each: zsh cannot tell where a list of words ends.
  const others = slot?.isMany
    ? quoted("*")
    : names.length > 1
    ? quoted(`(${names.join(" ")})`)
    : "";
  const forms = names.map((name) => `${name}${slot ? joint(name) : ""}`);
  const form = forms.length > 1 ? `{${forms.join(",")}}` : forms[0]!;
  const value = slot === undefined ? "" : valueSpec(slot);
  return `${others}${form}${quoted(`[${escaped(summary)}]${value}`)}`;
}

/** How a flag and its value are written: as one word or as two. */
function joint(name: string): string {
  return name.startsWith("--") ? "=" : "+";
}

function valueSpec(slot: CompletionSlot): string {
  return `:${escaped(slot.name)}:${actionOf(slot)}`;
}

function slotSpec(slot: CompletionSlot, place: number): string {
  return quoted(`${slot.isMany ? "*" : place + 1}${valueSpec(slot)}`);
}

function actionOf({ value }: CompletionSlot): string {
  if (value.type === "words") return `(${value.words.join(" ")})`;
  return value.type === "files" ? "_files" : " ";
}

/** A text inside a specification. */
function escaped(text: string): string {
  return text.replace(/[\\[\]:]/g, "\\$&");
}
