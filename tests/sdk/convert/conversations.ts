/** Generated conversations in every format, with everything that may stand in them. */
import fc from "fast-check";

const text = fc.oneof(
  fc.constantFrom("", "ok", "line one\nline two", '{"a":1}', "[1,2]", "\ud800"),
  fc.string({ maxLength: 12 }),
);
const id = fc.constantFrom("a", "b", "c");
const name = fc.constantFrom("read", "list");
const json = fc.jsonValue({ maxDepth: 2 }).map((value) =>
  JSON.parse(JSON.stringify(value))
);
const input = fc.dictionary(fc.constantFrom("path", "q", "1"), json, {
  maxKeys: 2,
}).map((value) => ({ ...value }));
const extra = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.record({ x_other: json }),
);

const some = <T>(part: fc.Arbitrary<T>) => fc.array(part, { maxLength: 4 });
const plus = (
  record: fc.Arbitrary<object>,
  more: fc.Arbitrary<object> = extra,
) => fc.tuple(record, more).map(([a, b]) => ({ ...a, ...b }));
const record = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(members, { noNullPrototype: true });
const of = (type: string, members: Record<string, fc.Arbitrary<unknown>>) =>
  record({ type: fc.constant(type), ...members });
const unknownPart = of("later_invention", { data: json });
const conversation = (message: fc.Arbitrary<unknown>) =>
  fc.array(message, { maxLength: 6 });

const cached = fc.constantFrom<object>({}, {
  cache_control: { type: "ephemeral" },
});
const block = plus(of("text", { text }), cached);
const media = record({
  type: fc.constant("base64"),
  media_type: fc.constantFrom("image/png", "application/pdf"),
  data: fc.constant("aGk="),
});
const image = of("image", {
  source: fc.oneof(
    media,
    record({ type: fc.constant("url"), url: fc.constant("https://h/i.png") }),
  ),
});
const document = plus(of("document", {
  source: fc.oneof(
    media,
    record({
      type: fc.constant("text"),
      media_type: fc.constant("text/plain"),
      data: text,
    }),
  ),
}));
const result = plus(
  plus(
    of("tool_result", { tool_use_id: id }),
    fc.oneof(
      fc.constant({}),
      record({ content: fc.oneof(text, some(fc.oneof(block, image))) }),
    ),
  ),
  fc.constantFrom<object>({}, { is_error: true }, { is_error: false }),
);

/** Messages of content blocks. */
export const anthropicMessages = conversation(fc.oneof(
  plus(record({
    role: fc.constant("user"),
    content: fc.oneof(
      text,
      some(fc.oneof(block, image, document, result, result, unknownPart)),
    ),
  })),
  plus(record({
    role: fc.constant("assistant"),
    content: fc.oneof(
      text,
      some(fc.oneof(
        block,
        of("thinking", { thinking: text, signature: fc.constant("c2ln") }),
        of("redacted_thinking", { data: fc.constant("eA==") }),
        of("tool_use", { id, name, input }),
        unknownPart,
      )),
    ),
  })),
));

const chatPart = fc.oneof(
  plus(of("text", { text })),
  of("image_url", {
    image_url: plus(record({
      url: fc.constantFrom("https://h/i.png", "data:image/png;base64,aGk="),
    })),
  }),
  of("file", {
    file: record({
      file_data: fc.constant("data:application/pdf;base64,aGk="),
      filename: fc.constant("a.pdf"),
    }),
  }),
  of("input_audio", { input_audio: json }),
  unknownPart,
);
const call = of("function", {
  id,
  function: record({
    name,
    arguments: fc.oneof(
      input.map((value) => JSON.stringify(value)),
      fc.constantFrom("", "{", "[]", '{ "a": 1.0 }', "null"),
    ),
  }),
});
const content = fc.oneof(text, some(chatPart));

/** Messages of chat completions. */
export const chatMessages = conversation(fc.oneof(
  plus(record({
    role: fc.constantFrom("user", "system", "developer"),
    content,
  })),
  plus(record({ role: fc.constant("user"), content: text })),
  plus(
    plus(record({
      role: fc.constant("assistant"),
      content: fc.oneof(content, fc.constant(null)),
    })),
    fc.oneof(
      fc.constant({}),
      record({ tool_calls: some(fc.oneof(call, of("custom", { id }))) }),
      record({ refusal: text }),
    ),
  ),
  plus(record({ role: fc.constant("tool"), tool_call_id: id, content })),
  record({ role: fc.constant("tool"), tool_call_id: id, content: text }),
));

const options = fc.constantFrom<object>({}, {
  providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
});
const vercelText = plus(of("text", { text }), options);
const file = plus(of("file", {
  mediaType: fc.constantFrom("image/png", "application/pdf"),
  data: fc.oneof(
    fc.constantFrom("aGk=", "https://h/i.png"),
    record({ type: fc.constant("data"), data: fc.constant("aGk=") }),
  ),
}));
const output = fc.oneof(
  of("text", { value: text }),
  of("error-text", { value: text }),
  of("json", { value: json }),
  of("error-json", { value: json }),
  of("execution-denied", { reason: text }),
  of("execution-denied", {}),
  of("content", { value: some(fc.oneof(vercelText, file, unknownPart)) }),
);
const vercelResult = plus(
  of("tool-result", { toolCallId: id, toolName: name, output }),
  options,
);

/** Model messages of the `ai` package. */
export const vercelMessages = conversation(fc.oneof(
  plus(record({ role: fc.constant("system"), content: text }), options),
  record({
    role: fc.constant("user"),
    content: fc.oneof(text, some(fc.oneof(vercelText, file, unknownPart))),
  }),
  record({
    role: fc.constant("assistant"),
    content: fc.oneof(
      text,
      some(fc.oneof(
        vercelText,
        plus(of("reasoning", { text }), options),
        of("tool-call", { toolCallId: id, toolName: name, input }),
        vercelResult,
      )),
    ),
  }),
  record({
    role: fc.constant("tool"),
    content: some(fc.oneof(
      vercelResult,
      vercelResult,
      of("tool-result", { toolCallId: id, toolName: name, result: json }),
      of("tool-approval-response", { approvalId: id }),
    )),
  }),
));

const callId = fc.oneof(fc.constant({}), record({ id }));
const part = fc.oneof(
  plus(record({ text })),
  record({ text, thought: fc.constant(true), thoughtSignature: id }),
  record({
    inlineData: record({
      mimeType: fc.constantFrom("image/png", "audio/wav"),
      data: fc.constant("aGk="),
    }),
  }),
  record({
    fileData: record({
      mimeType: fc.constant("image/png"),
      fileUri: fc.constant("gs://b/i.png"),
    }),
  }),
  record({ laterInvention: json }),
);

/** Google contents. */
export const googleContents = conversation(fc.oneof(
  plus(record({
    role: fc.constant("user"),
    parts: some(fc.oneof(
      part,
      record({
        functionResponse: plus(
          record({
            name,
            response: fc.oneof(input, record({ output: fc.oneof(text, json) })),
          }),
          callId,
        ),
      }),
    )),
  })),
  record({
    role: fc.constant("model"),
    parts: some(fc.oneof(
      part,
      plus(
        record({ functionCall: plus(record({ name, args: input }), callId) }),
        fc.constantFrom<object>({}, { thoughtSignature: "c2ln" }),
      ),
    )),
  }),
));
