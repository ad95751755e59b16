/** A proxy that the system starts and keeps running. @module */
import type { Deployment } from "../../core/deployment.ts";
import { ROWS, SETTINGS } from "../../settings/registry.ts";
import type { TextValues } from "../../settings/row.ts";
import { CliFailure } from "../failure.ts";
import { GRACE_SECONDS } from "../program.ts";

/** Seconds for the end of a service: more than its running requests have. */
export const STOP_SECONDS = GRACE_SECONDS + 5;

/** What was asked for. */
export interface ServiceRequest {
  /** Name of the deployment. */
  readonly profile: string;
  /** From login of this user on, or from boot on. */
  readonly scope: "user" | "system";
  /** Port on the loopback address. */
  readonly port: number;
}

/** What is known of the machine. */
export interface InstallMachine {
  /** Number of the present user; `null` where the system has none. */
  readonly userId: number | null;
  /** Directory of the sources; `undefined` for a program without sources. */
  readonly sources: string | undefined;
}

/** One proxy, with all that its file says. */
export interface Service extends ServiceRequest, InstallMachine {
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Variables that it gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Name of the account that it runs under. */
  readonly account: string;
  /** Home directory of who installs. */
  readonly home: string;
  /** Directory of files of this deployment, in the workspace. */
  readonly directory: string;
  /** Where the system looks for configuration of this user. */
  readonly configHome: string;
}

/** Commands that are run one after the other. */
export type CommandLines = readonly (readonly string[])[];

/**
 * What is done with a service. `enable` makes the system know its file, `disable` stops it for good before that goes,
 * `forget` follows when it is gone; `start` and `restart` may be told to one that runs, or does not.
 */
type ServiceAct =
  | "enable"
  | "start"
  | "stop"
  | "restart"
  | "disable"
  | "forget";

/** How one kind of system keeps a proxy running; `/health` says its first three members. */
export interface ServicePlatform
  extends Pick<Deployment, "preset" | "runtime" | "supervisor"> {
  /** Where its file is. */
  path(service: Service): string;
  /**
   * Its file.
   * @throws {CliFailure} If it cannot hold what it must.
   */
  text(service: Service): string;
  /** What to run. */
  commands(service: Service): Readonly<Record<ServiceAct, CommandLines>>;
  /** What a program says that fails because nothing is there that could be stopped. */
  readonly absent: RegExp;
  /** A command that shows why it does not run. */
  why(service: Service): string;
}

/** Settings of a shell that a service does not see, because it reads stored ones: their variables. */
export function unseenVariables(
  env: TextValues,
  stored: TextValues,
): readonly string[] {
  return ROWS.filter((row) =>
    row.persisted !== false && row.available !== false &&
    row !== SETTINGS.port && env[row.env] && env[row.env] !== stored[row.env]
  ).map((row) => row.env);
}

/**
 * Refuses what no file of a service can hold.
 *
 * @param refused Characters beside control characters.
 * @throws {CliFailure} If there are any.
 */
export function plain(text: string, refused: RegExp = /(?!)/): string {
  // deno-lint-ignore no-control-regex
  if (!/[\0-\x1f\x7f]/.test(text) && !refused.test(text)) return text;
  const beside = refused.source === "(?!)" ? "" : ` or ${refused.source}`;
  throw new CliFailure(
    `Cannot write ${
      JSON.stringify(text)
    } into the file of a service: must not contain control characters${beside}`,
  );
}

/** A text inside XML; readers of XML 1.1 would make a line feed of U+0085 and U+2028. */
export function xmlText(text: string): string {
  return plain(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;").replaceAll('"', "&quot;")
    .replaceAll("\x85", "&#x85;").replaceAll("\u2028", "&#x2028;");
}
