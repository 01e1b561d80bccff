/** Repeatable numbers from 0 to 1. */
function randomFrom(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Repeatable choices for tests with many random cases. */
export interface Draw {
  below: (most: number) => number;
  isLikely: (chance: number) => boolean;
  shuffled: <Value>(values: readonly Value[]) => Value[];
  oneOf: <Value>(values: readonly Value[]) => Value;
}

export function draws(seed: number): Draw {
  const random = randomFrom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const shuffled = <Value>(values: readonly Value[]) => {
    const rest = [...values];
    return values.map(() => rest.splice(below(rest.length), 1)[0] as Value);
  };
  const oneOf = <Value>(values: readonly Value[]) => values[below(values.length)] as Value;
  return { below, isLikely: (chance) => random() < chance, shuffled, oneOf };
}
