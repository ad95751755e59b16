/** What `svc wrap` needs of the system beside what every command may do; tests pass literals. @module */
import type { TextValues } from "../../settings/row.ts";

/** A program to start. */
export interface Launched {
  /** Absolute path of the program, and its arguments. */
  readonly command: readonly string[];
  /** Its whole environment. */
  readonly env: TextValues;
  /** Directory to start it in. */
  readonly cwd: string;
}

/** A program in the background that outlives this one. */
export interface Background {
  /** Number of its process. */
  readonly pid: number;
  /** What it has said so far. */
  said(): string;
  /** Whether it has ended. */
  hasEnded(): boolean;
  /** Stops listening to it. */
  letGo(): void;
}

/** A file that marks something as in use, as long as this program runs. */
export interface HeldFile {
  /** Removes it. */
  release(): Promise<void>;
}

/** Who listens on a port. */
export interface PortOwner {
  /** Number of the process. */
  readonly pid: number;
  /** Name of its program. */
  readonly name: string;
}

/** The system. */
export interface WrapSystem {
  /** Number of this process. */
  readonly pid: number;
  /** Absolute path of a program in `PATH`; `undefined` where there is none. */
  findProgram(name: string, env: TextValues): Promise<string | undefined>;
  /**
   * Starts a program with this terminal, and passes signals on to it. Keys such as Ctrl-C reach it from the terminal.
   * @returns Its exit code; 128 and the signal's number where one ended it.
   */
  runAgent(program: Launched): Promise<number>;
  /** Starts a program in a session of its own: no terminal and no signal of it. */
  startBackground(program: Launched): Background;
  /** Asks a process to end; nothing happens where there is none. */
  askToEnd(pid: number): void;
  /** Whether a process runs. */
  isRunning(pid: number): Promise<boolean>;
  /** Whether nothing listens on a port. */
  isFree(host: string, port: number): boolean;
  /** Who listens on a port, where the system says so. */
  ownerOf(port: number): Promise<PortOwner | undefined>;
  /**
   * Makes a file and holds it until it is released or this program ends, however that happens.
   * @throws {Error} The system's, if it cannot be made.
   */
  hold(path: string, text: string): Promise<HeldFile>;
  /** Whether a running program holds that file. */
  isHeld(path: string): Promise<boolean>;
}
