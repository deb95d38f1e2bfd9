/** Between sheets and what translation asks: the same knowledge, grouped for people there and for encoders here. */
import { type FactLayer, type FactSource, mergedFacts } from '../../catalog/models.ts'
import {
  type ModelFacts,
  type Modality,
  SAMPLING_PARAMETERS,
  type SamplingParameter,
  type TokenBounds,
} from '../../catalog/provider.ts'
import { BLANK, laidOver, saidPaths, type Sheet, SHEET_PATHS } from './sheet.ts'

export function sheetOf(facts: ModelFacts): Sheet {
  return {
    ...BLANK,
    context_window: facts.contextTokens ?? null,
    max_input: facts.maxInputTokens ?? null,
    max_output: facts.maxOutputTokens ?? null,
    input_modalities: inputModalities(facts),
    output_modalities: [...facts.outputModalities],
    tools: facts.tools,
    parallel_tools: facts.parallelTools,
    tool_choice_modes: [...facts.toolChoiceModes],
    max_tools: facts.toolsMax ?? null,
    json_mode: facts.jsonMode,
    json_schema: facts.jsonSchema,
    streaming: facts.streaming,
    stream_usage: facts.streamUsage,
    system_role: facts.systemRole,
    developer_role: facts.developerRole,
    prefill: facts.prefill,
    prompt_cache: facts.promptCache ?? null,
    cache_min_tokens: facts.cacheTokensMin ?? null,
    thinking: {
      style: facts.thinking,
      efforts: [...facts.efforts],
      min_budget: facts.thinkingBudget?.min ?? null,
      max_budget: facts.thinkingBudget?.max ?? null,
      signature_required: facts.signatureRequired ?? null,
    },
    sampling: samplingOf(facts),
  }
}

function inputModalities({ images, audio, video, documents }: ModelFacts): Modality[] {
  const taken: readonly (readonly [Modality, boolean])[] = [
    ['text', true],
    ['image', images],
    ['audio', audio],
    ['video', video],
    ['pdf', documents],
  ]
  return taken.filter(([, takes]) => takes).map(([modality]) => modality)
}

/** Several answers at once are known to no translation, so of `n` nothing is said unless it is refused. */
function samplingOf({ sampling, samplingRefused, stopSequences }: ModelFacts): Sheet['sampling'] {
  const takes = (name: SamplingParameter): boolean => !samplingRefused.includes(name)
  return {
    temperature: sampling && takes('temperature'),
    top_p: sampling && takes('top_p'),
    top_k: sampling && takes('top_k'),
    seed: takes('seed'),
    n: takes('n') ? null : false,
    stop: stopSequences,
  }
}

/** What counts of a model whose `override` says something: fields that it leaves alone stay as they are. */
export function overridden(facts: ModelFacts, override: Sheet): ModelFacts {
  const sheet = laidOver(sheetOf(facts), override)
  const { thinking } = sheet
  return {
    ...facts,
    contextTokens: sheet.context_window ?? undefined,
    maxInputTokens: sheet.max_input ?? undefined,
    maxOutputTokens: sheet.max_output ?? undefined,
    images: sheet.input_modalities?.includes('image') ?? facts.images,
    audio: sheet.input_modalities?.includes('audio') ?? facts.audio,
    video: sheet.input_modalities?.includes('video') ?? facts.video,
    documents: sheet.input_modalities?.includes('pdf') ?? facts.documents,
    outputModalities: sheet.output_modalities ?? facts.outputModalities,
    tools: sheet.tools ?? facts.tools,
    parallelTools: sheet.parallel_tools ?? facts.parallelTools,
    toolChoiceModes: sheet.tool_choice_modes ?? facts.toolChoiceModes,
    toolsMax: sheet.max_tools ?? undefined,
    jsonMode: sheet.json_mode ?? facts.jsonMode,
    jsonSchema: sheet.json_schema ?? facts.jsonSchema,
    streaming: sheet.streaming ?? facts.streaming,
    streamUsage: sheet.stream_usage ?? facts.streamUsage,
    systemRole: sheet.system_role ?? facts.systemRole,
    developerRole: sheet.developer_role ?? facts.developerRole,
    prefill: sheet.prefill ?? facts.prefill,
    promptCache: sheet.prompt_cache ?? undefined,
    cacheTokensMin: sheet.cache_min_tokens ?? undefined,
    thinking: thinking.style ?? facts.thinking,
    efforts: thinking.efforts ?? facts.efforts,
    ...budgetOf(thinking),
    signatureRequired: thinking.signature_required ?? undefined,
    ...samplingFacts(sheet.sampling),
  }
}

function budgetOf({ min_budget: min, max_budget: max }: Sheet['thinking']): { thinkingBudget?: TokenBounds } {
  if (min === null && max === null) return {}
  return { thinkingBudget: { ...(min === null ? {} : { min }), ...(max === null ? {} : { max }) } }
}

function samplingFacts(
  sampling: Sheet['sampling'],
): Pick<ModelFacts, 'sampling' | 'samplingRefused' | 'stopSequences'> {
  const { temperature, top_p, top_k, stop } = sampling
  return {
    sampling: temperature === true || top_p === true || top_k === true,
    samplingRefused: SAMPLING_PARAMETERS.filter((name) => sampling[name] === false),
    stopSequences: stop !== false,
  }
}

/** Who said each field of the effective sheet; fields of which nothing is known are not in it. */
export function sourcesOf(layers: readonly FactLayer[], override: Sheet): Record<string, FactSource> {
  const said = saidPaths(override)
  const known = saidPaths(laidOver(sheetOf(mergedFacts(layers)), override))
  const entries = SHEET_PATHS.filter((path) => known.has(path)).map((path): [string, FactSource] => [
    path,
    said.has(path) ? 'override' : sourceOf(layers, FACTS_BEHIND[path] ?? []),
  ])
  return Object.fromEntries(entries)
}

/** Is it more than what every unknown model of the host is taken for? */
export function isSaid(fact: keyof ModelFacts, layers: readonly FactLayer[], override: Sheet): boolean {
  const paths = [...saidPaths(override)]
  if (paths.some((path) => FACTS_BEHIND[path]?.includes(fact))) return true
  return layers.some(({ source, facts }) => source !== 'default' && facts[fact] !== undefined)
}

function sourceOf(layers: readonly FactLayer[], names: readonly (keyof ModelFacts)[]): FactSource {
  return layers.findLast(({ facts }) => names.some((name) => facts[name] !== undefined))?.source ?? 'default'
}

const FACTS_BEHIND: Readonly<Record<string, readonly (keyof ModelFacts)[]>> = {
  context_window: ['contextTokens'],
  max_input: ['maxInputTokens'],
  max_output: ['maxOutputTokens'],
  input_modalities: ['images', 'audio', 'video', 'documents'],
  output_modalities: ['outputModalities'],
  tools: ['tools'],
  parallel_tools: ['parallelTools'],
  tool_choice_modes: ['toolChoiceModes'],
  max_tools: ['toolsMax'],
  json_mode: ['jsonMode'],
  json_schema: ['jsonSchema'],
  streaming: ['streaming'],
  stream_usage: ['streamUsage'],
  system_role: ['systemRole'],
  developer_role: ['developerRole'],
  prefill: ['prefill'],
  prompt_cache: ['promptCache'],
  cache_min_tokens: ['cacheTokensMin'],
  'thinking.style': ['thinking'],
  'thinking.efforts': ['efforts'],
  'thinking.min_budget': ['thinkingBudget'],
  'thinking.max_budget': ['thinkingBudget'],
  'thinking.signature_required': ['signatureRequired'],
  'sampling.temperature': ['sampling', 'samplingRefused'],
  'sampling.top_p': ['sampling', 'samplingRefused'],
  'sampling.top_k': ['sampling', 'samplingRefused'],
  'sampling.seed': ['samplingRefused'],
  'sampling.n': ['samplingRefused'],
  'sampling.stop': ['stopSequences'],
}
