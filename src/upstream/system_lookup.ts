/** Looking host names up as every program of the system does. @module */
import { lookup } from "node:dns/promises";

/**
 * Finds every address of a host name: hosts file, DNS, and whatever else the system asks, in the system's order.
 *
 * @param host Name or IP literal without brackets.
 * @returns IP literals.
 * @throws {Error} If there is none.
 */
export async function systemLookup(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}
