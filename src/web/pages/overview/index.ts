/**
 * What the gateway does and costs, over a range of time. Every number comes from one answer of `GET /v1/usage/telemetry`, and
 * leads to the requests that it counts. Invariant: nothing is estimated here, and old numbers keep their date.
 */
import type { PageSet } from '../../page-set.ts'

export const overviewPages: PageSet = {
  section: 'overview',
  routes: [{ path: '/overview', load: () => import('./overview-page.tsx') }],
}
