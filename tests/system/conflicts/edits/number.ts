/** A figure of a result: `by 4.3%`, `was 2.1 kg`, `12.5 mmHg lower`; no dose, time, sample, p value or interval. */
const RESULT_NUMBER =
  /(?<!CI of )(?<=\b(?:by|of|was|were|from|to|averaged|increased|decreased|reduced|lost|gained|difference|change|reduction|improvement)(?: (?:only|about|approximately|nearly|an average of|a mean of|up to))? [-−–+]?)(\d+(?:[.·]\d+)?)(?= ?(?:%|kg\b|cm\b|mm ?Hg\b|points?\b|mmol\b|nmol\b|µmol\b|beats\b|steps\b|kcal\b|m\b|N\b|ng\b|pg\b|seconds?\b|-fold\b))(?! ?% ?(?:CI|confidence))(?! ?(?:mg|g|IU|kg|ml)? of (?!the|baseline))/gu;

/** The same in the brackets of an interval tells how sure the figure is. */
const INTERVAL = /\b(?:CI|confidence|range|SD|standard deviation)\b[^)\]]*$/;

/** The sentence with one figure of its result far from what it was; null where it gives none. */
export function withNumberChanged(sentence: string, seed: number): string | null {
  const numbers = [...sentence.matchAll(RESULT_NUMBER)].filter(
    ({ 0: raw, index }) => Number(raw.replace('·', '.')) > 0 && !INTERVAL.test(sentence.slice(0, index)),
  );
  const chosen = numbers[seed % Math.max(1, numbers.length)];
  if (chosen === undefined) return null;
  const raw = chosen[1] ?? '';
  const value = Number(raw.replace('·', '.'));
  const after = sentence.slice(chosen.index + raw.length);
  const isShare = /^ ?%/.test(after);
  const other = isShare && value > 40 ? value / 2.5 : value * 2.5;
  const decimals = raw.split(/[.·]/)[1]?.length ?? 0;
  const written = other.toFixed(decimals);
  return Number(written) === value
    ? null
    : `${sentence.slice(0, chosen.index)}${raw.includes('·') ? written.replace('.', '·') : written}${after}`;
}
