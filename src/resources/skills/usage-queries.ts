/** What the log says of a skill. Nothing is summed by skill, so this is a look through the rows of the range, in the reader's thread. */
import type { QueryBook } from '../../db/query-book.ts'

export const skillQueries = {
  /** By the model that was asked last; what no provider was asked for carried nothing. */
  skillModels: {
    sql: `SELECT provider, model_used AS model, count(*) AS requests FROM requests
      WHERE at_ms >= $fromMs AND provider IS NOT NULL AND instr(skills, $quotedId) > 0 GROUP BY provider, model_used`,
  },
} satisfies QueryBook

export type SkillQuery = keyof typeof skillQueries
