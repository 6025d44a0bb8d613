import type { IncomingMessage } from 'node:http';
import type { Payload } from '@temporalio/common';
import { z } from 'zod';
import { parsedJson } from '../../core/values/parsed-json';

/** A page of a history has less. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

const PayloadsBody = z.object({
  payloads: z.array(
    z.object({
      metadata: z.record(z.string(), z.base64()).nullish(),
      data: z.base64().nullish(),
    }),
  ),
});

/** Why a request is refused, as HTTP has it. */
export class CodecRefusal extends Error {
  override readonly name = 'CodecRefusal';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The payloads of a request of Temporal's remote codecs. Throws `CodecRefusal`. */
export async function readPayloads(request: IncomingMessage): Promise<Payload[]> {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new CodecRefusal(415, 'The body has to be JSON: send the header Content-Type: application/json.');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES)
      throw new CodecRefusal(413, `The body is larger than ${MAX_BODY_BYTES} bytes: send fewer payloads.`);
    chunks.push(chunk);
  }
  const body = PayloadsBody.safeParse(parsedJson(Buffer.concat(chunks).toString('utf8')));
  if (!body.success)
    throw new CodecRefusal(
      400,
      'The body has to be {"payloads": [{"metadata": {…}, "data": "…"}]}, with values in base64.',
    );
  return body.data.payloads.map(({ metadata, data }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    ),
    data: Buffer.from(data ?? '', 'base64'),
  }));
}

/** Payloads as they stand in a body. */
export function payloadsBody(payloads: readonly Payload[]): z.infer<typeof PayloadsBody> {
  return {
    payloads: payloads.map(({ metadata, data }) => ({
      metadata: Object.fromEntries(
        Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)]),
      ),
      data: base64(data ?? []),
    })),
  };
}

function base64(bytes: Uint8Array | number[]): string {
  return Buffer.from(bytes).toString('base64');
}
