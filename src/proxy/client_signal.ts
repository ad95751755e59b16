/** One signal for a client that leaves, whoever notices it. @module */
import type { ProxyEnv } from "./env.ts";

/** A signal and what it costs to keep it. */
export interface ClientSignal {
  /** Aborts when the client leaves; whoever ends the call for another reason aborts it too. */
  readonly controller: AbortController;
  /** Ends the watch: the call is over. */
  readonly forget: () => void;
}

/** Makes the signal of one request. `env` is absent where there is no server. */
export function clientSignal(
  { signal }: Pick<Request, "signal">,
  env: Partial<ProxyEnv["Bindings"]> | undefined,
): ClientSignal {
  const controller = new AbortController();
  const leave = () => controller.abort(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  env?.onLeave?.(() =>
    controller.abort(new DOMException("The client disconnected", "AbortError"))
  );
  return {
    controller,
    forget: () => signal.removeEventListener("abort", leave),
  };
}
