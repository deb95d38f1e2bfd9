import type { AuditEntry } from '../../wire.ts'

/** Acts as people say them; the object stands behind. */
const ACTS: Readonly<Record<string, string>> = {
  'account.change': 'Changed the account',
  'account.create': 'Added the account',
  'account.delete': 'Deleted the account',
  'account.delete_all': 'Deleted all accounts',
  'account.delete_disabled': 'Deleted the disabled accounts',
  'account.disable_all': 'Disabled all accounts',
  'account.enable_all': 'Enabled all accounts',
  'account.reveal': 'Revealed the credential of',
  'account.test': 'Tested the account',
  'auth.change': 'Changed the profile of',
  'auth.recover': 'Reset the password of',
  'auth.refresh_reused': 'Used a spent session of',
  'auth.set_up': 'Set up the gateway as',
  'auth.sign_in': 'Signed in as',
  'auth.sign_out': 'Signed out',
  'console.clear': 'Cleared the console',
  'custom_provider.change': 'Changed the custom provider',
  'custom_provider.create': 'Added the custom provider',
  'custom_provider.delete': 'Deleted the custom provider',
  'key.change': 'Changed the key',
  'key.create': 'Created the key',
  'key.delete': 'Deleted the key',
  'key.reveal': 'Revealed the key',
  'key.rotate': 'Rotated the key',
  'provider.sync_models': 'Fetched the models of',
  'settings.change': 'Changed the settings',
  'skill.change': 'Changed the skill',
  'skill.create': 'Created the skill',
  'skill.delete': 'Deleted the skill',
  'user.create': 'Created the user',
}

export const ACTIONS = Object.entries(ACTS).map(([value, words]) => ({ value, label: words }))

export const OBJECT_TYPES = [
  { value: 'key', label: 'Key' },
  { value: 'account', label: 'Account' },
  { value: 'provider', label: 'Provider' },
  { value: 'custom_provider', label: 'Custom provider' },
  { value: 'skill', label: 'Skill' },
  { value: 'settings', label: 'Settings' },
  { value: 'user', label: 'User' },
  { value: 'console', label: 'Console' },
]

/** An act of a newer server is shown by its name. */
export function actWords(action: string): string {
  return ACTS[action] ?? action
}

/** Where the object can be looked at; undefined when it is gone or has no page. */
export function objectHref({ action, object, before, after }: AuditEntry): string | undefined {
  const { type, id } = object
  if (type === 'settings') return '/settings'
  if (id === null || action.endsWith('.delete')) return undefined
  const own = encodeURIComponent(id)
  if (type === 'key') return `/keys/${own}`
  if (type === 'skill') return `/skills/${own}`
  if (type === 'provider') return `/providers/${own}`
  if (type === 'custom_provider') return `/custom-providers/${own}`
  const provider = type === 'account' ? (providerIn(after) ?? providerIn(before)) : undefined
  return provider && `/providers/${encodeURIComponent(provider)}/accounts/${own}`
}

function providerIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('provider' in value)) return undefined
  return typeof value.provider === 'string' ? value.provider : undefined
}
