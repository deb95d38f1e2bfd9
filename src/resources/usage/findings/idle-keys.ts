import type { Facts, Finding } from './finding.ts'

/** Over less, a key that rests is nothing unusual. */
const DAYS_MIN = 7
const NAMED_MAX = 5

/** Keys that work and that nobody uses: each is a secret that can be found. */
export function idleKeys({ days, idleKeys: keys }: Facts): readonly Finding[] {
  const [first] = keys
  if (days < DAYS_MIN || first === undefined) return []
  const names = keys.slice(0, NAMED_MAX).map(({ name }) => name)
  const others = keys.length > NAMED_MAX ? ` and ${keys.length - NAMED_MAX} more` : ''
  const never = keys.filter(({ lastUsedAtMs }) => lastUsedAtMs === null).length
  return [
    {
      kind: 'idle_key',
      severity: 'info',
      text: `${keys.length === 1 ? 'A key has' : `${keys.length} keys have`} not been used for ${days} days: ${names.join(', ')}${others}.`,
      evidence: {
        keys: keys.length,
        never_used: never,
        key_ids: keys
          .slice(0, NAMED_MAX)
          .map(({ id }) => id)
          .join(' '),
      },
      action: {
        text: 'Switch off what nobody needs',
        path: keys.length === 1 ? `/keys/${first.id}` : '/keys?sort=last_used_at&order=asc',
      },
    },
  ]
}
