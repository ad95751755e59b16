/** How a worker that may not read files gets its parts: it asks the thread that started it. @module */

/** From the worker. */
export interface PartWanted {
  /** Sets it apart from the answers of the worker. */
  readonly type: "part_wanted";
  /** Name of the part; see `parts.ts`. */
  readonly name: string;
}

/** To the worker. */
export interface PartGiven {
  /** Sets it apart from the jobs of the worker. */
  readonly type: "part_given";
  /** Name of the part. */
  readonly name: string;
  /** Its content, when it could be loaded. */
  readonly content?: unknown;
  /** Why it could not. */
  readonly failure?: string;
}

/** The worker's side of its port, as far as it is used here. */
export interface PartsPort {
  /** Sends a message to the thread that started the worker. */
  postMessage(message: PartWanted): void;
  /** Calls `listener` with every message from there. */
  addEventListener(
    type: "message",
    listener: (event: MessageEvent<PartGiven>) => void,
  ): void;
}

/**
 * Makes a function that asks for parts. It keeps the answers from those who listen after it.
 *
 * @returns Gives the content of the part of that name; rejects if it cannot be loaded.
 */
export function partsFrom(port: PartsPort): (name: string) => Promise<unknown> {
  const waiting = new Map<string, PromiseWithResolvers<unknown>>();
  port.addEventListener("message", (event) => {
    const { data } = event;
    if (data.type !== "part_given") return;
    event.stopImmediatePropagation();
    const asked = waiting.get(data.name);
    waiting.delete(data.name);
    if (data.failure === undefined) asked?.resolve(data.content);
    else asked?.reject(new Error(data.failure));
  });
  return (name) => {
    const asked = waiting.get(name) ?? Promise.withResolvers<unknown>();
    waiting.set(name, asked);
    port.postMessage({ type: "part_wanted", name });
    return asked.promise;
  };
}
