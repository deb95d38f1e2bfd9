/** Whether the platform knows a zone of this name, such as `Europe/Vienna`. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false // what is no zone is thrown out
  }
}
