/** Error bodies as the chat-completions and responses APIs, and Google's own, write them. @module */

/** Codex stops, and says why, at this type only; at any other 429 it tries on. */
const LIMIT_TYPES: Readonly<Record<string, string>> = {
  budget_exceeded: "usage_limit_reached",
};

/** As {@linkcode openAiError}, with the types by which clients of the responses API know a limit; the code is ours. */
export function responsesError(
  status: number,
  message: string,
  slug?: string,
): string {
  const type = slug && LIMIT_TYPES[slug];
  if (!type) return openAiError(status, message, slug);
  return JSON.stringify({ error: { message, type, param: null, code: slug } });
}

/** The body for a status that the proxy answers itself; `slug` stands as type and code. */
export function openAiError(
  status: number,
  message: string,
  slug?: string,
): string {
  return JSON.stringify({
    error: {
      message,
      type: slug ?? typeOf(status),
      param: null,
      code: slug ?? (status === 413 ? "request_too_large" : null),
    },
  });
}

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

/** The body that Google's own API writes. */
export function googleError(status: number, message: string): string {
  const error = { code: status, message, status: GOOGLE_STATUS[status] };
  return JSON.stringify({ error });
}

const GOOGLE_STATUS: Readonly<Record<number, string>> = {
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
};

/** Slugs and sentences of providers and of compatible servers. */
const SIGNS =
  /context_length_exceeded|prompt is too long|maximum context length|context window|exceeds? the (?:model'?s )?(?:maximum )?context|too many (?:input )?tokens|input (?:is|length is) too long|request_too_large/i;

/** Whether `text`, the body of a response with `status`, says so. */
export function isContextTooLong(status: number, text: string): boolean {
  return status === 413 || (status === 400 && SIGNS.test(text));
}
