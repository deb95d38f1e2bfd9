const LENGTH_MIN = 12
const BARS = 4
const WORDS = ['too short', 'weak', 'fair', 'strong', 'very strong'] as const

/** Length counts most: the server refuses fewer than 12 characters and the commonest passwords. */
export function PasswordStrength({ password }: { password: string }) {
  const length = [...password].length
  const level = levelOf(password, length)
  return (
    <p className="flex items-center gap-2">
      <span aria-hidden="true" className="grid flex-1 grid-cols-4 gap-1">
        {Array.from({ length: BARS }, (_, at) => (
          <span key={at} className={`h-1 rounded-full ${at < level ? 'bg-clear' : 'bg-line'}`} />
        ))}
      </span>
      <span className="text-caption text-muted">
        {length === 0 ? `at least ${LENGTH_MIN} characters` : `${length} characters · ${WORDS[level]}`}
      </span>
    </p>
  )
}

/** 0 to 4. Few different characters make a long password weak. */
function levelOf(password: string, length: number): number {
  if (length < LENGTH_MIN) return 0
  const variety = new Set(password).size
  if (variety < 5) return 1
  const points = Math.min(length, variety * 2)
  return points < 14 ? 2 : points < 20 ? 3 : 4
}
