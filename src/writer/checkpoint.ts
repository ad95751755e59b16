/** Copying the write-ahead log into the database while nobody waits for a write. @module */
import type { DatabaseSync } from "node:sqlite";

/** Writes after which the log is worth copying: about 4 MB. */
const MANY = 200;
/** Writes after which it is copied even if others follow closely. */
const TOO_MANY = 2000;

/** Decides when to copy. */
export interface Checkpoints {
  /** To be called after each write was answered. */
  wrote(): void;
  /** To be called when nothing was written for a while. */
  idle(): void;
}

/**
 * Takes checkpoints off the writes: SQLite would run them inside the commit that fills the log, and that
 * one takes ten times as long because it waits for the disk.
 *
 * @param db Write connection; its automatic checkpoints are switched off.
 */
export function makeCheckpoints(db: DatabaseSync): Checkpoints {
  db.exec("PRAGMA wal_autocheckpoint = 0");
  let writes = 0;
  const copy = () => {
    writes = 0;
    db.exec("PRAGMA wal_checkpoint(PASSIVE)");
  };
  return {
    wrote() {
      writes++;
      if (writes >= TOO_MANY) copy();
    },
    idle() {
      if (writes >= MANY) copy();
    },
  };
}
