const AMOUNT =
  /\b(\d+(?:[.,]\d+)?)(?=[ -]?(?:mg|g|µg|μg|mcg|IU|ml)(?:\/(?:d|day|kg)\b| (?:of|daily|per day|a day|twice|vitamin|protein|creatine|caffeine)\b|\/d\b))/;
const TIME = /(?<!\bby )\b(\d+)(?=[ -](?:days?|weeks?|months?|years?)\b)/;
const SPELLED_TIME =
  /(?<!\bby )\b(two|three|four|five|six|eight|ten|twelve)(?=[ -](?:days?|weeks?|months?|years?)\b)/i;
const NUMBERS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  eight: 8,
  ten: 10,
  twelve: 12,
};

/** The dose that a text tells, or else how long it was given, three times as large wherever it stands; null where it tells none. */
export function otherDose(text: string): ((text: string) => string) | null {
  for (const pattern of [AMOUNT, TIME, SPELLED_TIME]) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const raw = match[1] ?? '';
    const value = NUMBERS[raw.toLowerCase()] ?? Number(raw.replace(',', ''));
    if (!(value > 0)) continue;
    // Only with the same unit behind it is it the same amount.
    const unit = /^[ -]?\p{L}+/u.exec(text.slice(match.index + raw.length))?.[0] ?? '';
    const others = [
      ...text.matchAll(new RegExp(`\\d[\\d.,]*(?=[ -]?${unit.replace(/^[ -]/, '').replace(/s$/, '')})`, 'g')),
    ];
    if (others.some(([amount]) => amount !== raw)) return null;
    const same = new RegExp(
      `\\b${raw.replace('.', '\\.')}(?=[ -]?${unit.replace(/^[ -]/, '').replace(/s$/, '')})`,
      'gi',
    );
    return (where) => where.replace(same, String(Number((value * 3).toFixed(2))));
  }
  return null;
}
