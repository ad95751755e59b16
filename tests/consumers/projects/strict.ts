/** Uses the results with their types; must compile, and what is marked must not. */
import {
  compress,
  type CompressionHooks,
  type CompressOptions,
  type CompressResult,
  createSvc,
  retrieve,
  type RetrieveResult,
  SharedContext,
  simulate,
  SvcClient,
  SvcError,
  withSvc,
} from "@svc/svc";

interface Message {
  role: "user" | "assistant";
  content: string;
}

const messages: Message[] = [{ role: "user", content: "Hello" }];

export async function typed(): Promise<string> {
  const options: CompressOptions = { model: "gpt-4o", tokenBudget: 1000 };
  const result: CompressResult<Message> = await compress(messages, options);
  const [first] = result.messages;
  const saved: number = result.tokensSaved;
  const fits: boolean | undefined = result.withinBudget;
  // @ts-expect-error: there may be no first message
  first.content.trim();
  // @ts-expect-error: no such option
  await compress(messages, { modell: "gpt-4o" });
  // @ts-expect-error: an option is given or left out
  await compress(messages, { model: undefined });
  const report = await simulate(messages);
  const waste: Record<string, number> = report.wasteSignals;
  return `${first?.content}${saved}${fits}${Object.keys(waste).length}`;
}

export async function original(hash: string): Promise<string> {
  const answer: RetrieveResult = await retrieve(hash, { lines: "1-10" });
  return answer.success ? answer.originalContent : answer.error;
}

const hooks: CompressionHooks = {
  postCompress: ({ tokensSaved }) => void tokensSaved.toFixed(0),
};

export async function instance(): Promise<number> {
  const svc = createSvc({ hooks, store: { backend: "memory" } });
  try {
    const { tokensAfter } = await svc.compressText("text");
    return tokensAfter;
  } catch (error) {
    if (error instanceof SvcError) return error.message.length;
    throw error;
  } finally {
    await svc.close();
  }
}

export async function shared(): Promise<string | null> {
  const context = new SharedContext({ compress: new SvcClient().compress });
  await context.put("key", "value", { agent: "a" });
  return context.get("key");
}

/** A wrapped client has the type of the client. */
const model = {
  chat: {
    completions: {
      create: (body: { messages: Message[] }): Promise<number> =>
        Promise.resolve(body.messages.length),
    },
  },
};
export const answer: Promise<number> = withSvc(model).chat.completions.create({
  messages,
});
