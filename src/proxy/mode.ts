/** Which mode one request runs in. @module */
import type { CompressionMode } from "../core/mode.ts";
import { ownHeader } from "../upstream/header_policy.ts";

/** Values of `x-svc-mode` with which the client only wants to know what would be done. */
const SIMULATED = new Set(["audit", "simulate"]);

/** Whether the client asks what would be done to its body, with `x-svc-mode: audit` or `simulate`. */
export function isSimulation(headers: Headers): boolean {
  return SIMULATED.has(said(headers, "mode"));
}

/** Values of `x-svc-mode` with which a body goes upstream as it came. */
const UNTOUCHED = new Set(["passthrough", ...SIMULATED]);

/**
 * `passthrough` when the client asks for it with `x-svc-bypass: true` or
 * `x-svc-mode: passthrough` (`audit` and `simulate` mean the same here; in any case), else the configured mode.
 */
export function modeOf(
  headers: Headers,
  configured: CompressionMode,
): CompressionMode {
  return isBypassed(headers) ||
      UNTOUCHED.has(said(headers, "mode"))
    ? "passthrough"
    : configured;
}

/** Whether the client wants nothing of us, with `x-svc-bypass: true`. */
export function isBypassed(headers: Headers): boolean {
  return said(headers, "bypass") === "true";
}

function said(headers: Headers, name: string): string {
  return ownHeader(headers, name)?.trim().toLowerCase() ?? "";
}
