import type { CallOptions, Client, Voice } from '@parlando/core'
import type { NodeAPI, NodeMessageInFlow } from 'node-red'
import { NodeInputError } from '../../shared/failure.ts'
import { trimmed, wordOf } from '../../shared/setting.ts'

export const operations = ['list', 'get', 'update', 'delete'] as const
export type Operation = (typeof operations)[number]

/** What the form sets. */
export interface VoicesSettings {
  operation?: Operation
  /** The voice to get, update or delete; empty: `msg.voiceId`. */
  voice: string
  /** Language codes with commas between them; empty or absent: all. */
  languages?: string
  /** Words that name, description or tags hold, all of them. */
  search?: string
}

export interface VoicesMessage extends NodeMessageInFlow {
  /** Each holds for this message alone. */
  operation?: unknown
  voiceId?: unknown
  languages?: unknown
  search?: unknown
  displayName?: unknown
  description?: unknown
  tags?: unknown
  complete?: boolean
}

/** What is to be done with which voices, the message's own settings first. */
export interface VoicesOrder {
  operation: Operation
  voiceId: string
  languages: string[]
  search: string
}

// Of a word that is none, so much is enough to find it again.
const maxNameCharacters = 50

/** @throws {NodeInputError} for an unknown operation, and where a voice is needed and none is named. */
export function readVoicesOrder(
  RED: NodeAPI,
  settings: VoicesSettings,
  message: VoicesMessage,
): VoicesOrder {
  const operation = (message.operation || settings.operation || 'list') as Operation
  if (!operations.includes(operation)) {
    const known = operations.join(', ')
    const named = wordOf(operation)
    throw new NodeInputError(
      RED._('voices.error.operation', { operation: named.slice(0, maxNameCharacters), known }),
    )
  }
  const voiceId = message.voiceId || trimmed(settings.voice)
  if (operation !== 'list' && !voiceId) throw new NodeInputError(RED._('voices.error.no-voice'))
  const languages = message.languages || settings.languages || ''
  return {
    operation,
    voiceId: String(voiceId ?? ''),
    languages: (Array.isArray(languages) ? languages : String(languages).split(',')).flatMap(
      (language) => String(language).trim() || [],
    ),
    search: String(message.search || settings.search || ''),
  }
}

// More than any library has: a service that never ends its list must not fill the memory.
const maxVoices = 10_000

/** All voices of these languages in whose name, description or tags every word of `search` stands. */
export async function findVoices(
  client: Client,
  { languages, search }: VoicesOrder,
  call: CallOptions,
): Promise<Voice[]> {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found: Voice[] = []
  const query = languages.length > 0 ? { languages } : {}
  for await (const voice of client.listAllVoices(query, call)) {
    const { voiceId, displayName, description, tags, gender } = voice
    const text = [voiceId, displayName, description, gender, ...(tags ?? [])]
      .join(' ')
      .toLowerCase()
    if (words.every((word) => text.includes(word))) found.push(voice)
    if (found.length >= maxVoices) break
  }
  return found
}
