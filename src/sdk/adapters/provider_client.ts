/** Clients of `openai` and `@anthropic-ai/sdk`, and of others that are made in the same way. @module */
import { isObject } from "../shapes/look.ts";
import { isJsonObject, objectOr } from "../../bytes/json_parts.ts";
import type { MessageFormat } from "../shape.ts";
import { splitRequest } from "../overrides.ts";
import { type AdapterParts, compressRequest } from "./compress_request.ts";
import { methodOf, passThrough, replaceMethod } from "./pass_through.ts";

/** Where a conversation stands in a request. */
interface Route {
  readonly format: MessageFormat;
  readonly key: string;
}

const CHAT: Route = { format: "openai", key: "messages" };
const MESSAGES: Route = { format: "anthropic", key: "messages" };
const RESPONSES: Route = { format: "responses", key: "input" };

/** Requests with a conversation, by how their paths end. */
const ROUTES: readonly (readonly [RegExp, Route])[] = [
  [/\/chat\/completions$/, CHAT],
  [/\/messages(?:\/count_tokens)?$/, MESSAGES],
  [/\/responses(?:\/(?:input_tokens|compact))?$/, RESPONSES],
];

/** Methods with a conversation, for clients that make their requests in another way. */
const METHODS: readonly (readonly [readonly string[], Route])[] = [
  [["chat", "completions", "create"], CHAT],
  [["messages", "create"], MESSAGES],
  [["messages", "countTokens"], MESSAGES],
  [["beta", "messages", "create"], MESSAGES],
  [["beta", "messages", "countTokens"], MESSAGES],
  [["responses", "create"], RESPONSES],
];

/** Whether it is a client of this kind, by its members. */
export function isProviderClient(client: object): boolean {
  return METHODS.some(([path]) => methodAt(client, path) !== undefined);
}

/**
 * Wraps a client. These clients are classes that make every request, whichever method began it, in one place, which
 * calls `prepareOptions` before the request is written: there the body is still an object. So all methods compress,
 * streams and helpers included, and each returns what it always returned. The client given stays as it is: the wrapped
 * one is a copy, made as its own `withOptions` makes one.
 */
export function wrapProviderClient<T extends object>(
  client: T,
  parts: AdapterParts,
): T {
  const copied = methodOf(client, "withOptions") ?? remade(client);
  const isHooked = copied !== undefined &&
    methodOf(client, "prepareOptions") !== undefined;
  if (!isHooked) return withMethods(client, [], parts);
  const copy = copied({}) as T;
  for (const key of Reflect.ownKeys(client)) {
    const added = Reflect.getOwnPropertyDescriptor(client, key)!;
    if (!(key in copy)) Object.defineProperty(copy, key, added);
  }
  return hooked(copy, parts);
}

/** How clients are copied that were made before they had `withOptions`. */
function remade(
  client: object,
): ((options: object) => object) | undefined {
  const options: unknown = Reflect.get(client, "_options");
  return isJsonObject(options)
    ? () => Reflect.construct(client.constructor, [{ ...options }])
    : undefined;
}

function hooked<T extends object>(client: T, parts: AdapterParts): T {
  const prepare = methodOf(client, "prepareOptions");
  const copied = methodOf(client, "withOptions");
  // Where the client tries again, it begins with the body that was made before.
  const made = new WeakSet<object>();
  replaceMethod(client, "prepareOptions", async (options: object) => {
    await prepare?.(options);
    await compressBody(options, parts, made);
  });
  if (copied !== undefined) {
    replaceMethod(
      client,
      "withOptions",
      (...args: unknown[]) => hooked(copied(...args) as object, parts),
    );
  }
  return client;
}

/** Compresses the body of a request that is about to be written. `made`: bodies that were, which a retry sends again. */
async function compressBody(
  options: object,
  parts: AdapterParts,
  made: WeakSet<object>,
): Promise<void> {
  const { method, path, body, signal } = objectOr(options);
  const route = routeOf(method, path);
  if (!isJsonObject(body) || made.has(body)) return;
  const compressed = route === undefined
    ? withoutOverrides(body)
    : await compressRequest(parts, body, {
      ...route,
      tools: body.tools,
      signal,
    });
  if (compressed === body) return;
  made.add(compressed);
  Reflect.set(options, "body", compressed);
}

/** Requests without a conversation, and batches, are not compressed; what is meant for svc must not leave with them either. */
function withoutOverrides(request: Record<string, unknown>): object {
  const { body } = splitRequest(request);
  const requests: unknown = Reflect.get(body, "requests");
  if (!Array.isArray(requests)) return body;
  const split = requests.map((one: unknown) => {
    const { params } = objectOr(one);
    if (!isJsonObject(params)) return one;
    const { body } = splitRequest(params);
    return body === params ? one : { ...objectOr(one), params: body };
  });
  return split.every((one, i) => one === requests[i])
    ? body
    : { ...body, requests: split };
}

function routeOf(method: unknown, path: unknown): Route | undefined {
  if (String(method).toLowerCase() !== "post" || typeof path !== "string") {
    return undefined;
  }
  const [plain = ""] = path.split("?");
  return ROUTES.find(([end]) => end.test(plain))?.[1];
}

/** Wraps the methods themselves, and the objects on the way to them. */
function withMethods<T extends object>(
  at: T,
  path: readonly string[],
  parts: AdapterParts,
): T {
  const replaced = METHODS.flatMap(([whole, route]) => {
    const key = whole[path.length];
    const isBelow = path.every((step, i) => whole[i] === step);
    if (key === undefined || !isBelow) return [];
    if (whole.length > path.length + 1) {
      const next: unknown = Reflect.get(at, key);
      return isObject(next)
        ? [[key, withMethods(next, [...path, key], parts)] as const]
        : [];
    }
    const method = methodOf(at, key);
    return method ? [[key, laterMethod(method, route, parts)] as const] : [];
  });
  return passThrough(at, Object.fromEntries(replaced));
}

function laterMethod(
  method: (...args: unknown[]) => unknown,
  route: Route,
  parts: AdapterParts,
) {
  return (request: unknown, ...rest: unknown[]): unknown => {
    if (!isJsonObject(request)) return method(request, ...rest);
    const { signal } = objectOr(rest[0]);
    let sent: object = request;
    const ready = compressRequest(parts, request, {
      ...route,
      tools: request.tools,
      signal,
    }).then((compressed) => sent = compressed);
    return new LaterCall(
      ready,
      () => method(sent, ...rest) as PromiseLike<unknown>,
    );
  };
}

function methodAt(
  client: object,
  path: readonly string[],
): ReturnType<typeof methodOf> {
  const holder = path.slice(0, -1).reduce<unknown>(
    (at, key) => isObject(at) ? Reflect.get(at, key) : undefined,
    client,
  );
  return methodOf(holder, path.at(-1)!);
}

/**
 * Stands for the promise of a call that waits for something first. What is asked of it is asked of the call's own
 * promise as soon as there is one, so that nothing is read that nobody asked for.
 */
export class LaterCall<T> extends Promise<T> {
  readonly #call: Promise<{ readonly promise: PromiseLike<T> }>;
  #result: Promise<T> | undefined;

  /** Makes calls whose results are plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /**
   * Makes the call.
   *
   * @param ready Resolves when it may be made.
   * @param call Makes it.
   */
  constructor(ready: Promise<unknown>, call: () => PromiseLike<T>) {
    super((resolve) => resolve(undefined as T));
    // In an object, lest the promise be taken for the result of the promise around it.
    this.#call = ready.then(() => ({ promise: call() }));
    // Whoever asks for the result is told; a call that nobody asks about fails in silence, as the client's own would.
    this.#call.catch(() => {});
  }

  /** As of every promise. */
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= this.#call.then(({ promise }) => promise);
    return this.#result.then(onFulfilled, onRejected);
  }

  /** As of every promise. */
  override catch<B = never>(
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<T | B> {
    return this.then(undefined, onRejected);
  }

  /** As of every promise. */
  override finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally);
  }

  /** The response, unread. */
  asResponse(): Promise<unknown> {
    return this.#asked("asResponse");
  }

  /** The result, and the response. */
  withResponse(): Promise<unknown> {
    return this.#asked("withResponse");
  }

  async #asked(name: "asResponse" | "withResponse"): Promise<unknown> {
    const { promise } = await this.#call;
    const method = Object(promise)[name];
    if (typeof method !== "function") {
      throw new TypeError(`Cannot call ${name}: this client's calls have none`);
    }
    return await method.call(promise);
  }
}
