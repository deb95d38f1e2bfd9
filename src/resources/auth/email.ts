const EMAIL_LENGTH_MAX = 254

/** Lower case and trimmed: how an address is stored and looked up. */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase()
}

/** Something, an @, something, no spaces: only a message sent there could prove more. */
export function emailProblem(email: string): string | undefined {
  const isPlausible = email.length <= EMAIL_LENGTH_MAX && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email)
  return isPlausible ? undefined : 'is not an e-mail address'
}
