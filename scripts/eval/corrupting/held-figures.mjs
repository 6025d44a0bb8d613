const FIGURE = /\d+(?:[.,·]\d+)*/g;

/** Whether every figure of a claim stands in the passage, digit by digit: else the passage does not bear all of it. */
export function holdsFigures(passage, claim) {
  const held = new Set(figuresOf(passage));
  return figuresOf(claim).every((figure) => held.has(figure));
}

function figuresOf(text) {
  return (text.match(FIGURE) ?? []).map((figure) => figure.replaceAll(',', '').replaceAll('·', '.'));
}
