/** Writing to standard streams. @module */
import { systemCode } from "./failure.ts";

/** A stream that is written at once, in parts of its own choice. */
export interface SyncWriter {
  /** Writes a part and says how many bytes that was. */
  writeSync(bytes: Uint8Array): number;
}

/**
 * Writes all bytes before it returns.
 *
 * @throws {Error} The stream's own, with `code` `EPIPE` if nobody reads any more.
 */
export function writeAll(stream: SyncWriter, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    written += stream.writeSync(bytes.subarray(written));
  }
}

/** Writes a text; talk that nobody can hear any more, on a closed terminal or pipe, is no failure of what is going on. */
export function talk(stream: SyncWriter, text: string): void {
  try {
    writeAll(stream, new TextEncoder().encode(text));
  } catch (error) {
    if (!["EPIPE", "EIO"].includes(systemCode(error) ?? "")) throw error;
  }
}
