import { passageVerifier } from './passage-verifier.mjs';

/** How many claims an answer makes, and how many of them are borne by the passages that they cite, by words alone. */
export function judgeClaims({ sentences }, passages) {
  const verifier = passageVerifier(passages);
  const claims = sentences.filter(({ isClaim }) => isClaim);
  const supported = claims.filter(
    ({ plain, passageIds }) => verifier.verify(plain, passageIds).verdict === 'supported',
  );
  return { claims: claims.length, supported: supported.length };
}
