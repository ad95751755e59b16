/** Which mode one request runs in. @module */
import type { CompressionMode } from "../core/mode.ts";

/**
 * `passthrough` when the client asks for it with `x-svc-bypass: true` or
 * `x-svc-mode: passthrough` (in any case), else the configured mode.
 */
export function modeOf(
  headers: Headers,
  configured: CompressionMode,
): CompressionMode {
  const says = (name: string, value: string) =>
    headers.get(name)?.trim().toLowerCase() === value;
  return says("x-svc-bypass", "true") || says("x-svc-mode", "passthrough")
    ? "passthrough"
    : configured;
}
