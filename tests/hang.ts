/**
 * Milliseconds after which a test is given up that waits for something: so long that a busy machine never gets there.
 * It bounds how long a failure takes, and no test passes or fails by it otherwise.
 */
export const HANG_MS = 120_000;
