/** Flags of features that this version does not have and that are no settings. @module */

/** A flag of such a feature that is no setting. */
export interface PlannedFlag {
  /** Name without dashes. */
  readonly flag: string;
  /** Placeholder of its value; absent for a switch. */
  readonly placeholder?: string;
}

/** Flags that other versions of this command know. */
export const PLANNED_FLAGS: readonly PlannedFlag[] = [
  { flag: "memory" },
  { flag: "memory-storage", placeholder: "<scope>" },
  { flag: "learn" },
  { flag: "no-learn" },
  { flag: "intercept-tool-results" },
  { flag: "no-rate-limit" },
  { flag: "no-ccr-inject-tool" },
  { flag: "no-ccr-marker" },
  { flag: "code-graph" },
  { flag: "no-read-lifecycle" },
  { flag: "enable-kompress-anthropic" },
  { flag: "enable-kompress-openai" },
  { flag: "codex-wire-debug" },
  { flag: "codex-wire-debug-dir", placeholder: "<path>" },
  { flag: "gemini-api-url", placeholder: "<url>" },
  { flag: "cloudcode-api-url", placeholder: "<url>" },
  { flag: "bedrock-api-url", placeholder: "<url>" },
  { flag: "bedrock-profile", placeholder: "<name>" },
  { flag: "embedding-server" },
  { flag: "embedding-server-socket", placeholder: "<path>" },
];
