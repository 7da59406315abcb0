import type { ServedTool } from '../tool-server.ts'

/** A tool as an MCP server lists it. */
export interface ListedTool {
  name: string
  title?: string
  description?: string
  inputSchema: Record<string, unknown>
}

/** A tool for the language model, and its name on the server. */
export interface KnownTool extends ServedTool {
  ownName: string
}

/** What is wrong with the tools of a server. */
export interface ToolsFault {
  fault: 'too-many' | 'too-large' | 'same-name' | 'missing'
  /** The tool, or a number. */
  name: string | number
}

/** The APIs of language models accept this many tools. */
const maxTools = 100
/** All names, descriptions and schemas have at most this many characters, because they are part of each request. */
const maxCharacters = 200_000

/**
 * The tools that the language model may call.
 * @param chosen the names that the form lists; empty: all.
 */
export function selectTools(
  listed: readonly ListedTool[],
  chosen: readonly string[],
): { tools: KnownTool[]; problem?: never } | { tools?: never; problem: ToolsFault } {
  const missing = chosen.find((name) => !listed.some((tool) => tool.name === name))
  if (missing !== undefined) return { problem: { fault: 'missing', name: missing } }
  const selected = chosen.length > 0 ? listed.filter(({ name }) => chosen.includes(name)) : listed
  if (selected.length > maxTools) {
    return { problem: { fault: 'too-many', name: selected.length } }
  }
  const tools = selected.map(toKnownTool)
  const twice = tools.find(({ name }, index) => tools.findIndex((t) => t.name === name) < index)
  if (twice) return { problem: { fault: 'same-name', name: twice.ownName } }
  if (JSON.stringify(tools).length > maxCharacters) {
    return { problem: { fault: 'too-large', name: maxCharacters } }
  }
  return { tools }
}

function toKnownTool({ name, title, description, inputSchema }: ListedTool): KnownTool {
  const about = description || title
  return {
    ownName: name,
    // The APIs of language models accept fewer names than MCP.
    name: name.replaceAll(/[^\w-]/g, '_').slice(0, 64),
    ...(about && { description: about }),
    parameters: inputSchema,
  }
}
