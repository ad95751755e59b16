/** Decides the text on standard input in a process of its own and prints the form. */
import { openRouter } from "../../src/compute/open_router.ts";
import { jobOf } from "../pipeline/jobs.ts";

const text = await new Response(Deno.stdin.readable).text();
const { decide } = await openRouter();
const decision = await decide(jobOf(text, { model: "gpt-5" }));
const form = decision.type === "form" ? decision.literal : new Uint8Array();
await Deno.stdout.write(form);
