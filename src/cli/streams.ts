/** Reading and writing whole streams. @module */
import { concat } from "../bytes/concat.ts";
import { systemCode } from "../core/errors.ts";
import { systemError } from "./failure.ts";

/**
 * Reads a file or a pipe with a name.
 *
 * @param maxBytes What is longer is refused, as far as possible before it is read.
 * @throws {Error} The system's, with its `code`; with `EFTYPE` for a device, which may have no end, and `EFBIG` for
 * more than `maxBytes`.
 */
export async function readFileAtMost(
  path: string,
  maxBytes: number,
): Promise<Uint8Array> {
  using file = await Deno.open(path);
  const { isDirectory, isCharDevice, isBlockDevice, size } = await file.stat();
  if (isDirectory) throw systemError("EISDIR", "is a directory");
  if (isCharDevice || isBlockDevice) throw systemError("EFTYPE", "a device");
  if (size > maxBytes) throw tooLarge(maxBytes);
  return await readAtMost(file.readable, maxBytes);
}

/**
 * Reads a stream to its end.
 *
 * @throws {Error} With `code` `EFBIG` once there are more than `maxBytes`; the rest is not read.
 */
export async function readAtMost(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return concat(chunks);
}

function tooLarge(maxBytes: number): Error {
  return systemError("EFBIG", `longer than ${maxBytes} bytes`);
}

/**
 * Splits a stream of UTF-8 at line feeds; empty lines are left out, a last line without line feed counts.
 * Work is linear in the bytes.
 */
export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of bytes) {
    const [rest, ...more] = decoder.decode(chunk, { stream: true }).split("\n");
    parts.push(rest!);
    for (const part of more) {
      const line = parts.join("");
      parts = [part];
      if (line !== "") yield line;
    }
  }
  const last = parts.join("") + decoder.decode();
  if (last !== "") yield last;
}

/** A stream that is written at once, in parts of its own choice. */
interface SyncWriter {
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
