/**
 * One look at a thing at a time, for all who ask for it: whoever asks while one is under way has the next, which begins when that one has
 * ended. So it begins behind the last of those who have it, and nobody is told what was true before they asked.
 */
export function sharedLooks<Seen>(look: (id: string) => Promise<Seen>): (id: string) => Promise<Seen> {
  interface Thing {
    seen: Promise<Seen>;
    next: Promise<Seen> | null;
  }
  const things = new Map<string, Thing>();

  function lookAt(id: string): Promise<Seen> {
    const seen = look(id);
    const thing: Thing = { seen, next: null };
    things.set(id, thing);
    const end = (): void => {
      if (things.get(id) === thing && thing.next === null) things.delete(id);
    };
    seen.then(end, end);
    return seen;
  }

  return (id) => {
    const thing = things.get(id);
    if (thing === undefined) return lookAt(id);
    const again = (): Promise<Seen> => lookAt(id);
    return (thing.next ??= thing.seen.then(again, again));
  };
}
