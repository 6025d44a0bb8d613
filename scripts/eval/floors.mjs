/** A sentence for each figure that is not as good as its floor says. A floor is `atLeast` or `atMost` a value. */
export function belowFloors(suite, figures, floors) {
  return Object.entries(floors).flatMap(([figure, { atLeast = -Infinity, atMost = Infinity }]) => {
    const value = figures[figure];
    if (typeof value === 'number' && value >= atLeast && value <= atMost) return [];
    const floor = atLeast === -Infinity ? `at most ${atMost}` : `at least ${atLeast}`;
    return [`Below its floor: ${suite}, ${figure} is ${value ?? 'not told'}; ${floor} is wanted.`];
  });
}
