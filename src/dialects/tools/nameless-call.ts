import { failure, type Failure } from '../../core/failure.ts'

/** Nobody can run a tool that is not named, and an answer without the call would be another answer. */
export const NAMELESS_CALL: Failure = failure('server', 'The provider sent a tool call without a name.')
