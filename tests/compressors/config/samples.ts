/** Golden inputs and generated configurations for the tests of configurations. @module */

/** A YAML list of maps, each of 6 lines, below `hosts:`; all alike but for names and numbers. */
export function hostLines(count: number): string[] {
  const hosts = Array.from({ length: count }, (_, i) => [
    `  - name: host-${i}`,
    `    address: 10.0.${i >> 8}.${i & 255}`,
    `    role: ${["web", "db", "queue"][i % 3]}`,
    "    limits:",
    `      memory: ${256 * (1 + i % 5)}Mi`,
    "    enabled: true",
  ]);
  return ["version: 3", "hosts:", ...hosts.flat(), "done: yes"];
}
