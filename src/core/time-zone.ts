/** Whether the platform knows an IANA zone of this name, such as `Europe/Vienna`. Bare offsets are none: they know no summer. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false // what is no zone is thrown out
  }
}
