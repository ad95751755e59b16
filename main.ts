/** Entry of the command line. @module */
import { servesRequests, spawnAhead } from "./src/compute/spawn_ahead.ts";

if (import.meta.main) {
  // First of all: the worker takes about as long to load as the rest of the program.
  if (servesRequests(Deno.args)) spawnAhead();
  const [{ denoIo }, { runCli }] = await Promise.all([
    import("./src/cli/deno_io.ts"),
    import("./src/cli/run.ts"),
  ]);
  Deno.exit(await runCli(Deno.args, denoIo()));
}
