/**
 * Model patterns of lists such as `models_allow`: an exact name, or a glob in which `*` stands for any text, slashes included.
 * Comparing is linear in the name for each `*` and never backtracks further than the last one.
 */
export function matchesPattern(pattern: string, name: string): boolean {
  let at = 0
  let star = -1
  let resumeAt = 0
  let position = 0
  while (position < name.length) {
    if (pattern.charAt(at) === '*') {
      star = at++
      resumeAt = position
    } else if (at < pattern.length && pattern.charAt(at) === name.charAt(position)) {
      at++
      position++
    } else if (star >= 0) {
      at = star + 1
      position = ++resumeAt
    } else return false
  }
  while (pattern.charAt(at) === '*') at++
  return at === pattern.length
}

/** Whether lists allow `name`; `null` allows all or denies none. Deny beats allow. */
export function allowsModel(name: string, allow: readonly string[] | null, deny: readonly string[] | null): boolean {
  const matches = (pattern: string) => matchesPattern(pattern, name)
  return (allow === null || allow.some(matches)) && !(deny?.some(matches) ?? false)
}

const PATTERN = /^[\x21-\x7e]{1,200}$/

/** Visible ASCII without spaces, 1 to 200 characters. */
export function isPattern(text: string): boolean {
  return PATTERN.test(text)
}
