/** Says that this process lives while it holds something that others count. @module */

/** A third of the time after which a process counts as dead, in milliseconds. */
export const BEAT_MS = 20_000;

/** Beats while there is something to hold. */
export interface Heartbeat extends Disposable {
  /** To be called whenever it may have changed whether something is held. */
  update(): void;
}

/**
 * Makes one that does not beat yet.
 *
 * @param holds Whether something is held now.
 * @param beat Tells the others; must not throw.
 * @param everyMs {@linkcode BEAT_MS} when not given.
 */
export function makeHeartbeat(
  holds: () => boolean,
  beat: () => void,
  everyMs: number = BEAT_MS,
): Heartbeat {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const tick = () => holds() ? beat() : stop();
  return {
    update() {
      // Stopped by the next beat: requests come and go, the timer stays.
      if (timer === undefined && holds()) timer = setInterval(tick, everyMs);
    },
    [Symbol.dispose]: stop,
  };
}
