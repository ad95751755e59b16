/** Which hosts are this machine. @module */

/** Names and addresses of this machine, IPv6 also as a URL writes it. */
const THIS_MACHINE = /^(127(\.\d+){3}|\[?::1\]?|(.+\.)?localhost\.?)$/;

/** Whether a host name or an address means this machine: no proxy could reach it. */
export function isThisMachine(host: string): boolean {
  return THIS_MACHINE.test(host);
}
