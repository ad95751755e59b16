/** Keeps one core busy for a while, as a build beside an agent does: `busy_loop.ts SECONDS`. */
const end = performance.now() + Number(Deno.args[0]) * 1000;
let turns = 0;
while (performance.now() < end) turns = (turns * 31 + 7) % 1_000_003;
