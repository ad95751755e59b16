/** Digests for the tests of this folder. @module */
import { hash } from "node:crypto";

/** The SHA-256 of a number, in 64 hex digits. */
export function hexOf(seed: number): string {
  return hash("sha256", `${seed}`);
}

/** The SHA-512 of a number, as lock files write it. */
export function integrityOf(seed: number): string {
  return `sha512-${hash("sha512", `${seed}`, "base64")}`;
}
