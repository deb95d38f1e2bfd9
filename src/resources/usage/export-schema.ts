import { Type } from '@sinclair/typebox'
import { choice } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import { EXPORT_FORMATS } from './export.ts'
import { requestFilters } from './schema.ts'

const SEARCH_LENGTH_MAX = 200

export const ExportQuery = Type.Object(
  {
    format: choice(EXPORT_FORMATS),
    ...requestFilters,
    q: Type.Optional(Type.String({ maxLength: SEARCH_LENGTH_MAX, description: 'search text' })),
  },
  CLOSED,
)
