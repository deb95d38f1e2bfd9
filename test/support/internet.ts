/**
 * The public internet, played on loopback: names resolve here, their addresses count as global, and a host proves itself with the
 * tests' own certificate, which is for `models.example`.
 */
import type { SendDeps } from '../../src/outbound/connector.ts'
import { type Play, playProvider, type Provider } from './provider.ts'

const [key, cert, authority] = await Promise.all(
  ['key', 'certificate', 'authority'].map((name) =>
    Bun.file(new URL(`../fixtures/tls/${name}.pem`, import.meta.url)).text(),
  ),
)

export const INTERNET: Pick<SendDeps, 'lookup' | 'classOf' | 'ca'> = {
  lookup: async () => ['127.0.0.1'],
  classOf: () => 'global',
  ca: [authority ?? ''],
}

/** A host of the internet; its URL is `https://models.example:<port>`. Stop it after the test. */
export function playInternet(script: readonly Play[] = []): Provider {
  return playProvider(script, { tls: { key: key ?? '', cert: cert ?? '' } })
}

export function addressOf(host: Provider, path: string): string {
  return `https://models.example:${host.port}${path}`
}
