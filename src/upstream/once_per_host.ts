/** Saying something once for each host. @module */

/** Hosts remembered; the oldest are forgotten, so that clients cannot fill the memory. */
const MAX_HOSTS = 1000;

/** Remembers, while the process runs, for which hosts something was said. */
export class OncePerHost {
  readonly #hosts = new Set<string>();

  /** Whether `host` comes for the first time; notes that it came. */
  isFirst(host: string): boolean {
    if (this.#hosts.has(host)) return false;
    this.#hosts.add(host);
    const [oldest] = this.#hosts;
    if (this.#hosts.size > MAX_HOSTS && oldest !== undefined) {
      this.#hosts.delete(oldest);
    }
    return true;
  }
}
