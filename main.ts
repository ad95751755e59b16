/** Entry of the command line. @module */
import { denoIo } from "./src/cli/deno_io.ts";
import { runCli } from "./src/cli/run.ts";

if (import.meta.main) Deno.exit(await runCli(Deno.args, denoIo()));
