/**
 * The least that a proxy can be, as a process of its own: `bare_proxy.ts PORT TARGET [reading]`.
 *
 * `reading` does what a proxy has to do that may change a request and looks at its answer: the body is read whole, header
 * fields go one by one, and each chunk of the answer passes through the program. Without it the runtime connects both
 * sides, and no byte of a body is seen.
 */
const [port, target, kind] = Deno.args;

Deno.serve(
  { hostname: "127.0.0.1", port: Number(port), onListen: () => {} },
  kind === "reading" ? reading : bare,
);

function placeOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${target}${pathname}${search}`;
}

async function bare({ method, headers, body, url }: Request) {
  return await fetch(placeOf(url), { method, headers, body });
}

async function reading(request: Request) {
  const { status, headers, body } = await fetch(placeOf(request.url), {
    method: request.method,
    headers: endToEnd(request.headers),
    body: await request.bytes(),
  });
  return new Response(body && passed(body), {
    status,
    headers: endToEnd(headers),
  });
}

/** The same chunks, each through this program. */
function passed(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

/** Fields of one connection; `fetch` and the server write their own. */
const OF_CONNECTION = ["connection", "host", "content-length"];

function endToEnd(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => !OF_CONNECTION.includes(name));
}
