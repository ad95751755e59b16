/** What the command line needs from the outside; tests pass literals. @module */
import type { Looked } from "../core/decision.ts";
import type { Config } from "../settings/resolve.ts";
import type { TextValues } from "../settings/row.ts";

/** A proxy that takes requests. */
export interface RunningProxy {
  /** Port it listens on, the real one also where port 0 was asked for. */
  readonly port: number;
  /** Where originals really are: in memory also where the file could not be used. */
  readonly storeBackend: "sqlite" | "memory";
  /** Takes no new request, lets the running ones end, then closes everything. */
  stop(): Promise<void>;
}

/** A server on this machine. */
export interface LocalServer {
  /** Port it listens on. */
  readonly port: number;
  /** Lets running requests end, then closes it. */
  stop(): Promise<void>;
}

/** One text after compression. */
export interface CompressedText {
  /** The text to use: the given one when nothing was gained. */
  readonly text: string;
  /** Tokens of the given text. */
  readonly tokensBefore: number;
  /** Tokens of `text`. */
  readonly tokensAfter: number;
  /** Id of the compressor; empty when the text was left alone. */
  readonly strategy: string;
  /** Why the text was left alone, as a slug; absent when it was not. */
  readonly reason?: string;
  /** What the text and the texts inside it were taken for. */
  readonly looked?: Looked;
}

/** What helps a compressor to decide. */
export interface CompressTextOptions {
  /** Tool that printed the text. */
  readonly toolName?: string;
  /** What the reader looks for. */
  readonly query?: string;
  /** Only forms that can be turned back. */
  readonly lossless?: boolean;
  /** File that the text is the content of. */
  readonly path?: string;
  /** Whether source code may be shown as an outline. */
  readonly codeAware?: boolean;
  /** Whether forms that lose nothing may be used. */
  readonly folds?: boolean;
}

/** The part of the library that `svc compress` uses. */
export interface TextCompression {
  /** Compresses one text. */
  compressText(
    text: string,
    options: CompressTextOptions,
  ): CompressedText | Promise<CompressedText>;
  /** Releases what compression opened. */
  close(): Promise<void>;
}

/** The outside world. */
export interface CliIo {
  /** The environment. */
  readonly env: TextValues;
  /** Directory where relative paths of the command line start; absolute. */
  readonly cwd: string;
  /** Whether stderr is a terminal. */
  readonly stderrIsTerminal: boolean;
  /**
   * Writes data, all of it before it returns.
   * @throws {Error} With `code` `EPIPE` if nobody reads any more.
   */
  stdout(bytes: Uint8Array): void;
  /** Writes talk: messages, progress, errors. */
  stderr(text: string): void;
  /**
   * All of standard input.
   * @throws {Error} With `code` `EFBIG` if it is longer than `maxBytes`.
   */
  stdin(maxBytes: number): Promise<Uint8Array>;
  /**
   * A whole file.
   * @throws {Error} With `code` `ENOENT` or `EISDIR` in the two usual cases, `EFTYPE` for a device, `EFBIG` if it is
   * longer than `maxBytes`.
   */
  readFile(path: string, maxBytes: number): Promise<Uint8Array>;
  /** Addresses and host names of this machine. */
  ownNames(): readonly string[];
  /** Calls `handler` on every SIGINT and SIGTERM until the returned function is called. */
  onStopSignal(handler: () => void): () => void;
  /**
   * Opens the proxy and listens.
   * @throws {ServiceError} If it cannot listen there.
   */
  startProxy(config: Config): Promise<RunningProxy>;
  /** Listens on any free port of the loopback address. */
  serve(handle: (request: Request) => Promise<Response>): Promise<LocalServer>;
  /** Opens the library. */
  openLibrary(): Promise<TextCompression>;
}
