/** Where an address leads, as far as its text tells: names may lead anywhere, so this is for showing, never for a decision. */
export type Network = 'this machine' | 'local network' | 'internet'

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/
const PRIVATE =
  /^(10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|169\.254(\.\d+){2}|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])(\.\d+){2}|\[f[cde][^\]]*\])$/
/** Names that no public directory gives away. https://www.rfc-editor.org/rfc/rfc6762#appendix-G (read 2026-11-21) */
const PRIVATE_NAME = /^[^.]+$|\.(local|lan|home|internal|intranet|private|home\.arpa|ts\.net)$/

/** `internet` for what is no http address at all. */
export function networkOf(url: string): Network {
  const { protocol, hostname: host } = URL.parse(url) ?? { protocol: '', hostname: '' }
  if (!/^https?:$/.test(protocol) || host === '') return 'internet'
  if (LOOPBACK.test(host)) return 'this machine'
  return PRIVATE.test(host) || PRIVATE_NAME.test(host) ? 'local network' : 'internet'
}
