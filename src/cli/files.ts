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
  /** Where links end, also one that leads to nothing; other paths as they are. */
  realPath(path: string): Promise<string>;
  /** Names of what is in a directory, in order; none where there is no directory. */
  namesIn(directory: string): Promise<readonly string[]>;
  /**
   * Does something while nobody else does anything under the same lock file, which is made. The end of the program
   * frees it.
   * @throws {Error} With code `EBUSY` if another one holds it for five seconds.
   */
  alone<T>(path: string, work: () => Promise<T>): Promise<T>;
  /**
   * Puts `after` in the place of `before`, all or nothing: readers see the one or the other. Links are followed, the
   * mode and the owner are kept; a new file is readable by its owner only, and missing directories are made.
   * @throws {Error} With `code` `EBUSY` if the file does not hold `before` any more, `EACCES` if nobody may write to it;
   * nothing was changed then.
   */
  replace(path: string, change: TextChange): Promise<void>;
  /**
   * Copies a file with its mode, unless `to` is there.
   * @returns Whether it was copied.
   */
  copyOnce(from: string, to: string): Promise<boolean>;
  /** Removes a file, or the link to it; nothing happens when it is not there. */
  remove(path: string): Promise<void>;
  /** Removes a directory if it is empty; says whether it is gone now. */
  removeEmpty(path: string): Promise<boolean>;
}

/** Text or bytes of a file before and after; `before` is `undefined` for a file that is not there. */
export interface TextChange {
  /** What the file must hold now. */
  readonly before: string | Uint8Array | undefined;
  /** What it will hold. */
  readonly after: string | Uint8Array;
  /** End of the name of the draft beside the file, where one that a kill left there is to be written over. */
  readonly temporary?: string;
}
