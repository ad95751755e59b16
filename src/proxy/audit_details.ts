/** What the audit is told by handlers. @module */

/** What a handler says about a change that it made: names of settings, never their values. */
export interface AuditDetails {
  /** Settings that have another value now. */
  readonly changed_keys: readonly string[];
  /** Settings that cannot be changed. */
  readonly refused_keys?: readonly string[];
}
