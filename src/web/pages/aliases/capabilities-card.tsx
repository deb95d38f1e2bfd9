import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { Tokens } from '../../components/quantity.tsx'
import type { Alias } from '../../wire.ts'

/** What clients may count on, whichever target answers. */
export function CapabilitiesCard({ alias: { capabilities } }: { alias: Alias }) {
  if (capabilities === null) {
    return (
      <Card title="In common">
        <p className="text-dense text-muted">It leads to no model that is known.</p>
      </Card>
    )
  }
  const { context, max_output, input_modalities, tools, json_schema, thinking } = capabilities
  return (
    <Card title="In common" aside="of all its models">
      <Facts
        items={[
          ['Context', <Tokens key="context" count={context} />],
          ['Answer', <Tokens key="answer" count={max_output} />],
          ['Takes', input_modalities.join(', ')],
          ['Tools', yesNo(tools)],
          ['JSON schema', yesNo(json_schema)],
          ['Thinking', yesNo(thinking)],
        ]}
      />
    </Card>
  )
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no'
}
