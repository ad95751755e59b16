/** One spelling for paths that servers take to be the same. @module */

/** What a path may hold as it stands: RFC 3986, 2.3. */
const UNRESERVED = /[A-Za-z0-9._~-]/;

/**
 * Spells a path as its route is written: without repeated slashes and a slash at its end, and with the characters
 * that need no percent-encoding (RFC 3986, 6.2.2.2). All others stay encoded, so that a `%2F` separates nothing.
 *
 * @param pathname Path without query, as the client wrote it.
 */
export function normalPath(pathname: string): string {
  return pathname
    .replace(/%[0-9a-f]{2}/gi, (code) => {
      const char = String.fromCharCode(parseInt(code.slice(1), 16));
      return UNRESERVED.test(char) ? char : code;
    })
    .replace(/\/{2,}/g, "/")
    .replace(/(?!^)\/$/, "");
}

/** A name in a path without its percent-encoding; `undefined` if that is not UTF-8. */
export function decodedName(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
