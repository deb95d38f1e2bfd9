/** In which order tiers come: the lowest priority first, and what has no weight after everything that has. */

export interface Rank {
  readonly priority: number
  readonly weight: number
}

/** Tiers, the first to try in front; within each the order of `items`. */
export function tiersOf<Item>(items: readonly Item[], rankOf: (item: Item) => Rank): readonly (readonly Item[])[] {
  if (items.length < 2) return items.length === 0 ? [] : [items]
  const groups = new Map<number, Item[]>()
  for (const item of items) {
    const place = placeOf(rankOf(item))
    const group = groups.get(place)
    if (group === undefined) groups.set(place, [item])
    else group.push(item)
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group)
}

const PRIORITIES = 1_000

function placeOf({ priority, weight }: Rank): number {
  return weight > 0 ? priority : PRIORITIES + priority
}
