/** The only source of randomness; `app.ts` hands in the system's, tests a seeded one. */
export interface Random {
  bytes(count: number): Uint8Array
}
