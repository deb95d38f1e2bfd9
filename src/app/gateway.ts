/** The inference path, put together out of all that the other parts keep. */
import { createHmac } from 'node:crypto'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { demoProvider } from '../gateway/demo.ts'
import type { GatewayDeps } from '../gateway/deps.ts'
import { gatewaySettings } from '../gateway/gateway-settings.ts'
import { LiveRequests } from '../gateway/live.ts'
import { observationsOf } from '../gateway/observed.ts'
import { UnknownKeys } from '../gateway/unknown-keys.ts'
import { AnswerSizes } from '../ledger/spending/answer-sizes.ts'
import type { CapabilityOverrideService } from '../resources/capability-overrides/service.ts'
import type { AccountRoster } from '../resources/accounts/roster.ts'
import type { ProviderService } from '../resources/providers/service.ts'
import type { QuotaBook } from '../resources/quota/book.ts'
import type { SettingsService } from '../resources/settings/service.ts'
import { RoutingCounters } from '../routing/counters.ts'
import { chargesBy, type Prices } from './charges.ts'
import { directoryOf, type Rules } from './rules.ts'
import type { Secrets } from './secrets.ts'
import type { System } from './system.ts'

/** What is kept elsewhere, and handed on as it is. */
type Handed =
  | 'deadlines'
  | 'send'
  | 'fetchPublic'
  | 'ledger'
  | 'memory'
  | 'contents'
  | 'keys'
  | 'skills'
  | 'limits'
  | 'anonymousKey'
  | 'pace'
  | 'line'
  | 'watch'
  | 'spending'
  | 'spendLine'

interface GatewayParts extends System, Pick<GatewayDeps, Handed> {
  readonly secrets: Secrets
  readonly settings: SettingsService
  readonly roster: AccountRoster
  readonly providers: ProviderService
  readonly capabilityOverrides: CapabilityOverrideService
  readonly rules: Rules
  readonly pricing: Prices
  readonly quotaBook: QuotaBook
}

const ADDRESS_HASH_LENGTH = 22

export function openGateway(parts: GatewayParts): GatewayDeps {
  const { secrets, settings, roster, providers, capabilityOverrides, rules, pricing, quotaBook, ...handed } = parts
  const { clock, random, liveRequestsMax } = parts
  const counters = new RoutingCounters(clock)
  const capabilitiesOf: GatewayDeps['capabilitiesOf'] = (provider, model) =>
    capabilityOverrides.capabilitiesOf(provider, model)
  return {
    ...handed,
    demo: demoProvider(openaiChat, random),
    live: new LiveRequests(liveRequestsMax),
    unknownKeys: new UnknownKeys(),
    accounts: roster,
    quotas: quotaBook,
    directory: () => ({ ...directoryOf(providers, settings), ...rules.current.books() }),
    settings: gatewaySettings(settings),
    capabilitiesOf,
    isKnownOf: (...about) => capabilityOverrides.isKnown(...about),
    counters,
    observations: observationsOf({
      clock,
      random,
      counters,
      capabilitiesOf,
      priceOf: (...about) => pricing.list.priceOf(...about),
      quotaLeft: (accountId, model) => quotaBook.left(accountId, roster.upstreamModel({ id: accountId }, model)),
    }),
    ...chargesBy(pricing),
    answerSizes: new AnswerSizes(),
    hashAddress: (address) => hashWith(secrets.named('addresses'), address),
  }
}

function hashWith(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, ADDRESS_HASH_LENGTH)
}
