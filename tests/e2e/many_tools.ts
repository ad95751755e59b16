/** The tools of an agent with several MCP servers: far more than one conversation needs. */

const SERVERS: Readonly<Record<string, readonly string[]>> = {
  tracker: ["create_issue", "close_issue", "list_sprints", "assign", "label"],
  mail: ["send_letter", "read_inbox", "archive", "search_mail", "drafts"],
  db: ["run_statement", "describe_table", "export_csv", "vacuum", "locks"],
  chat: ["post_message", "list_channels", "react", "pin", "set_topic"],
  cloud: ["start_machine", "stop_machine", "bill", "regions", "snapshots"],
  maps: ["route", "geocode", "traffic", "elevation", "timezone"],
};

/** Each says at length what it does, as such tools do. */
const RULES =
  "Use it when the user asks for it, and only then. Give every argument as the schema says, without quotes around numbers. "
    .repeat(10);

/** Thirty definitions that hardly any conversation needs. */
export const MCP_TOOLS = Object.entries(SERVERS).flatMap(([server, actions]) =>
  actions.map((action) => ({
    name: `mcp__${server}__${action}`,
    description: `${action.replaceAll("_", " ")}, by the ${server} service. ` +
      RULES,
    input_schema: {
      type: "object",
      properties: { [`${action}_target`]: { type: "string" } },
    },
  }))
);
