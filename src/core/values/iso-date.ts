const ISO_DATE = /^(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?(?=$|[T ])/;
/** Feeds may write the year in two digits, behind day and month. */
const YEAR = /\b\d{4}\b|\b\d\d? [A-Z][a-z]{2} \d\d\b/;

/** As exact as it is told, `2019`, `2019-04` or `2019-04-12`; of another form that programs read, the day that it names. Null for what is no date. */
export function isoDate(date: string): string | null {
  const text = date.trim();
  const iso = ISO_DATE.exec(text)?.[0];
  if (iso !== undefined) return iso;
  // In one zone, whatever it names: the day is the one that is written, wherever it is read.
  const time = YEAR.test(text) ? Date.parse(`${text} UTC`) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}
