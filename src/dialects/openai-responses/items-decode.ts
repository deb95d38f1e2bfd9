/** Which decoder an item of a provider's answer gets. */
import { asString, type JsonObject } from '../../core/json.ts'
import type { ReplyContext } from '../dialect.ts'
import { CallDecoder } from './call-decode.ts'
import { ItemDecoder } from './item-decoder.ts'
import { MessageDecoder } from './message-decode.ts'
import { ReasoningDecoder } from './reasoning-decode.ts'
import { ID } from './wire.ts'

/** `item` is what announced it, whole or empty. */
export function decoderFor(item: JsonObject, context: ReplyContext): ItemDecoder {
  const type = asString(item['type']) ?? 'message'
  switch (type) {
    case 'message':
      return new MessageDecoder(type, item)
    case 'reasoning':
      return new ReasoningDecoder(type, item, context)
    case 'function_call':
    case 'custom_tool_call':
      return new CallDecoder(type, item, context)
    default:
      return new HostedDecoder(type, item)
  }
}

/** What a hosted tool did. Only its final form is worth handing on, to clients of this dialect. */
class HostedDecoder extends ItemDecoder {
  push(): void {
    // Progress of a hosted tool has no neutral form.
  }

  protected close(item: JsonObject): void {
    if (item['type'] === undefined) return
    this.emit({ type: 'foreign', part: { type: 'foreign', origin: ID, kind: this.type, raw: item } })
  }
}
