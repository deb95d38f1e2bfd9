/** The token of `Authorization: Bearer <token>`; undefined for another scheme, an empty token or no header. */
export function bearerToken(headers: Headers): string | undefined {
  const match = /^bearer +(\S+)$/i.exec(headers.get('authorization')?.trim() ?? '')
  return match?.[1]
}
