import type { FastifyContextConfig } from 'fastify';
import type { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { FILES_FIELD, MOST_FILES, REQUEST_FIELD } from './uploads';

type Transformed = ReturnType<typeof jsonSchemaTransform>;

/** A route that takes files says so in the document: its body as JSON, or as a field of a form with files beside it. */
export function documented(
  { route }: { route: { config?: FastifyContextConfig } },
  { schema, url }: Transformed,
): Transformed {
  const { body } = schema as { body?: object };
  if (route.config?.uploads !== true || body === undefined) return { schema, url };
  const form = {
    type: 'object',
    required: [REQUEST_FIELD],
    properties: {
      [REQUEST_FIELD]: body,
      [FILES_FIELD]: {
        type: 'array',
        maxItems: MOST_FILES,
        // `format` is OpenAPI 3.0's, by which generators know a file.
        items: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' },
      },
    },
  };
  const content = { 'application/json': { schema: body }, 'multipart/form-data': { schema: form } };
  return { schema: { ...schema, body: { content } }, url };
}
