import assert from "node:assert/strict";
import type { StopSignal } from "../../src/cli/io.ts";
import { onHangUp, withoutEchoes } from "../../src/cli/signals.ts";

/** Signals that get through, of those at these milliseconds. */
function heard(signals: readonly (readonly [number, StopSignal])[]): number[] {
  let now = 0;
  const times: number[] = [];
  const hear = withoutEchoes(() => times.push(now), () => now);
  for (const [at, signal] of signals) {
    now = at;
    hear(signal);
  }
  return times;
}

Deno.test("withoutEchoes takes two arrivals of one key press as one", () => {
  assert.deepEqual(heard([[0, "SIGINT"], [12, "SIGINT"]]), [0]);
  assert.deepEqual(heard([[0, "SIGTERM"], [12, "SIGTERM"]]), [0]);
});

Deno.test("withoutEchoes hears two real signals, also after many echoes", () => {
  assert.deepEqual(heard([[0, "SIGTERM"], [299, "SIGTERM"]]), [0, 299]);
  assert.deepEqual(heard([[0, "SIGINT"], [300, "SIGINT"]]), [0, 300]);
  const steps = [0, 200, 400, 600].map((at) => [at, "SIGINT"] as const);
  assert.deepEqual(heard(steps), [0, 400]);
});

Deno.test("withoutEchoes takes another signal for no echo", () => {
  assert.deepEqual(heard([[0, "SIGINT"], [1, "SIGTERM"]]), [0, 1]);
});

Deno.test({
  name: "onHangUp calls its handler on SIGHUP until it is taken back",
  ignore: Deno.build.os === "windows",
  async fn() {
    const came = Promise.withResolvers<void>();
    // A signal listener alone does not keep the event loop going.
    const alive = setInterval(() => {}, 1000);
    const takeBack = onHangUp(came.resolve);
    Deno.kill(Deno.pid, "SIGHUP");
    await came.promise;
    takeBack();
    clearInterval(alive);
  },
});
