/** Every question can be put to every built-in provider in the formats that it speaks, within what is told before. */
import { expect, test } from 'bun:test'
import { PriceBook } from '../../../src/catalog/pricing.ts'
import { capabilitiesOf, listedModels } from '../../../src/catalog/models.ts'
import { builtinProviders } from '../../../src/catalog/providers/index.ts'
import { dialectOf } from '../../../src/dialects/index.ts'
import { defaultRules } from '../../../src/resources/accounts/rules.ts'
import type { Account } from '../../../src/resources/accounts/account.ts'
import { CHECKS } from '../../../src/resources/conformance/checks.ts'
import { estimateFor } from '../../../src/resources/conformance/estimate.ts'
import { prepareQuestion, type Place } from '../../../src/resources/conformance/inquiry.ts'
import { planFor, planForModel } from '../../../src/resources/conformance/plan.ts'
import { QUESTIONS } from '../../../src/resources/conformance/questions.ts'
import { seededRandom } from '../../support/random.ts'

const prices = await PriceBook.open()

function accountAt(provider: (typeof builtinProviders)[number]): Account {
  const rules = defaultRules(provider, 'one')
  const stamp = { source: 'api', createdAtMs: 0, updatedAtMs: 0, version: 1 } as const
  return { id: 'acc_1', provider: provider.id, ...rules, sealedCredentials: null, credentialsHash: null, ...stamp }
}

for (const provider of builtinProviders.filter(({ kind }) => kind !== 'demo')) {
  const models = listedModels(provider, prices.modelsOf(provider)).map((model) => ({
    model,
    price: prices.priceOf(provider, model.id, 0),
    enabled: true,
  }))
  const plans = planFor(provider, accountAt(provider), models)
  const asked = plans.length > 0 ? plans : planForModel(provider, 'a-model')
  for (const { endpoint, models: names } of asked) {
    test(`${provider.id}, ${endpoint.dialect}, ${names[0]}`, () => {
      const [model] = names
      const facts = capabilitiesOf(provider, model)
      const place: Place = { provider, endpoint, dialect: dialectOf(endpoint.dialect), model, facts }
      const asked = QUESTIONS.filter(
        (question) => prepareQuestion(question, endpoint.quirks, place, seededRandom(1)).ok,
      )
      const { usual, calls } = estimateFor(place, seededRandom(1))
      expect(calls).toBe(asked.length)
      expect(calls).toBeGreaterThan(6)
      expect(usual.inputUncached + usual.output).toBeLessThan(7_000)
    })
  }
}

test('the weights are out of a hundred, and the documentation has the same', async () => {
  const page = await Bun.file(new URL('../../../docs/conformance.md', import.meta.url)).text()
  const told = [...page.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, id, weight]) => [id, Number(weight)])
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(CHECKS.map(({ id, weight }) => [id, weight])))
  expect(CHECKS.reduce((sum, { weight }) => sum + weight, 0)).toBe(100)
})
