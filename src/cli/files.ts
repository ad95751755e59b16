/** Small text files of the user, as commands that edit them see them. @module */

/** Reads, replaces and removes text files. Errors of the system have its `code`. */
export interface FileAccess {
  /**
   * The whole text, its byte order mark included.
   * @returns `undefined` when there is no such file.
   * @throws {Error} With `code` `EISDIR`, `EACCES`, `EFBIG` for more than 64 MiB, `EILSEQ` if it is not UTF-8.
   */
  read(path: string): Promise<string | undefined>;
  /** Whether something is there. */
  exists(path: string): Promise<boolean>;
  /**
   * Puts `after` in the place of `before`, all or nothing: readers see the one or the other. Links are followed, the
   * mode is kept; a new file is readable by its owner only, and missing directories are made.
   * @throws {Error} With `code` `EBUSY` if the file does not hold `before` any more; nothing was changed then.
   */
  replace(path: string, change: TextChange): Promise<void>;
  /**
   * Copies a file with its mode, unless `to` is there.
   * @returns Whether it was copied.
   */
  copyOnce(from: string, to: string): Promise<boolean>;
  /** Removes a file, or the link to it; nothing happens when it is not there. */
  remove(path: string): Promise<void>;
}

/** Text of a file before and after; `before` is `undefined` for a file that is not there. */
export interface TextChange {
  /** What the file must hold now. */
  readonly before: string | undefined;
  /** What it will hold. */
  readonly after: string;
}
