import type { Account } from '../../wire.ts'

/** Those that would take over: switched on, and not refused by the provider. */
export function usableNow(accounts: readonly Account[]): readonly Account[] {
  return accounts.filter(({ enabled, status }) => enabled && status !== 'auth_error' && status !== 'exhausted')
}
