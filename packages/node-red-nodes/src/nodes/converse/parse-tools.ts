import type { RealtimeTool } from '@parlando/core'

/** What is wrong with the tools of a form. */
export interface ToolsProblem {
  problem: 'json' | 'name' | 'description' | 'parameter' | 'twice'
  /** The line or, in JSON, the tool, counted from 1. */
  line: number
}

export type ParsedTools =
  | { tools: RealtimeTool[]; problem?: never }
  | { tools?: never; problem: ToolsProblem }

const maxTools = 100
const nameForm = /^[A-Za-z][\w-]{0,63}$/

/**
 * Reads the tools of a form: one per line, or a JSON array in the format of the OpenAI API. A line has a name, a description
 * and the parameters, each with its choices or its type:
 * `light: switches a light | room = kitchen, hall | level = number`.
 */
export function parseTools(text: string): ParsedTools {
  if (text.trim().startsWith('[')) return parseJsonTools(text)
  const tools: RealtimeTool[] = []
  for (const [index, line] of text.split('\n').slice(0, maxTools).entries()) {
    if (line.trim() === '') continue
    const tool = parseLine(line)
    const problem = typeof tool === 'string' ? tool : findDuplicate(tools, tool)
    if (problem) return { problem: { problem, line: index + 1 } }
    tools.push(tool as RealtimeTool)
  }
  return { tools }
}

function parseLine(line: string): RealtimeTool | ToolsProblem['problem'] {
  const [head = '', ...parts] = line.split('|')
  const colon = head.indexOf(':')
  const name = (colon < 0 ? head : head.slice(0, colon)).trim()
  const description = colon < 0 ? '' : head.slice(colon + 1).trim()
  if (!nameForm.test(name)) return 'name'
  // The language model decides by the description.
  if (description === '') return 'description'
  const parameters = parts.map(parseParameter)
  if (!parameters.every((parameter) => parameter !== undefined)) return 'parameter'
  return {
    type: 'function',
    name,
    description,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(parameters),
      required: parameters.map(([name]) => name),
    },
  }
}

function parseParameter(part: string): [name: string, schema: object] | undefined {
  const equals = part.indexOf('=')
  const name = (equals < 0 ? part : part.slice(0, equals)).trim()
  const values = (equals < 0 ? 'text' : part.slice(equals + 1)).split(/[,，、]/)
  const choices = values.map((value) => value.trim()).filter(Boolean)
  if (!nameForm.test(name) || choices.length === 0) return undefined
  const [only] = choices
  if (choices.length > 1) return [name, { type: 'string', enum: choices }]
  if (only === 'text') return [name, { type: 'string' }]
  if (only === 'number') return [name, { type: 'number' }]
  return [name, { type: 'string', enum: choices }]
}

function parseJsonTools(text: string): ParsedTools {
  let entries: unknown[]
  try {
    entries = JSON.parse(text)
  } catch {
    return { problem: { problem: 'json', line: 1 } }
  }
  return toTools(entries)
}

/** Reads tools in the format of the realtime API, or of the chat API, which has them inside `function`. */
export function toTools(entries: readonly unknown[]): ParsedTools {
  const tools: RealtimeTool[] = []
  for (const [index, entry] of entries.slice(0, maxTools).entries()) {
    const given = (entry as { function?: unknown } | null)?.function ?? entry
    const { name, description, parameters } = (given ?? {}) as RealtimeTool
    const tool = { type: 'function' as const, name, description, parameters }
    const problem = nameForm.test(String(name ?? '')) ? findDuplicate(tools, tool) : 'name'
    if (problem) return { problem: { problem, line: index + 1 } }
    tools.push(tool)
  }
  return { tools }
}

function findDuplicate(tools: readonly RealtimeTool[], { name }: RealtimeTool) {
  return tools.some((tool) => tool.name === name) ? 'twice' : undefined
}
