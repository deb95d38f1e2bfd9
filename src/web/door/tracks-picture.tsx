import { Logo } from '../components/logo.tsx'

const CENTRE = { x: 330, y: 450 }
const CLIENTS = [
  { name: 'curl', y: 233 },
  { name: 'Codex', y: 341 },
  { name: 'Claude Code', y: 450 },
  { name: 'OpenCode', y: 558 },
  { name: 'your code', y: 667 },
]
const PROVIDERS = [
  { name: 'anthropic', y: 279 },
  { name: 'openai', y: 393 },
  { name: 'google', y: 507 },
  { name: 'ollama', y: 620 },
]
const SET = { client: 'Claude Code', provider: 'anthropic' }
const [CLIENT_X, PROVIDER_X, WIDTH] = [46, 616, 700]

/** Clients, one box, providers: every track there, one of them set. Decoration alone. */
export function TracksPicture() {
  return (
    <div className="relative h-full min-h-dvh">
      <svg viewBox={`0 0 ${WIDTH} 900`} preserveAspectRatio="xMidYMid slice" className="absolute inset-0 size-full">
        <g fill="none" strokeWidth="2.5">
          {[...CLIENTS].sort(setLast).map((client) => (
            <path key={client.name} d={inward(client.y)} className={trackClass(isSet(client))} />
          ))}
          {[...PROVIDERS].sort(setLast).map((provider) => (
            <path key={provider.name} d={outward(provider.y)} className={trackClass(isSet(provider))} />
          ))}
        </g>
        {CLIENTS.map((client) => (
          <Stop key={client.name} {...client} x={CLIENT_X} isSet={isSet(client)} anchor="start" />
        ))}
        {PROVIDERS.map((provider) => (
          <Stop key={provider.name} {...provider} x={PROVIDER_X} isSet={isSet(provider)} anchor="end" />
        ))}
        <foreignObject x={CENTRE.x - 34} y={CENTRE.y - 34} width="68" height="68">
          <div className="grid size-full place-items-center bg-sunken">
            <Logo className="size-13.5" />
          </div>
        </foreignObject>
      </svg>
    </div>
  )
}

interface StopProps {
  readonly name: string
  readonly x: number
  readonly y: number
  readonly isSet: boolean
  readonly anchor: 'start' | 'end'
}

function Stop({ name, x, y, isSet, anchor }: StopProps) {
  return (
    <g>
      <circle
        cx={x}
        cy={y}
        r="5"
        strokeWidth="2.5"
        className={isSet ? 'fill-sunken stroke-accent' : 'fill-sunken stroke-control'}
      />
      <text x={x} y={y - 14} textAnchor={anchor} fontSize="13.5" className={isSet ? 'fill-ink' : 'fill-muted'}>
        {name}
      </text>
    </g>
  )
}

function isSet({ name }: { name: string }): boolean {
  return name === SET.client || name === SET.provider
}

/** The set route is drawn over the others. */
function setLast(a: { name: string }, b: { name: string }): number {
  return Number(isSet(a)) - Number(isSet(b))
}

function trackClass(set: boolean): string {
  return set ? 'stroke-accent' : 'stroke-line'
}

function inward(y: number): string {
  const { x, y: middle } = CENTRE
  return `M0 ${y} H100 C180 ${y} 180 ${middle} 270 ${middle} H${x}`
}

function outward(y: number): string {
  const { x, y: middle } = CENTRE
  return `M${x} ${middle} H390 C470 ${middle} 460 ${y} 560 ${y} H${WIDTH}`
}
