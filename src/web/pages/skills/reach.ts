import { plural } from '../../format/count.ts'
import type { Key, Skill } from '../../wire.ts'

/** Which keys a skill's text goes out with, and which name it. */
export interface Reach {
  /** Keys whose requests carry it now. */
  readonly carriers: readonly Key[]
  /** Keys that name it; those that use no skills at all do not carry it. */
  readonly naming: readonly Key[]
  readonly total: number
}

/** The gateway's own rule: a key's skills, and those of everyone where it adds to them. */
export function reachOf({ id, enabled }: Pick<Skill, 'id' | 'enabled'>, keys: readonly Key[]): Reach {
  const naming = keys.filter(({ skill_ids }) => skill_ids.includes(id))
  const carriers = keys.filter(
    ({ skill_ids, skills_mode }) =>
      skills_mode !== 'none' && (skill_ids.includes(id) || (enabled && skills_mode === 'add')),
  )
  return { carriers, naming, total: keys.length }
}

/** For a table: `all 11 keys`, `9 of 11 keys`, `2 keys`, `no key`. */
export function reachText({ carriers, total }: Reach, enabled: boolean): string {
  if (carriers.length === 0) return 'no key'
  if (!enabled) return plural(carriers.length, 'key')
  return carriers.length === total ? allKeys(total) : `${carriers.length} of ${plural(total, 'key')}`
}

/** What the switch does to requests, as it stands. */
export function switchSentence(
  { carriers, total }: Reach,
  { enabled, tokens }: Pick<Skill, 'enabled' | 'tokens'>,
): string {
  const extra = `about ${plural(tokens, 'token')} more`
  if (enabled && total === 0) return `Added to every request, ${extra} each. There is no key yet.`
  if (enabled && carriers.length === total) return `Added to every request of ${allKeys(total)}, ${extra} each.`
  if (enabled)
    return `Added to every request of ${carriers.length} of ${plural(total, 'key')}, ${extra} each. The others leave it out.`
  if (carriers.length === 0) return 'Off: no request carries it.'
  return `Off: only the requests of ${plural(carriers.length, 'key')} that ${carriers.length === 1 ? 'names' : 'name'} it carry it.`
}

function allKeys(total: number): string {
  return total === 1 ? 'the only key' : `all ${plural(total, 'key')}`
}
