/** Reading and changing stored settings over HTTP. @module */
import { noStore } from "../routes.ts";
import { isJsonObject } from "../../bytes/json_parts.ts";
import type { Context } from "hono";
import { type Deployment, restartsItself } from "../../core/deployment.ts";
import type { SaveOutcome } from "../../core/setting.ts";
import type { ProxyEnv } from "../env.ts";
import { detailResponse, errorResponse } from "../errors.ts";
import { withJson } from "../request_body.ts";

/** Stored settings, as the routes use them. Secrets come out masked. */
export interface SettingsStorage {
  /** The answer to `GET /settings/schema`. */
  schema(): Promise<object>;
  /** Stored values by key. */
  stored(): Promise<Readonly<Record<string, unknown>>>;
  /** Merges values into what is stored: all of them or none. */
  save(values: Readonly<Record<string, unknown>>): Promise<SaveOutcome>;
}

/** What of the stored settings a running proxy took over, by key. */
export type ApplyOutcome =
  | {
    readonly type: "applied";
    /** In force for requests that come from now on. */
    readonly applied: readonly string[];
    /** Waiting for the next start. */
    readonly needsRestart: readonly string[];
    /** Whether that start follows by itself, as soon as running requests have ended. */
    readonly restarts?: true;
  }
  /** Nothing: what was in force stays in force. */
  | { readonly type: "refused"; readonly reason: string };

/** What the routes need. */
export interface SettingsParts {
  /** Where settings are. */
  readonly storage: SettingsStorage;
  /** Makes the running proxy read its stored settings again. */
  readonly apply: () => Promise<ApplyOutcome>;
  /** How the system keeps the proxy running; absent where somebody started it by hand. */
  readonly deployment?: Deployment | undefined;
}

/** Largest request body in bytes. */
const MAX_BODY = 1024 * 1024;

/** Makes the handlers. Those that write tell the audit which keys changed, never a value. */
export function settings(
  { storage, apply, deployment }: SettingsParts,
) {
  return {
    /** `GET /settings`: stored values only. */
    get: async () => noStore(await storage.stored()),
    /** `GET /settings/schema`: every setting, its effective value and where that comes from. */
    schema: async () => noStore(await storage.schema()),
    /** `POST /settings` with `{values}`. */
    post: (c: Context<ProxyEnv>) =>
      withBody(c, async (body) => {
        const values = valuesOf(body);
        if (values === undefined) return detailResponse(400, NO_VALUES);
        return saved(c, await storage.save(values));
      }),
    /** `POST /settings/apply` with `{}` or `{values}`. */
    apply: (c: Context<ProxyEnv>) =>
      withBody(c, async (body) => {
        const values = valuesOf(body);
        if (values === undefined && "values" in body) {
          return detailResponse(400, NO_VALUES);
        }
        if (values !== undefined) {
          const response = saved(c, await storage.save(values));
          if (!response.ok) return response;
        }
        return applied(c, await apply(), deployment);
      }),
  };
}

const NO_VALUES = 'expected a JSON object {"values": {key: value}}';

function saved(c: Context<ProxyEnv>, outcome: SaveOutcome): Response {
  switch (outcome.type) {
    case "saved": {
      c.set("auditDetails", { changed_keys: outcome.changed });
      return noStore({
        ok: true,
        needs_restart: outcome.needsRestart.length > 0,
        changed_keys: outcome.changed,
        needs_restart_keys: outcome.needsRestart,
        ...outcome.notes.length === 0 ? {} : { notes: outcome.notes },
      });
    }
    case "unknown":
      return problem(400, { unknown_keys: outcome.names });
    case "invalid":
      return problem(422, { field_errors: outcome.errors });
    case "unwritable":
      return detailResponse(409, outcome.reason);
  }
}

const DONE = "Nothing to do: requests use the new settings from now on";
/** How to start anew what cannot change while it runs. */
const INSTRUCTION =
  "Stop svc proxy (Ctrl-C) and start it again: the settings in needs_restart wait for that";
const RESTARTING =
  "Nothing to do: the proxy starts again when running requests have ended";

function applied(
  c: Context<ProxyEnv>,
  outcome: ApplyOutcome,
  deployment: Deployment | undefined,
): Response {
  if (outcome.type === "refused") {
    const { reason } = outcome;
    return detailResponse(409, `Settings stay as they were: ${reason}`);
  }
  // What was stored before is put into force only now, perhaps by somebody else.
  const stored = c.get("auditDetails")?.changed_keys ?? [];
  const changed = new Set([...stored, ...outcome.applied]);
  c.set("auditDetails", { changed_keys: [...changed] });
  const { needsRestart, restarts = false } = outcome;
  return noStore({
    restarted: restarts,
    ...nextStep(outcome, deployment),
    applied: outcome.applied,
    needs_restart: needsRestart,
  }, restarts ? 202 : 200);
}

/** Who starts the proxy anew, and how. */
function nextStep(
  { needsRestart, restarts }: ApplyOutcome & { readonly type: "applied" },
  deployment: Deployment | undefined,
): object {
  if (deployment === undefined) {
    const instruction = needsRestart.length === 0 ? DONE : INSTRUCTION;
    return { mode: "foreground", instruction };
  }
  return restartsItself(deployment)
    ? { mode: "service", instruction: restarts ? RESTARTING : DONE }
    : {
      mode: "docker",
      command: `svc install restart --profile ${deployment.profile}`,
    };
}

/** The member `values`, when it is an object. */
function valuesOf(body: object): Readonly<Record<string, unknown>> | undefined {
  const values = "values" in body ? body.values : undefined;
  return isJsonObject(values) ? { ...values } : undefined;
}

function withBody(
  c: Context<ProxyEnv>,
  use: (body: object) => Promise<Response>,
): Promise<Response> {
  // A client that has nothing to say need not say so in JSON.
  const options = { maxBytes: MAX_BODY, blank: {} };
  return withJson(
    c.req.raw,
    options,
    (body) => isJsonObject(body) ? use(body) : detailResponse(400, NO_VALUES),
  );
}

/** Errors of this route have a shape of their own: forms read it. */
function problem(status: number, body: object): Response {
  return errorResponse(JSON.stringify(body), status);
}
