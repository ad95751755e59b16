/** Whether a request lets the model ask for what was left out. @module */
import { objectOr } from "../../bytes/json_parts.ts";
import { RETRIEVAL_TOOL } from "../../core/retrieval.ts";

/** Members in which a group holds its tools. */
const GROUPS = ["functionDeclarations", "function_declarations", "tools"];

/**
 * Whether the retrieval tool is among the tools of a request, in the way of any provider, alone or in a group. Under
 * the name that an MCP client gave it, it counts too.
 *
 * @param tools As the request has them: an array, or an object by name.
 */
export function declaresRetrieval(tools: unknown): boolean {
  if (Array.isArray(tools)) return tools.some(isRetrieval);
  return Object.keys(objectOr(tools)).some(isItsName);
}

function isRetrieval(tool: unknown): boolean {
  const { name, function: called, ...groups } = objectOr(tool);
  return isItsName(name ?? objectOr(called).name) ||
    GROUPS.some((key) => {
      const group = groups[key];
      return Array.isArray(group) && declaresRetrieval(group);
    });
}

function isItsName(name: unknown): boolean {
  return typeof name === "string" &&
    (name === RETRIEVAL_TOOL || name.endsWith(`__${RETRIEVAL_TOOL}`));
}
