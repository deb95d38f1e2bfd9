import { matchesPattern } from '../core/model-pattern.ts'
import type { ProviderSpec } from './provider.ts'

/**
 * Who makes the opaque state of this model, there: the maker where the host hands it through unchanged, so that a conversation
 * goes on when it moves between the maker's own address and the host's.
 */
export function vendorOf({ vendor, vendors }: Pick<ProviderSpec, 'vendor' | 'vendors'>, model: string): string {
  const maker = vendors?.find(({ models }) => models.some((pattern) => matchesPattern(pattern, model)))
  return maker?.vendor ?? vendor
}
