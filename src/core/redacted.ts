/** Credentials as vendors shape them, in whatever text they turn up. */
const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|nvapi|hf|sess)[-_][A-Za-z0-9_*.-]{6,}/g,
  /\bAIza[A-Za-z0-9_-]{10,}/g,
  // A digit tells a credential from a word ("Bearer authentication is required").
  /\b(?:Bearer|Basic)\s+(?=\S*\d)[A-Za-z0-9._~+/=-]{6,}/gi,
  // The head of a token is short; without a bound a text of many beginnings would be read to its end from each.
  /\beyJ[A-Za-z0-9_-]{8,1024}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*/g,
]

/** `text` without anything that looks like a credential. */
export function redacted(text: string): string {
  return SECRETS.reduce((kept, secret) => kept.replace(secret, '[secret]'), text)
}
