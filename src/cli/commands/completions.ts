/** `svc completions`: a script that completes command lines of svc. @module */
import { print } from "../terminal.ts";
import type { Define } from "./options.ts";
import { Argument, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { bashScript } from "../completions/bash.ts";
import { fishScript } from "../completions/fish.ts";
import { type CompletionCommand, completionTree } from "../completions/tree.ts";
import { zshScript } from "../completions/zsh.ts";
import type { CliIo } from "../io.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc completions bash > ~/.local/share/bash-completion/completions/svc
  svc completions zsh > ~/.zfunc/_svc
  svc completions fish > ~/.config/fish/completions/svc.fish
`;

/** Ends the help page. */
export const NOTES = `
bash: create the directory first:
        mkdir -p ~/.local/share/bash-completion/completions
      If the package bash-completion is not installed, add this to ~/.bashrc:
        . ~/.local/share/bash-completion/completions/svc
zsh:  create the directory first (mkdir -p ~/.zfunc), and add this to ~/.zshrc,
      before compinit if that is there:
        fpath=(~/.zfunc $fpath); autoload -Uz compinit && compinit
fish: create the directory first (mkdir -p ~/.config/fish/completions).

Then open a new shell. The script holds all commands and flags of this version
and does not start svc to complete: generate it again after an update.
`;

/** Shells with what makes their scripts. */
const SCRIPTS = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
} as const satisfies Record<string, (tree: CompletionCommand) => string>;

/** A shell that there is a script for. */
type Shell = keyof typeof SCRIPTS;

/** Adds argument and action to the command; all other commands of its program must be defined. `done` takes the exit code. */
export const define: Define = (command, io) => {
  const shells = Object.keys(SCRIPTS) as Shell[];
  command
    .addArgument(
      new Argument("<bash|zsh|fish>", "the shell").choices(shells),
    )
    .action((shell) => {
      printScript(shell, command.parent!, io);
    });
};

function printScript(
  shell: Shell,
  program: CommandUnknownOpts,
  io: CliIo,
): void {
  const script = SCRIPTS[shell](completionTree(program));
  print(io, script);
  if (io.stdoutIsTerminal) {
    io.stderr(
      `\nThis belongs in a file: svc completions --help says in which.\n`,
    );
  }
}
