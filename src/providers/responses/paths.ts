/** Paths under which clients speak the responses format. @module */

/** The route and its aliases. */
export const RESPONSES_PATHS: readonly string[] = [
  "/v1/responses",
  "/v1/codex/responses",
  "/backend-api/responses",
  "/backend-api/codex/responses",
];

/** What below each of them carries a conversation without continuing it. */
export const RESPONSES_PREVIEWS: readonly string[] = [
  "/input_tokens",
  "/compact",
];
