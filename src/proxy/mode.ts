/** Which mode one request runs in. @module */
import type { CompressionMode } from "../core/mode.ts";

/** Values of `x-svc-mode` with which a body goes upstream as it came. */
const UNTOUCHED = new Set(["passthrough", "audit", "simulate"]);

/**
 * `passthrough` when the client asks for it with `x-svc-bypass: true` or
 * `x-svc-mode: passthrough` (`audit` and `simulate` mean the same here; in any case), else the configured mode.
 */
export function modeOf(
  headers: Headers,
  configured: CompressionMode,
): CompressionMode {
  const said = (name: string) => headers.get(name)?.trim().toLowerCase() ?? "";
  return said("x-svc-bypass") === "true" || UNTOUCHED.has(said("x-svc-mode"))
    ? "passthrough"
    : configured;
}
