const NUMBER = /(?<![\p{L}\p{N}.,·-])\d+(?:,\d{3})*(?:\.\d+)?(?![\p{L}\p{N}·]|-\p{L}|[.,]\d)/gu;
const ANY = /\d+(?:,\d{3})*(?:\.\d+)?/g;
const FACTORS = [0.3, 0.5, 0.65, 1.4, 1.7, 2.3, 3.1];
const valueOf = (digits) => Number(digits.replaceAll(',', ''));

/** One number of a sentence exchanged for another that the passage does not hold, nor anything that rounds to it. */
export function withOtherNumber(sentence, passage, random) {
  const own = [...sentence.matchAll(NUMBER)];
  if (own.length === 0) return null;
  const { 0: digits, index } = own[Math.floor(random() * own.length)];
  const held = (passage.match(ANY) ?? []).map(valueOf);
  const decimals = (digits.split('.')[1] ?? '').length;
  for (let tries = 0; tries < 40; tries += 1) {
    const factor = FACTORS[Math.floor(random() * FACTORS.length)];
    const value = Number(
      (valueOf(digits) * factor + (random() < 0.5 ? 0 : 10 ** -decimals)).toFixed(decimals),
    );
    const isHeld = held.some((other) => other === value || Number(other.toFixed(decimals)) === value);
    if (value <= 0 || value === valueOf(digits) || isHeld) continue;
    const written = digits.includes(',') ? value.toLocaleString('en-US') : value.toFixed(decimals);
    return sentence.slice(0, index) + written + sentence.slice(index + digits.length);
  }
  return null;
}
