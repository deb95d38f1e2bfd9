/** Tools in every format: what they are, what they are called, which of them may be called, and who runs them. */
import { describe, test } from 'bun:test'
import type { JsonObject } from '../../../src/core/json.ts'
import type { Tool } from '../../../src/dialects/neutral.ts'
import {
  assistant,
  call,
  expectCell,
  HOST_NAMES,
  result,
  sent,
  text,
  TOOL,
  user,
  type Cell,
  type Cells,
  type HostName,
  type Row,
} from './table.ts'

function everywhere(cell: Cell): Cells {
  return Object.fromEntries(HOST_NAMES.map((name) => [name, cell])) as Record<HostName, Cell>
}

/** Where the first tool of a body stands, and under which names it says what it takes. */
const FIRST: Readonly<Record<HostName, string>> = {
  messages: 'tools.0',
  chat: 'tools.0.function',
  responses: 'tools.0',
  gemini: 'tools.0.functionDeclarations.0',
  converse: 'toolConfig.tools.0.toolSpec',
  cohere: 'tools.0.function',
  ollama: 'tools.0.function',
}

function firstTool(tools: Readonly<Record<HostName, JsonObject | object | undefined>>, member = ''): Cells {
  const entries = HOST_NAMES.map((name) => [name, sent({ [FIRST[name] + member]: tools[name] })] as const)
  return Object.fromEntries(entries) as Record<HostName, Cell>
}

const schema: JsonObject = { type: 'object', properties: { b: { type: 'string' }, a: { type: 'string' } } }
const NOTHING: JsonObject = { type: 'object', properties: {} }
const FREE: JsonObject = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }
const G: Tool = { ...TOOL, name: 'g' }
const ASKED = [user(text('q')), assistant(call('1')), user(result('1', text('r')))]

const ROWS: readonly Row[] = [
  {
    name: 'a function says what it takes, its properties in their order',
    request: { tools: [{ ...TOOL, schema }] },
    cells: firstTool({
      messages: { name: 'f', description: 'd', input_schema: schema },
      chat: { name: 'f', description: 'd', parameters: schema },
      responses: { type: 'function', name: 'f', description: 'd', parameters: schema, strict: false },
      gemini: { name: 'f', description: 'd', parametersJsonSchema: schema },
      converse: { name: 'f', description: 'd', inputSchema: { json: schema } },
      cohere: { name: 'f', description: 'd', parameters: schema },
      ollama: { name: 'f', description: 'd', parameters: schema },
    }),
  },
  {
    name: 'a function that takes nothing says so in the form that is taken',
    request: { tools: [{ kind: 'function', name: 'f' }] },
    cells: firstTool({
      messages: { name: 'f', input_schema: NOTHING },
      chat: { name: 'f', parameters: NOTHING },
      responses: { type: 'function', name: 'f', parameters: NOTHING, strict: false },
      gemini: { name: 'f' },
      converse: { name: 'f', inputSchema: { json: NOTHING } },
      cohere: { name: 'f', parameters: NOTHING },
      ollama: { name: 'f', parameters: NOTHING },
    }),
  },
  {
    name: 'a blank description is none, where it would be refused',
    request: { tools: [{ ...TOOL, description: '' }] },
    cells: firstTool(
      {
        messages: undefined,
        chat: '',
        responses: undefined,
        gemini: undefined,
        converse: undefined,
        cohere: undefined,
        ollama: undefined,
      } as never,
      '.description',
    ),
  },
  {
    name: 'alternatives at the root become one object, and no property of it reaches a prototype',
    request: {
      tools: [
        { ...TOOL, schema: JSON.parse('{"anyOf":[{"properties":{"__proto__":{"type":"string"}}}]}') as JsonObject },
      ],
    },
    cells: firstTool(
      {
        messages: protoSchema(),
        chat: protoSchema(),
        responses: protoSchema(),
        gemini: protoSchema(),
        converse: protoSchema(),
        cohere: protoSchema(),
        ollama: protoSchema(),
      },
      '.SCHEMA',
    ),
  },
  {
    name: 'a tool of free text is itself or a function of one string',
    request: { tools: [{ kind: 'custom', name: 'patch', description: 'd' }] },
    cells: {
      ...firstTool({
        messages: { name: 'patch', description: 'd', input_schema: FREE },
        chat: undefined,
        responses: { type: 'custom', name: 'patch', description: 'd' },
        gemini: { name: 'patch', description: 'd', parametersJsonSchema: FREE },
        converse: { name: 'patch', description: 'd', inputSchema: { json: FREE } },
        cohere: { name: 'patch', description: 'd', parameters: FREE },
        ollama: { name: 'patch', description: 'd', parameters: FREE },
      }),
      chat: sent({ 'tools.0': { type: 'custom', custom: { name: 'patch', description: 'd' } } }),
    },
  },
  {
    name: 'a name that is not allowed is replaced',
    request: { tools: [{ ...TOOL, name: 'mcp.server/read file' }] },
    cells: firstTool(
      {
        messages: 'mcp_server_read_file',
        chat: 'mcp_server_read_file',
        responses: 'mcp_server_read_file',
        gemini: 'mcp_server_read_file',
        converse: 'mcp_server_read_file',
        cohere: 'mcp_server_read_file',
        ollama: 'mcp_server_read_file',
      } as never,
      '.name',
    ),
  },
  {
    name: 'arguments that must match their schema',
    request: { tools: [{ ...TOOL, schema: CLOSED(), strict: true }] },
    cells: {
      messages: sent({ 'tools.0.strict': true, 'tools.0.input_schema': CLOSED() }),
      chat: sent({ 'tools.0.function.strict': true, 'tools.0.function.parameters': CLOSED() }),
      responses: sent({ 'tools.0.strict': true, 'tools.0.parameters': CLOSED() }),
      gemini: sent({ 'toolConfig.functionCallingConfig': { mode: 'VALIDATED' } }),
      converse: sent({ 'toolConfig.tools.0.toolSpec.strict': true }),
      cohere: sent({ strict_tools: true }),
      ollama: sent({ 'tools.0.function.strict': undefined }, 'strict'),
    },
  },
  {
    name: 'a schema that cannot be held to everywhere is a hint there',
    request: { tools: [{ ...TOOL, schema, strict: true }] },
    cells: {
      messages: sent({ 'tools.0.strict': true, 'tools.0.input_schema.additionalProperties': false }),
      chat: sent({ 'tools.0.function.strict': undefined, 'tools.0.function.parameters': schema }, 'tools.strict'),
      responses: sent({ 'tools.0.strict': false, 'tools.0.parameters': schema }, 'tools.strict'),
      gemini: sent({ 'toolConfig.functionCallingConfig': { mode: 'VALIDATED' } }),
      converse: sent({ 'toolConfig.tools.0.toolSpec.strict': true }),
      cohere: sent({ strict_tools: true }),
      ollama: sent({}, 'strict'),
    },
  },
  {
    name: 'choice: whatever the model likes',
    request: { tools: [TOOL], toolChoice: { type: 'auto' } },
    cells: {
      messages: sent({ tool_choice: { type: 'auto' } }),
      chat: sent({ tool_choice: 'auto' }),
      responses: sent({ tool_choice: 'auto' }),
      gemini: sent({ toolConfig: { functionCallingConfig: { mode: 'AUTO' } } }),
      converse: sent({ 'toolConfig.toolChoice': undefined }),
      cohere: sent({ tool_choice: undefined }),
      ollama: sent({ tool_choice: undefined }),
    },
  },
  {
    name: 'choice: some tool',
    request: { tools: [TOOL], toolChoice: { type: 'required' } },
    cells: {
      messages: sent({ tool_choice: { type: 'any' } }),
      chat: sent({ tool_choice: 'required' }),
      responses: sent({ tool_choice: 'required' }),
      gemini: sent({ toolConfig: { functionCallingConfig: { mode: 'ANY' } } }),
      converse: sent({ 'toolConfig.toolChoice': { any: {} } }),
      cohere: sent({ tool_choice: 'REQUIRED' }),
      ollama: sent({ 'messages.0.content': 'You must answer by calling one of the tools.' }, 'tool_choice'),
    },
  },
  {
    name: 'choice: this tool',
    request: { tools: [TOOL, G], toolChoice: { type: 'named', name: 'g' } },
    cells: {
      messages: sent({ tool_choice: { type: 'tool', name: 'g' } }),
      chat: sent({ tool_choice: { type: 'function', function: { name: 'g' } } }),
      responses: sent({ tool_choice: { type: 'function', name: 'g' } }),
      gemini: sent({ toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['g'] } } }),
      converse: sent({ 'toolConfig.toolChoice': { tool: { name: 'g' } } }),
      cohere: sent({ tool_choice: 'REQUIRED', 'tools.0.function.name': 'g', 'tools.1': undefined }),
      ollama: sent(
        {
          'tools.0.function.name': 'g',
          'tools.1': undefined,
          'messages.0.content': 'You must answer by calling the tool "g".',
        },
        'tool_choice',
      ),
    },
  },
  {
    name: 'choice: none',
    request: { tools: [TOOL], toolChoice: { type: 'none' } },
    cells: {
      messages: sent({ tool_choice: { type: 'none' } }),
      chat: sent({ tool_choice: 'none' }),
      responses: sent({ tool_choice: 'none' }),
      gemini: sent({ toolConfig: { functionCallingConfig: { mode: 'NONE' } } }),
      converse: sent({ toolConfig: undefined }),
      cohere: sent({ tool_choice: 'NONE' }),
      ollama: sent({ tools: undefined }),
    },
  },
  {
    name: 'choice: none any more, where tools were called before',
    request: { tools: [TOOL], toolChoice: { type: 'none' }, messages: ASKED },
    cells: {
      messages: sent({ tool_choice: { type: 'none' }, 'tools.0.name': 'f' }),
      chat: sent({ tool_choice: 'none', 'tools.0.function.name': 'f' }),
      responses: sent({ tool_choice: 'none', 'tools.0.name': 'f' }),
      gemini: sent({ 'toolConfig.functionCallingConfig.mode': 'NONE' }),
      converse: sent({ 'toolConfig.tools.0.toolSpec.name': 'f', system: [{ text: 'Do not call any tool.' }] }),
      cohere: sent({ tool_choice: 'NONE' }),
      ollama: sent({ tools: undefined }),
    },
  },
  {
    name: 'choice: one of these, if any',
    request: { tools: [TOOL, G], toolChoice: { type: 'allowed', names: ['g'], mode: 'auto' } },
    cells: {
      messages: sent({ tool_choice: { type: 'auto' }, 'tools.0.name': 'g', 'tools.1': undefined }),
      chat: sent({
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'g' } }] },
        },
      }),
      responses: sent({
        tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'g' }] },
      }),
      gemini: sent({ toolConfig: { functionCallingConfig: { mode: 'VALIDATED', allowedFunctionNames: ['g'] } } }),
      converse: sent({ 'toolConfig.tools.0.toolSpec.name': 'g', 'toolConfig.tools.1': undefined }),
      cohere: sent({ 'tools.0.function.name': 'g', 'tools.1': undefined, tool_choice: undefined }),
      ollama: sent({ 'tools.0.function.name': 'g', 'tools.1': undefined }),
    },
  },
  {
    name: 'one call at a time',
    request: { tools: [TOOL], parallelToolCalls: false },
    cells: {
      messages: sent({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } }),
      chat: sent({ parallel_tool_calls: false }),
      responses: sent({ parallel_tool_calls: false }),
      gemini: sent({}, 'parallel_tool_calls'),
      converse: sent({
        additionalModelRequestFields: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
      }),
      cohere: sent({}, 'parallel_tool_calls'),
      ollama: sent({}, 'parallel_tool_calls'),
    },
  },
  {
    name: 'wishes about tools that are not there are no wishes',
    request: { tools: [], toolChoice: { type: 'required' }, parallelToolCalls: false },
    cells: everywhere(
      sent({
        tools: undefined,
        tool_choice: undefined,
        parallel_tool_calls: undefined,
        toolConfig: undefined,
        additionalModelRequestFields: undefined,
      }),
    ),
  },
  {
    name: 'tools that were called before and are offered no longer',
    request: { messages: ASKED },
    cells: {
      ...everywhere(sent({ tools: undefined })),
      converse: sent({ 'toolConfig.tools.0.toolSpec.name': 'f' }),
    },
  },
]

for (const { name, request, cells } of ROWS) {
  describe(name, () => {
    for (const host of HOST_NAMES) test(host, () => expectCell(host, request, schemaCell(host, cells[host])))
  })
}

/** `SCHEMA` stands for the name that a format gives what a function takes. */
const SCHEMA: Readonly<Record<HostName, string>> = {
  messages: 'input_schema',
  chat: 'parameters',
  responses: 'parameters',
  gemini: 'parametersJsonSchema',
  converse: 'inputSchema.json',
  cohere: 'parameters',
  ollama: 'parameters',
}

function schemaCell(host: HostName, cell: Cell): Cell {
  const named = Object.entries(cell.sent ?? {}).map(([path, value]) => [path.replace('SCHEMA', SCHEMA[host]), value])
  return { ...cell, sent: Object.fromEntries(named) }
}

function protoSchema(): JsonObject {
  return JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as JsonObject
}

function CLOSED(): JsonObject {
  return { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
}

/** Vendors' own tools: at home as they are; elsewhere refused, unless the model has the same. */
describe('a tool that only its vendor runs is refused everywhere else', () => {
  const raw = {
    origin: 'anthropic-messages',
    body: { type: 'code_execution_20250825', name: 'code_execution' },
  } as const
  for (const kind of ['hosted', 'client-typed'] as const) {
    for (const host of HOST_NAMES) {
      const cell: Cell = host === 'messages' ? sent({ 'tools.0': raw.body }) : { refused: 'tools.0' }
      test(`${kind}, ${host}`, () => expectCell(host, { tools: [{ kind, name: 'code_execution', raw }] }, cell))
    }
  }
})
