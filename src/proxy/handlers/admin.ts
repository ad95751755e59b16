/** What an operator's tools may ask and change while the proxy runs. @module */
import type { ResponseCache } from "../response_cache.ts";
import { noStore } from "../routes.ts";
import { isJsonObject } from "../../bytes/json_parts.ts";
import type { Context, Handler } from "hono";
import type { ProxyEnv } from "../env.ts";
import { errorResponse } from "../errors.ts";
import { withJson } from "../request_body.ts";

/** What the routes need. */
export interface AdminParts {
  /** The answer to `GET /admin/upstream`: no credentials in it. */
  readonly upstream: () => object;
  /** Changes settings by their variables; says what was taken, and why the rest was not. */
  readonly apply: (values: Readonly<Record<string, unknown>>) => {
    readonly applied: Readonly<Record<string, string>>;
    readonly refused: Readonly<Record<string, string>>;
    /** Those that may be logged. */
    readonly refusedSettings: readonly string[];
  };
  /** What is in force of them. */
  readonly runtimeEnv: () => object;
}

/** Largest request body in bytes. */
const MAX_BODY = 1024 * 1024;

const NO_OBJECT = { error: "expected a JSON object of {ENV_NAME: value}" };

/** Makes the handlers. */
export function admin(
  { upstream, apply, runtimeEnv }: AdminParts,
) {
  return {
    /** `GET /admin/upstream`: where requests go; there is no route that changes it. */
    upstream: () => noStore(upstream()),
    /** `POST /admin/runtime-env` with `{NAME: value}`; what is not applied is named with the reason. */
    runtimeEnv: (c: Context<ProxyEnv>) =>
      withJson(c.req.raw, { maxBytes: MAX_BODY, notJson: refusal }, (body) => {
        if (!isJsonObject(body)) return refusal();
        const { applied, refused, refusedSettings } = apply(body);
        c.set("auditDetails", {
          changed_keys: Object.keys(applied),
          refused_keys: refusedSettings,
        });
        return noStore({ applied, runtime_env: runtimeEnv(), refused });
      }),
  };
}

function refusal(): Response {
  return errorResponse(JSON.stringify(NO_OBJECT), 400);
}

/**
 * Makes the handler of `POST /cache/clear`.
 *
 * @param cache `undefined` when there is none: that is an answer too, not an error.
 */
export function clearCache(
  cache: Pick<ResponseCache, "clear"> | undefined,
): Handler<ProxyEnv> {
  return () => {
    cache?.clear();
    const status = cache === undefined ? "cache disabled" : "cleared";
    return noStore({ status });
  };
}
