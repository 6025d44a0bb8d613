/**
 * A sentence for each figure that is not as good as its floor says. A floor is `atLeast` or `atMost` a
 * value; a figure within another one is named with a point. */
export function belowFloors(suite, figures, floors) {
  return Object.entries(floors).flatMap(([figure, { atLeast = -Infinity, atMost = Infinity }]) => {
    const value = figure.split('.').reduce((part, key) => part?.[key], figures);
    if (typeof value === 'number' && value >= atLeast && value <= atMost) return [];
    const floor = atLeast === -Infinity ? `at most ${atMost}` : `at least ${atLeast}`;
    return [`Below its floor: ${suite}, ${figure} is ${value ?? 'not told'}; ${floor} is wanted.`];
  });
}
