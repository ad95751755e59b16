/** The query of a report's route. @module */
import type { Context } from "hono";
import { errorResponse } from "../errors.ts";

/** Characters of a wrong value that are given back. */
const MAX_SHOWN = 100;

/** Reads the parameters of one request, and collects those that cannot be used. */
export class Query {
  readonly #c: Context;
  readonly #wrong: object[] = [];

  /** The query of the request in `c`. */
  constructor(c: Context) {
    this.#c = c;
  }

  /** A parameter; `undefined` for one that is not given or does not match. `must`: what it must be. */
  text(name: string, pattern: RegExp, must: string): string | undefined {
    const given = this.#c.req.query(name);
    if (given === undefined || pattern.test(given)) return given;
    this.refuse(name, must);
    return undefined;
  }

  /** One of several words; `undefined` for one that is not given or is none of them. */
  choice<T extends string>(
    name: string,
    choices: readonly T[],
  ): T | undefined {
    const given = this.#c.req.query(name);
    const found = choices.find((choice) => choice === given);
    if (given !== undefined && found === undefined) {
      const must = `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
      this.refuse(name, must, "enum");
    }
    return found;
  }

  /** Notes that a parameter cannot be used. `type`: a slug of what is wrong. */
  refuse(
    name: string,
    must: string,
    type: "enum" | "value_error" = "value_error",
  ): void {
    const given = this.#c.req.query(name) ?? "";
    const shown = JSON.stringify(given.slice(0, MAX_SHOWN));
    const msg = `Cannot use ${name}=${shown}: must be ${must}`;
    this.#wrong.push({ loc: ["query", name], msg, type });
  }

  /** The answer where something cannot be used: 422, with all of it in `detail`. */
  get refusal(): Response | undefined {
    return this.#wrong.length === 0
      ? undefined
      : errorResponse(JSON.stringify({ detail: this.#wrong }), 422);
  }
}
