/** Error bodies as the chat-completions and responses APIs write them. @module */

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
