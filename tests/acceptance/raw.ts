/** Requests as bytes on a socket. */
import { HANG_MS } from "../hang.ts";

/** Bytes that are sent as they stand, and what comes back until the connection ends; a reset is an end. */
export async function rawExchange(
  url: string,
  bytes: Uint8Array | string,
  boundMs = HANG_MS,
): Promise<string> {
  const port = Number(new URL(url).port);
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const timer = setTimeout(() => connection.close(), boundMs);
  const chunks: Uint8Array[] = [];
  try {
    const sending = sendAll(
      connection,
      typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes,
    );
    for await (const chunk of connection.readable) chunks.push(chunk);
    await sending;
  } catch (error) {
    if (!isEnd(error)) throw error;
  } finally {
    clearTimeout(timer);
  }
  return new TextDecoder().decode(await new Blob(chunks as BlobPart[]).bytes());
}

function isEnd(error: unknown): boolean {
  return error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.Interrupted ||
    error instanceof Deno.errors.BadResource;
}

/** Sends everything; the other end may answer and close before it has read all of it. */
export async function sendAll(
  connection: Deno.Conn,
  bytes: Uint8Array,
): Promise<void> {
  try {
    for (let at = 0; at < bytes.length;) {
      at += await connection.write(bytes.subarray(at));
    }
  } catch (error) {
    if (!isEnd(error)) throw error;
  }
}
