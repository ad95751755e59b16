/** The route and its aliases: a subscription has one place for all of them. */
const RESPONSES_PATHS: readonly string[] = [
  "/v1/responses",
  "/v1/codex/responses",
  "/backend-api/responses",
  "/backend-api/codex/responses",
];

/** Calls that a ChatGPT subscription pays for: they have a server of their own. @module */
import { member } from "../../sse/usage_tap.ts";

/** Names the account of a subscription. */
const ACCOUNT = "chatgpt-account-id";
/** Claim of an access token in which the account stands. */
const CLAIM = "https://api.openai.com/auth";
const TOKEN = /^bearer\s+[\w-]+\.([\w-]+)\.[\w-]*\s*$/i;

const HOST = "https://chatgpt.com";
/** What stands there for `/v1`. */
const API = "/backend-api/codex";

/** Whether the credentials are those of a subscription; only their shape is looked at, nothing is verified. */
export function isSubscriptionCall(headers: Headers): boolean {
  if (headers.get(ACCOUNT)) return true;
  const [, payload] = TOKEN.exec(headers.get("authorization") ?? "") ?? [];
  return payload !== undefined && namesAccount(claims(payload));
}

/**
 * Where a subscription's request goes: `/v1/…` and the aliases of the responses route
 * stand below `/backend-api/codex` there, every other path is the same.
 *
 * @param path Path and query as the client wrote them.
 * @returns An absolute URL on chatgpt.com, path and query not normalised.
 */
export function subscriptionTarget(path: string): string {
  const end = path.search(/[?#]|$/);
  return HOST + target(path.slice(0, end)) + path.slice(end);
}

function target(pathname: string): string {
  for (const alias of RESPONSES_PATHS) {
    if (pathname === alias || pathname.startsWith(`${alias}/`)) {
      return `${API}/responses${pathname.slice(alias.length)}`;
    }
  }
  return pathname.startsWith("/v1/") ? API + pathname.slice(3) : pathname;
}

function namesAccount(token: unknown): boolean {
  const account = member(member(token, CLAIM), "chatgpt_account_id");
  return typeof account === "string" && account !== "";
}

/** The claims of a token; `undefined` where the text is none. */
function claims(payload: string): unknown {
  try {
    const base64 = payload.replaceAll("-", "+").replaceAll("_", "/");
    // One byte per unit: the names and ids that are looked for are ASCII.
    return JSON.parse(atob(base64));
  } catch (error) {
    const isNoToken = error instanceof SyntaxError ||
      error instanceof DOMException;
    if (isNoToken) return undefined;
    throw error;
  }
}
