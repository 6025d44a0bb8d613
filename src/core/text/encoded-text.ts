/** As long as base64 of a short sentence; names, sums and sequences are shorter, or have no such mixture. */
const RUN = /[A-Za-z0-9+/]{40,}={0,2}/g;

function isEncoded(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
}

/** Whether there is text in base64 in a text: a model reads it, a reader does not. */
export function hasEncodedText(text: string): boolean {
  return (text.match(RUN) ?? []).some(isEncoded);
}

/** The text with an ellipsis for what is in base64. For prompts: what is stored stays as it was given. */
export function withoutEncodedText(text: string): string {
  return text.replace(RUN, (run) => (isEncoded(run) ? '…' : run));
}
