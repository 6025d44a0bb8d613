import { built } from '../built.mjs';

/** What holds claims against the passages that they cite, by words alone. */
export function passageVerifier(passages) {
  const { createVerifier } = built('verification/create-verifier.js');
  return createVerifier({
    sources: passages.map(({ id, text, author, publishedAt, title }) => ({
      sourceId: id,
      content: text,
      attribution: [author, publishedAt, title].filter((part) => part !== undefined),
    })),
  });
}
