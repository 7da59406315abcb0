import { firstCharacters } from '@parlando/core/text'

/** What a tool of an MCP server has returned. A server may send anything. */
export interface ToolOutput {
  content?: unknown
  structuredContent?: unknown
  isError?: boolean
}

/** More would fill the context of the language model. */
const maxCharacters = 20_000

/** The result of a tool as text for a language model. Sound and images are only named. */
export function readToolResult({ content, structuredContent, isError }: ToolOutput): string {
  const blocks = Array.isArray(content) ? content.map(textOf).filter((text) => text !== '') : []
  const text = blocks.join('\n') || (structuredContent ? JSON.stringify(structuredContent) : '')
  const result = shorten(text || 'The tool has returned nothing.')
  return isError ? `The tool reports an error: ${result}` : result
}

function textOf(block: Record<string, unknown> | null): string {
  const { type, text, resource, uri, mimeType } = (block ?? {}) as Record<string, unknown>
  if (typeof text === 'string') return text
  if (type === 'resource') return textOf(resource as Record<string, unknown> | null)
  if (typeof uri === 'string') return uri
  return typeof type === 'string' ? `(${[type, mimeType].filter(Boolean).join(', ')})` : ''
}

function shorten(text: string): string {
  if (text.length <= maxCharacters) return text
  const kept = firstCharacters(text, maxCharacters)
  return `${kept}\n(The rest of ${text.length} characters is left out.)`
}
