/** Signals of the system. @module */
import type { StopSignal } from "./io.ts";

/** Seconds that running requests get to end after the first stop signal. */
export const GRACE_SECONDS = 10;

/** Signals that ask a program to end, where the platform has them. */
const STOP_SIGNALS: readonly StopSignal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGINT", "SIGTERM"];

/**
 * Milliseconds in which a second signal of the same name is an echo of the first. A runner such as `deno task` gets the
 * terminal's signal and passes it on, so that one key press arrives twice, some 10 ms apart. A terminal sends SIGINT and
 * no program does twice; SIGTERM comes from programs, which may mean both.
 */
const ECHO_MS: Readonly<Record<StopSignal, number>> = {
  SIGINT: 300,
  SIGBREAK: 300,
  SIGTERM: 100,
};

/**
 * Leaves out the echoes of a signal.
 *
 * @param now Milliseconds that never go back.
 */
export function withoutEchoes(
  handler: (signal: StopSignal) => void,
  now: () => number,
): (signal: StopSignal) => void {
  const last = new Map<StopSignal, number>();
  return (signal) => {
    const at = now();
    if (at - (last.get(signal) ?? -Infinity) < ECHO_MS[signal]) return;
    last.set(signal, at);
    handler(signal);
  };
}

/** Calls `handler` once for each request to end, until the returned function is called. */
export function onStopSignal(
  handler: (signal: StopSignal) => void,
): () => void {
  const once = withoutEchoes(handler, () => performance.now());
  const listeners = STOP_SIGNALS.map((signal) =>
    [signal, () => once(signal)] as const
  );
  for (const [signal, listener] of listeners) {
    Deno.addSignalListener(signal, listener);
  }
  return () => {
    for (const [signal, listener] of listeners) {
      Deno.removeSignalListener(signal, listener);
    }
  };
}

/** Calls `handler` on every SIGHUP until the returned function is called; never on Windows, which has none. */
export function onHangUp(handler: () => void): () => void {
  if (Deno.build.os === "windows") return () => {};
  Deno.addSignalListener("SIGHUP", handler);
  return () => Deno.removeSignalListener("SIGHUP", handler);
}
