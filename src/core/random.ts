/** The only source of randomness; `app.ts` hands in the system's, tests a seeded one. */
export interface Random {
  bytes(count: number): Uint8Array
}

/** A number from 0 up to 1, in steps of 2^-32. */
export function chanceOf(random: Random): number {
  const [a = 0, b = 0, c = 0, d = 0] = random.bytes(4)
  return (a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) / 2 ** 32
}
