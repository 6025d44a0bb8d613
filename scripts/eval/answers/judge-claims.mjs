import { built } from '../built.mjs';

/** How many claims an answer makes, and how many of them are borne by the passages that they cite, by words alone. */
export function judgeClaims({ sentences }, passages) {
  const { createVerifier } = built('verification/create-verifier.js');
  const verifier = createVerifier({
    sources: passages.map(({ id, text, author, publishedAt, title }) => ({
      sourceId: id,
      content: text,
      attribution: [author, publishedAt, title].filter((part) => part !== undefined),
    })),
  });
  const claims = sentences.filter(({ isClaim }) => isClaim);
  const supported = claims.filter(
    ({ plain, passageIds }) => verifier.verify(plain, passageIds).verdict === 'supported',
  );
  return { claims: claims.length, supported: supported.length };
}
