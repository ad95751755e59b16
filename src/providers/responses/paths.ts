/** Paths under which clients speak the responses format. @module */

/** The route and its aliases: a subscription has one place for all of them. */
export const RESPONSES_PATHS: readonly string[] = [
  "/v1/responses",
  "/v1/codex/responses",
  "/backend-api/responses",
  "/backend-api/codex/responses",
];
