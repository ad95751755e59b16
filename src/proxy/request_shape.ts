/** Requests that are refused by their shape, before anything looks at where they go. @module */
import { isForwardable } from "../upstream/forward.ts";
import { errorResponse, methodNotAllowed, noWebSockets } from "./errors.ts";
import { keepingLast } from "./keeping_last.ts";

/**
 * The answer to a request that no route may see; `undefined` for all others.
 *
 * Methods that make tunnels or echo credentials get 405, on every path. A WebSocket gets
 * 426, which tells clients that have another way to take it at once. A request
 * that the next server might read otherwise than this one gets 400: the runtime lets
 * a repeated `Content-Length`, a transfer coding that it does not undo, and any text
 * as `Host` through. So does one in absolute form that names another host than its
 * `Host` field: it is meant for a proxy of another kind.
 *
 * @param request As the runtime gives it: its URL begins with the `Host` field as it was written.
 */
export function refuseShape(request: Request): Response | undefined {
  if (!isForwardable(request.method)) return methodNotAllowed();
  if (/^websocket$/i.test(request.headers.get("upgrade") ?? "")) {
    return noWebSockets();
  }
  const fault = faultOf(request);
  return fault === undefined ? undefined : badRequest(fault);
}

function faultOf({ headers, url }: Request): string | undefined {
  const length = headers.get("content-length");
  if (length !== null && !/^\d{1,15}$/.test(length)) {
    return "content-length must be one number";
  }
  const coding = headers.get("transfer-encoding");
  if (coding !== null && coding.trim().toLowerCase() !== "chunked") {
    return "transfer-encoding must be chunked or absent";
  }
  if (coding !== null && length !== null) {
    return "content-length and transfer-encoding exclude each other";
  }
  if (!canParse(url)) return "the target or the host field is malformed";
  const host = headers.get("host");
  // Without the field the runtime invents a host; the gates then refuse the request themselves.
  if (host && authorityOf(url).toLowerCase() !== host.toLowerCase()) {
    return "the target names another host than the host field";
  }
  return undefined;
}

const canParse = keepingLast((url) => URL.canParse(url));

/** What stands between `://` and the path, as it was written. */
function authorityOf(url: string): string {
  return /^[^:]*:\/\/([^/?#]*)/.exec(url)?.[1] ?? "";
}

function badRequest(fault: string): Response {
  const error = {
    type: "invalid_request_error",
    message: `Cannot read this request: ${fault}`,
    code: 400,
  };
  return errorResponse(JSON.stringify({ type: "error", error }), 400, {
    connection: "close",
  });
}
