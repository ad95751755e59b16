/** Are edits of agents' files complete? @module */
import { interruptedIn } from "../edits/finish.ts";
import type { Found } from "./found.ts";
import { passed, skipped, type Verdict, warned } from "./verdict.ts";

/** Whether one of them was interrupted; it is not finished here. */
export async function checkEdits({ io, settings }: Found): Promise<Verdict> {
  const { paths } = settings.config;
  if (paths === undefined) return skipped("nothing is written (SVC_STATELESS)");
  const interrupted = await interruptedIn(io, paths.workspace);
  const details = { interrupted };
  return interrupted.length === 0
    ? passed("no edit of an agent's file was interrupted", { details })
    : warned(`an edit was interrupted: ${interrupted.join(", ")}`, {
      hint: "svc proxy finishes it when it starts; svc unwrap --all undoes it",
      details,
    });
}
