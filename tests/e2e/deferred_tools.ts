/** Tools that the model loads on demand, as the messages API documents it: https://docs.claude.com/en/docs/agents-and-tools/tool-use/tool-search-tool. */

/** A request body. */
type Body = Readonly<Record<string, unknown>>;

interface Tool {
  readonly name: string;
  readonly defer_loading?: boolean;
  readonly cache_control?: unknown;
}

/** What the provider makes of a request. */
export interface LoadedPrompt {
  /** The body as the model reads it: no definition that is deferred, and those that are loaded in their places. */
  readonly prompt: Body;
  /** Why it is refused; `undefined` where it is not. */
  readonly refusal: string | undefined;
  /** Whether the model may call a tool: one that is defined, and loaded if it is deferred. */
  readonly mayCall: (name: string) => boolean;
}

/** Reads the body of a messages request. */
export function loadTools(body: Body): LoadedPrompt {
  const tools = (body["tools"] ?? []) as readonly Tool[];
  const deferred = new Map(
    tools.flatMap((tool) => tool.defer_loading ? [[tool.name, tool]] : []),
  );
  const loaded = new Set<string>();
  // Answers alone have references: an argument that looks like one is none.
  const expanded = results(
    body["messages"],
    (content) =>
      content.map((block) => {
        const { type, tool_name } = block as Body;
        if (type !== "tool_reference") return block;
        const name = String(tool_name);
        loaded.add(name);
        const definition = tools.find((tool) => tool.name === name);
        return { type: "definition", definition };
      }),
  );
  const resident = tools.filter(({ name }) => !deferred.has(name));
  const names = new Set([...resident.map(({ name }) => name), ...loaded]);
  return {
    prompt: deferred.size + loaded.size === 0
      ? body
      : { ...body, tools: resident, messages: expanded },
    refusal: refusalOf(tools, loaded),
    mayCall: (name) => names.has(name),
  };
}

/** The messages, with what `change` makes of the parts of each tool result. */
function results(
  messages: unknown,
  change: (content: readonly unknown[]) => readonly unknown[],
): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages.map((message: Body) => {
    const { content } = message;
    if (!Array.isArray(content)) return message;
    return {
      ...message,
      content: content.map((block: Body) =>
        block["type"] === "tool_result" && Array.isArray(block["content"])
          ? { ...block, content: change(block["content"]) }
          : block
      ),
    };
  });
}

/** The API's words. */
function refusalOf(
  tools: readonly Tool[],
  loaded: ReadonlySet<string>,
): string | undefined {
  const marked = tools.find((tool) => tool.defer_loading && tool.cache_control);
  if (marked) {
    return `Tool '${marked.name}' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.`;
  }
  if (tools.length > 0 && tools.every((tool) => tool.defer_loading)) {
    return "All tools have defer_loading set. At least one tool must be non-deferred.";
  }
  const names = new Set(tools.map(({ name }) => name));
  const lost = [...loaded].find((name) => !names.has(name));
  return lost === undefined
    ? undefined
    : `Tool reference '${lost}' has no corresponding tool definition`;
}

/** The response that refuses a request. */
export function refused(message: string): Response {
  const error = { type: "invalid_request_error", message };
  return Response.json({ type: "error", error }, { status: 400 });
}
