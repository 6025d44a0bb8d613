/** Where offsets go when parts of a text are replaced, which are told in their order. */
export function createShifts(): {
  put: (text: string, start: number, end: number) => string;
  offsetOf: (offset: number) => number;
} {
  const shifts: { from: number; by: number }[] = [];
  return {
    put(text, start, end) {
      shifts.push({ from: end, by: (shifts.at(-1)?.by ?? 0) + text.length - (end - start) });
      return text;
    },
    offsetOf: (offset) => offset + (shifts.findLast(({ from }) => from <= offset)?.by ?? 0),
  };
}
