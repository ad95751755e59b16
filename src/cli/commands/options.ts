/** What commands have in common: how they are defined, and values of their options. @module */
import {
  type Command,
  InvalidArgumentError,
} from "@commander-js/extra-typings";
import type { CliIo } from "../io.ts";

/** Adds flags and action to a command. `done` takes an exit code; without a call it is 0. */
export type Define = (
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
) => void;

/** A file of this folder. */
export interface CommandModule {
  readonly define: Define;
  /** Begins the help page. */
  readonly EXAMPLES?: string;
  /** Ends it. */
  readonly NOTES?: string;
}

/** Makes what adds a subcommand; `examples` begin their help pages, by name. */
export function subcommandsOf(
  command: Command,
  examples: Readonly<Record<string, string>> = {},
): (name: string, summary: string) => Command {
  return (name, summary) =>
    command.command(name).description(summary)
      .addHelpText("before", examples[name] ?? "")
      .showHelpAfterError(
        `(svc ${command.name()} ${name} --help lists the options)`,
      );
}

/** A port. @throws {InvalidArgumentError} For another text. */
export function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65_536) return port;
  throw new InvalidArgumentError("Give a port from 1 to 65535");
}

/** A number from 1 on. @throws {InvalidArgumentError} For another text. */
export function countOf(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count > 0 && Number.isSafeInteger(count)) {
    return count;
  }
  throw new InvalidArgumentError("Give a positive integer");
}
