/** The least that a proxy can be, as a process of its own: `bare_proxy.ts PORT TARGET`. */
const [port, target] = Deno.args;

Deno.serve(
  { hostname: "127.0.0.1", port: Number(port), onListen: () => {} },
  async ({ method, headers, body, url }) => {
    const { pathname, search } = new URL(url);
    return await fetch(`${target}${pathname}${search}`, {
      method,
      headers,
      body,
    });
  },
);
