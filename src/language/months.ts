const months = (month: 'long' | 'short'): string[] => {
  const format = new Intl.DateTimeFormat('en', { month, timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, at) => format.format(Date.UTC(2000, at)).toLowerCase());
};

/** A month's English name or its abbreviation, without a full stop, as the source of a regular expression. */
export const MONTH = [...months('long'), ...months('short'), 'sept'].join('|');
