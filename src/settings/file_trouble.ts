/** Why a settings file cannot be read or written, in plain words. @module */

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "no space left on the disk",
  ENOENT: "there is no such directory, and none can be made",
  ENOTDIR: "a part of its path is a file",
  EEXIST: "a part of its path is a file",
  EISDIR: "it is a directory",
  EBUSY: "another program is changing it; try again",
};

/** Says what the code of a failed system call means, the code with it; one without words is itself. */
export function fileTrouble(code: string): string {
  const words = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
  if (words === undefined) return code;
  return code === "EBUSY" ? words : `${words} (${code})`;
}
