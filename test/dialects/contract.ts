/**
 * The laws that every dialect keeps, whatever its wire form, on each side that it has. A new dialect is added to `samples/` and to
 * nothing else. A law that one of them cannot keep is named in its loss table there, never skipped here.
 */
import { describe } from 'bun:test'
import { conversationsArrive } from './laws/conversations.ts'
import { failuresAreRead, failuresAreRendered } from './laws/failures.ts'
import { callsAreNamed, idsSurvive, namesSurvive } from './laws/names.ts'
import { repliesArrive, repliesAreHeard, spellingsMeanTheSame } from './laws/replies.ts'
import { clientRequestsAreTotal, requestsRepeat } from './laws/requests.ts'
import {
  charactersStayWhole,
  emptyAnswersEnd,
  nothingIsWrittenEarly,
  signsOfLifeAreSeen,
  streamsAreLegal,
} from './laws/streams.ts'
import { systemTextIsAppended } from './laws/system.ts'
import { tokensAreTold } from './laws/usage.ts'
import { watchersAgree } from './laws/watchers.ts'
import type { ClientSample, Sample, UpstreamSample } from './samples/sample.ts'

const CLIENT_LAWS: readonly ((sample: ClientSample) => void)[] = [
  repliesAreHeard,
  nothingIsWrittenEarly,
  charactersStayWhole,
  emptyAnswersEnd,
  signsOfLifeAreSeen,
  failuresAreRendered,
  tokensAreTold,
  systemTextIsAppended,
  clientRequestsAreTotal,
]
const UPSTREAM_LAWS: readonly ((sample: UpstreamSample) => void)[] = [
  repliesArrive,
  spellingsMeanTheSame,
  streamsAreLegal,
  failuresAreRead,
  namesSurvive,
  idsSurvive,
  callsAreNamed,
  conversationsArrive,
]

export function contract(sample: Sample): void {
  describe(sample.id, () => {
    if (hasClient(sample)) for (const law of CLIENT_LAWS) law(sample)
    if (hasUpstream(sample)) for (const law of UPSTREAM_LAWS) law(sample)
    if (hasClient(sample) && hasUpstream(sample)) {
      requestsRepeat(sample)
      if (sample.client.dialect.passThrough !== undefined) watchersAgree(sample, sample.client.dialect.passThrough)
    }
  })
}

export function hasClient<S extends Sample>(sample: S): sample is S & ClientSample {
  return sample.client !== undefined
}

export function hasUpstream<S extends Sample>(sample: S): sample is S & UpstreamSample {
  return sample.upstream !== undefined
}
