/** From arguments to an exit code. @module */
import type { CommandModule } from "./commands/options.ts";
import {
  Command,
  CommanderError,
  type CommandUnknownOpts,
  Help,
} from "@commander-js/extra-typings";
import { ServiceError } from "../core/errors.ts";
import { VERSION } from "../version.ts";
import {
  CliFailure,
  EXIT_FAILED,
  EXIT_USAGE,
  missingFlag,
  ReaderGone,
  writeFailure,
} from "./failure.ts";
import type { CliIo } from "./io.ts";
import {
  fitLines,
  fitPage,
  lineWidth,
  makeStyle,
  print,
  talkWidth,
  wrapText,
} from "./terminal.ts";
import { WORKER_COMMAND } from "./workers.ts";

/** Start of `svc --help`. */
const EXAMPLES = `Examples:
  svc demo                              see it at work: no key, no network
  svc proxy                             start the proxy on port 8787
  svc log --follow                      list requests as they finish
  svc show                              see what was changed in the last one
  svc savings                           see what was saved
  svc doctor                            check that everything works
  svc mcp install                       add the tools to your agents
  svc compress build.log > short.log    compress one text, without a proxy

Send a client through the proxy:
  ANTHROPIC_BASE_URL=http://127.0.0.1:8787 claude
  OPENAI_BASE_URL=http://127.0.0.1:8787/v1 node app.js
`;

/** What is known of a command before its file is loaded. */
interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<CommandModule>;
}

/** The command that looks at all others. */
const COMPLETIONS = "completions";

/** Commands in the order of the help page. A file is loaded when its command is used. */
const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  proxy: {
    summary: "run the proxy",
    load: () => import("./commands/proxy.ts"),
  },
  [WORKER_COMMAND]: {
    summary: "one of several processes of svc proxy, which starts it",
    load: () => import("./commands/proxy_worker.ts"),
  },
  compress: {
    summary: "compress one text: a file or standard input, to stdout",
    load: () => import("./commands/compress.ts"),
  },
  demo: {
    summary: "watch the proxy at work, with no key and no network",
    load: () => import("./commands/demo.ts"),
  },
  log: {
    summary: "list the requests, and what was changed in each",
    load: () => import("./commands/log.ts"),
  },
  show: {
    summary: "show what was changed in one request, block by block",
    load: () => import("./commands/show.ts"),
  },
  savings: {
    summary: "show what was saved, by day, project or kind",
    load: () => import("./commands/savings.ts"),
  },
  perf: {
    summary: "show how long requests took, and what the proxy added",
    load: () => import("./commands/perf.ts"),
  },
  doctor: {
    summary: "check the proxy, its files and the agents that use it",
    load: () => import("./commands/doctor.ts"),
  },
  config: {
    summary: "show and change stored settings",
    load: () => import("./commands/config.ts"),
  },
  telemetry: {
    summary: "show what telemetry would report, and whether it is on",
    load: () => import("./commands/telemetry.ts"),
  },
  ccr: {
    summary: "list, show and clear the stored originals",
    load: () => import("./commands/ccr.ts"),
  },
  mcp: {
    summary: "serve the tools over MCP, or register them with agents",
    load: () => import("./commands/mcp.ts"),
  },
  wrap: {
    summary: "run a coding agent through the proxy",
    load: () => import("./commands/wrap.ts"),
  },
  unwrap: {
    summary: "restore agents' files as they were before svc wrap --keep",
    load: () => import("./commands/unwrap.ts"),
  },
  recover: {
    summary: "take sessions and settings from an agent's temporary homes",
    load: () => import("./commands/recover.ts"),
  },
  install: {
    summary: "keep the proxy running: start it at each login",
    load: () => import("./commands/install.ts"),
  },
  [COMPLETIONS]: {
    summary: "print a completion script for bash, zsh or fish",
    load: () => import("./commands/completions.ts"),
  },
  uninstall: {
    summary: "list and remove what svc installed on this machine",
    load: () => import("./commands/uninstall.ts"),
  },
};

/**
 * Runs one command line. Data goes to stdout, everything else to stderr.
 *
 * @param args Arguments without the program's name.
 * @param io The outside world.
 * @returns Exit code: 0 done, 1 failed, 2 the command line makes no sense, 130 or 143 stopped twice.
 */
export async function runCli(
  args: readonly string[],
  io: CliIo,
): Promise<number> {
  const style = makeStyle(io.stderrIsTerminal, io.env);
  const world = fittedIo(io);
  let exitCode = 0;
  try {
    const done = (code: number) => void (exitCode = code);
    const program = await programFor(args, world, done);
    await program.parseAsync(withoutVainHelp(program, args), { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? 0 : EXIT_USAGE;
    }
    if (error instanceof ReaderGone) return 0;
    world.stderr(`${style.failure("error:")} ${messageOf(error)}\n`);
    return error instanceof CliFailure ? error.exitCode : EXIT_FAILED;
  }
}

/**
 * `help bogus` as `bogus`, and `help mcp bogus` or `mcp help bogus` as `mcp bogus`: that is refused, where the parser
 * would print the help of what it knows. `help mcp install` is `mcp help install`, which the parser knows.
 */
function withoutVainHelp(
  program: CommandUnknownOpts,
  args: readonly string[],
): readonly string[] {
  const at = args.indexOf("help");
  const [before, names] = [args.slice(0, at), args.slice(at + 1)];
  let command = before.reduce(subcommandOf, program);
  const isPlain = !names.some((name) => name.startsWith("-"));
  if (at < 0 || command.commands.length === 0 || !isPlain) return args;
  const path: string[] = [];
  for (const name of names) {
    if (command.commands.length === 0) break;
    const next = subcommandOf(command, name);
    if (next === command) return [...before, ...names];
    command = next;
    path.push(name);
  }
  return [...before, ...path.slice(0, -1), "help", ...path.slice(-1)];
}

/** The subcommand of that name; the command itself if it has none. */
function subcommandOf(
  command: CommandUnknownOpts,
  name: string,
): CommandUnknownOpts {
  return command.commands.find((sub) => sub.name() === name) ?? command;
}

/** The same world; a failed write to stdout says that it was one, and talk on a terminal breaks its lines at blanks. */
function fittedIo(io: CliIo): CliIo {
  const stdout = (bytes: Uint8Array) => {
    try {
      io.stdout(bytes);
    } catch (error) {
      throw writeFailure(error);
    }
  };
  const stderr = (text: string) => {
    const width = talkWidth(io);
    io.stderr(width === undefined ? text : fitLines(text, width));
  };
  return { ...io, stdout, stderr };
}

async function programFor(
  args: readonly string[],
  io: CliIo,
  done: (exitCode: number) => void,
): Promise<Command> {
  const program = new Command("svc")
    .description("Local proxy that makes LLM requests smaller.")
    .version(await versionOf(args), "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("before", EXAMPLES)
    .addHelpText("after", await releasesOf(args))
    .showHelpAfterError("(svc --help lists commands and options)")
    .configureHelp({ minWidthToWrap: 24, formatItem })
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride();
  program.configureOutput({
    writeOut: (text) => print(io, fitPage(text, lineWidth(io))),
    writeErr: (text) => io.stderr(text),
    getOutHelpWidth: () => lineWidth(io),
    getErrHelpWidth: () => talkWidth(io) ?? lineWidth(io),
  });
  const names = args.slice(0, 2);
  const isWhole = args[0] === COMPLETIONS;
  for (const [name, entry] of Object.entries(COMMANDS)) {
    const hidden = name === WORKER_COMMAND;
    const command = program.command(name, { hidden })
      .description(entry.summary)
      .showHelpAfterError(`(svc ${name} --help lists the options)`);
    if (isWhole || names.includes(name)) {
      const { define, EXAMPLES = "", NOTES = "" } = await entry.load();
      command.addHelpText("before", EXAMPLES).addHelpText("after", NOTES);
      define(command, io, done);
      if (command.commands.length > 0) {
        command.showHelpAfterError(`(svc ${name} --help lists the commands)`);
      }
    }
  }
  return program;
}

/** Columns of a term beside which what it means has room. */
const TERM = 30;
const MEANING_INDENT = " ".repeat(6);

/** A flag and what it means: beside it, or below where flags are long. */
function formatItem(
  this: Help,
  term: string,
  termWidth: number,
  meaning: string,
  help: Help,
): string {
  if (termWidth <= TERM) {
    return Help.prototype.formatItem.call(this, term, termWidth, meaning, help);
  }
  const width = this.helpWidth ?? 80;
  return `  ${term}\n${
    wrapText(MEANING_INDENT + meaning, width, MEANING_INDENT)
  }`;
}

/** What is printed for `--version`; other commands do not pay for it. */
async function versionOf(args: readonly string[]): Promise<string> {
  if (!args.includes("--version")) return VERSION;
  const { buildInfo, versionLine } = await import("../build_info.ts");
  return versionLine(buildInfo());
}

/** End of `svc --help`: where newer versions are, if the build knows it. */
async function releasesOf([first]: readonly string[]): Promise<string> {
  if (!["--help", "-h", "help"].includes(first ?? "--help")) return "";
  const url = (await import("../build_info.ts")).releasesUrl();
  return url === undefined ? "" : `\nReleases: ${url}`;
}

/** What the user needs to read; for a failure nobody foresaw, its place too. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const flag = missingFlag(error);
  if (flag !== undefined) {
    return `Cannot do that: svc was started without the permission ${flag}; add it, docs/permissions.md lists what each command needs`;
  }
  const isForeseen = error instanceof CliFailure ||
    error instanceof ServiceError;
  const place = error.stack?.split("\n").find((line) => /^\s+at /.test(line));
  if (isForeseen || place === undefined) return error.message;
  return `${error.message} (${place.trim()})`;
}
