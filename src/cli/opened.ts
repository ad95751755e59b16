/** What the outside world opens for commands: servers, the library, the originals and the ledger. @module */
import type {
  CompressedText,
  CompressTextOptions,
} from "../core/compress_text.ts";
import type { LedgerReader } from "../core/ledger_reader.ts";
import type { Retrieved } from "../core/retrieved.ts";
import type { RetrievalArguments } from "../core/retrieval.ts";
import type { CcrStore } from "../core/store.ts";

/** A server on this machine. */
export interface LocalServer {
  /** Port it listens on. */
  readonly port: number;
  /** Lets running requests end, then closes it. */
  stop(): Promise<void>;
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

/** An MCP server on standard input and output. */
export interface RunningMcp {
  /** Resolves when the client has left, or after {@linkcode RunningMcp.stop}; everything is closed by then. */
  readonly finished: Promise<void>;
  /** Ends the connection. */
  stop(): Promise<void>;
}

/** How an MCP server runs. */
export interface McpOptions {
  /** Proxy that is asked for originals that the local store does not have; `undefined` for none. */
  readonly proxy: URL | undefined;
  /** Takes a line about each thing that is done; `undefined` when nobody wants to know. */
  readonly debug: ((line: string) => void) | undefined;
}

/** Originals that would be removed, or were. */
export interface ClearedOriginals {
  /** How many. */
  readonly entries: number;
  /** Sum of their UTF-8 bytes. */
  readonly bytes: number;
}

/** The originals on disk; a running proxy may be using them as well. What was cleared is out of the files once it is closed. */
export interface KeptOriginals extends AsyncDisposable {
  /** For look-ups. */
  readonly store: CcrStore;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Bytes of the files on disk. */
  fileBytes(): Promise<number>;
  /** Gives an original or a part of it back, and counts it. */
  retrieve(wanted: RetrievalArguments): Promise<Retrieved>;
  /** Counts what {@linkcode KeptOriginals.clear} would remove now. */
  clearable(what: "idle" | "all"): ClearedOriginals;
  /**
   * Removes what belongs to no conversation of the last 30 minutes, or everything.
   * @throws {Error} If the file may not be written or stays locked: nothing was removed.
   */
  clear(what: "idle" | "all"): Promise<ClearedOriginals>;
}

/** The ledger on disk, for reading; a running proxy may be writing to it. */
export interface OpenedLedger extends Disposable {
  /** Reads it. */
  readonly reader: LedgerReader;
}
