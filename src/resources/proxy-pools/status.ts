import type { Exit } from '../../outbound/exits/exit.ts'
import type { ExitObservation } from '../../outbound/exits/observed.ts'

/** What is known of one exit: from its use, and from its checks. */
export interface EndpointStatus extends ExitObservation {
  readonly exit: Exit
  /** As the check's answer says it; null when it does not. */
  readonly exitIp: string | null
  readonly country: string | null
  readonly checkedAtMs: number | null
}
