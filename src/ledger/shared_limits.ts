/** Limits that the processes of one port share. @module */
import type { Clock } from "../core/clock.ts";
import type { InFlight, RateLimit } from "../core/limits.ts";
import type { AskedTask, TaskAnswer } from "./channel.ts";

/** Makes limits that hold for all processes together. */
export interface SharedLimits {
  /** At most `limit` requests under way. Asked again, it is the same one under another limit. */
  inFlight(limit: number): InFlight;
  /** At most `perMinute` requests per caller, which may come at once after a pause. */
  rateLimit(perMinute: number): RateLimit;
}

/** What shared limits need. */
export interface SharedLimitParts {
  /** Time. */
  readonly clock: Clock;
  /** Does a task in the database that the processes share; rejects without an answer in time. */
  readonly ask: (task: AskedTask) => Promise<TaskAnswer>;
  /** Called when a request passes because nothing could be decided. */
  readonly onFailure: (error: unknown) => void;
  /** Called when it may have changed whether places are taken. */
  readonly onHeld: () => void;
}

/** Of so many places one is kept at hand by each process, so that not every request asks for its own. */
const SPARE_SHARE = 64;
/** Milliseconds for which places are this process's own without a sign of life: half of what others wait. */
const LEASE_MS = 30_000;

/**
 * Places of this process. It takes some from the common pool, hands them out and gives back those that it does not
 * need. All processes together never have more than the limit; each may hold a 64th of it in reserve. While the
 * database does not answer, the limit holds for each of them.
 */
export class SharedPlaces implements InFlight {
  readonly #parts: SharedLimitParts;
  #limit: number;
  /** Places of this process, and those of them that are taken. */
  #owned = 0;
  #taken = 0;
  /** Requests that wait for a place. */
  #wanted = 0;
  /** When `#owned` was last told to the others. */
  #toldAt = -Infinity;
  #asking: Promise<void> | undefined;

  /** Holds nothing. */
  constructor(limit: number, parts: SharedLimitParts) {
    this.#parts = parts;
    this.#limit = limit;
  }

  /** Another limit for requests to come; those under way stay. */
  resize(limit: number): void {
    this.#limit = limit;
  }

  /** Requests under way in this process. */
  get taken(): number {
    return this.#taken;
  }

  async enter(): Promise<(() => void) | undefined> {
    // Those who wait came first.
    if (this.#free() > this.#wanted) return this.#take();
    this.#wanted++;
    try {
      const asking = this.#asking;
      if (asking !== undefined) await asking;
      // That answer may leave nothing for this one.
      if (this.#free() <= 0) await this.#ask();
      return this.#free() > 0 ? this.#take() : undefined;
    } catch (error) {
      // A limit that nobody can look up must not stop all work.
      this.#parts.onFailure(error);
      return this.#taken < this.#limit ? this.#take() : undefined;
    } finally {
      this.#wanted--;
    }
  }

  /** Tells the others again what this process has. Never rejects. */
  async renew(): Promise<void> {
    try {
      await this.#ask();
    } catch (error) {
      this.#parts.onFailure(error);
    }
  }

  #free(): number {
    const age = Math.abs(this.#parts.clock.now() - this.#toldAt);
    return age > LEASE_MS ? 0 : this.#owned - this.#taken;
  }

  #spare(): number {
    return Math.floor(this.#limit / SPARE_SHARE);
  }

  #take(): () => void {
    this.#taken++;
    this.#parts.onHeld();
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken--;
      this.#tidy();
    };
  }

  /** Gives back what is not needed. */
  #tidy(): void {
    const surplus = this.#owned - this.#taken;
    if (surplus <= 2 * this.#spare() || this.#asking !== undefined) return;
    void this.renew();
  }

  /** One question at a time, so that the answer is what the others know. */
  #ask(): Promise<void> {
    return this.#asking ??= this.#exchange().finally(() => {
      this.#asking = undefined;
      // What was given back meanwhile.
      this.#tidy();
    });
  }

  async #exchange(): Promise<void> {
    // Those who ask in the same turn ask together.
    await null;
    const { ask, clock } = this.#parts;
    const at = clock.now();
    const limit = this.#limit;
    const needed = this.#taken + this.#wanted + this.#spare();
    const wanted = Math.min(needed, limit);
    // From now on others may have the rest.
    this.#owned = Math.min(this.#owned, wanted);
    const answer = await ask({ type: "places", wanted, limit });
    this.#owned = Number(answer);
    this.#toldAt = at;
  }
}

/** Takes from a caller's share in the database. */
export class SharedRate implements RateLimit {
  readonly #parts: SharedLimitParts;
  readonly #perMinute: number;

  /** Everybody has the whole share. */
  constructor(perMinute: number, parts: SharedLimitParts) {
    this.#parts = parts;
    this.#perMinute = perMinute;
  }

  async take(caller: string): Promise<number> {
    const { ask, onFailure } = this.#parts;
    const perMinute = this.#perMinute;
    try {
      return Number(await ask({ type: "take", caller, perMinute }));
    } catch (error) {
      // A limit that nobody can look up must not stop all work.
      onFailure(error);
      return 0;
    }
  }
}

/** A third of the time after which a process counts as dead, in milliseconds. */
const BEAT_MS = 20_000;

/** Beats while there is something to hold. */
export type Heartbeat = ReturnType<typeof makeHeartbeat>;

/**
 * Makes one that does not send heartbeats yet.
 *
 * @param holds Whether something is held now.
 * @param heartbeat Tells the others; must not throw.
 * @param everyMs {@linkcode BEAT_MS} when not given.
 */
export function makeHeartbeat(
  holds: () => boolean,
  heartbeat: () => void,
  everyMs: number = BEAT_MS,
) {
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const tick = () => holds() ? heartbeat() : stop();
  return {
    /** To be called whenever it may have changed whether something is held. */
    update() {
      // Stopped by the next heartbeat: requests come and go, the timer stays.
      if (timer === undefined && holds()) timer = setInterval(tick, everyMs);
    },
    [Symbol.dispose]: stop,
  };
}
