/** Reading whole inputs that must not be endless. @module */
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
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function tooLarge(maxBytes: number): Error {
  return systemError("EFBIG", `longer than ${maxBytes} bytes`);
}
