import type { McpFace } from '../mcp/mcp-server';
import type { Routes } from '../face';

/** The tools for agents. Each request stands for itself, behind the same guard as all others; none is a stream that outlives its token. */
export function mcpRoutes(given: Pick<McpFace, 'version' | 'report'>): Routes {
  return (app, face) => {
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      config: { scope: 'read' },
      schema: { hide: true },
      async handler({ method, url, headers, body, caller, gone, raw }, reply) {
        const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
          typeof value === 'string' ? [[name, value]] : [],
        );
        // Loaded by the first request: the SDK takes 20 MB, and most servers never see an agent.
        const { createHandler } = await import('../mcp/mcp-server.js');
        const handler = createHandler({ ...face, ...given }, caller);
        const request = new Request(new URL(url, `http://${raw.headers.host ?? ''}`), {
          method,
          headers: sent,
          signal: gone,
        });
        return reply.send(await handler.fetch(request, { parsedBody: body }));
      },
    });
  };
}
