import type { CallOptions, Client, Voice } from '@parlando/core'
import type { NodeAPI, NodeMessageInFlow } from 'node-red'
import { NodeInputError } from '../../runtime/failure.ts'
import { innerParts } from '../../runtime/sequences.ts'
import { isList, readSettings, textOrType } from '../../runtime/settings.ts'

const operations = ['list', 'get', 'update', 'delete'] as const
export type VoicesOperation = (typeof operations)[number]

/** Settings of the form. */
export interface VoicesSettings {
  operation?: VoicesOperation
  /** The voice to get, update or delete. */
  voice?: string
  /** Language codes separated by commas; empty: all. */
  languages?: string
  /** Words that must all occur in the name, the description or the tags of a voice. */
  search?: string
}

const settingTable = {
  operation: { message: 'operation', form: 'operation', fallback: 'list' },
  voiceId: { message: 'voiceId', form: 'voice' },
  languages: { message: 'languages', form: 'languages', fallback: '' },
  search: { message: 'search', form: 'search', fallback: '' },
} as const

export interface VoicesRequest {
  operation: VoicesOperation
  /** Empty for a list. */
  voiceId: string
  languages: string[]
  search: string
}

// Enough to recognise an unknown operation in the error message.
const maxNameCharacters = 50

/** @throws {NodeInputError} for an unknown operation, and when an operation on one voice has no voice. */
export function readVoicesRequest(
  RED: NodeAPI,
  settings: VoicesSettings,
  message: VoicesMessage,
): VoicesRequest {
  const { operation, voiceId, languages, search } = readSettings(message, settings, settingTable)
  if (!isOperation(operation)) {
    const named = textOrType(operation).slice(0, maxNameCharacters)
    const known = operations.join(', ')
    throw new NodeInputError(RED._('voices.error.operation', { operation: named, known }))
  }
  if (operation !== 'list' && !voiceId) throw new NodeInputError(RED._('voices.error.no-voice'))
  const codes =
    typeof languages === 'string'
      ? languages.split(',')
      : isList(languages)
        ? languages
        : [languages]
  return {
    operation,
    voiceId: shortText(voiceId ?? ''),
    languages: codes.flatMap((code) => shortText(code).trim() || []),
    search: shortText(search),
  }
}

/** A large Buffer takes half a second as a text. */
function shortText(value: unknown): string {
  return typeof value === 'object' ? textOrType(value) : String(value)
}

function isOperation(value: unknown): value is VoicesOperation {
  return (operations as readonly unknown[]).includes(value)
}

/** Carries out an operation on one voice. @returns the voice afterwards; of a deleted voice only the id. */
export async function carryOut(
  client: Client,
  { operation, voiceId }: VoicesRequest,
  { displayName, description, tags }: VoicesMessage,
  call: CallOptions,
): Promise<Voice> {
  if (operation === 'get') return client.getVoice(voiceId, call)
  if (operation === 'delete') {
    await client.deleteVoice(voiceId, call)
    return { voiceId }
  }
  const texts = { displayName, description, tags } as { displayName?: string; tags?: string[] }
  return client.updateVoice({ voiceId, ...texts }, call)
}

// More than any library has: a service that never ends its list must not fill the memory.
const maxVoices = 10_000

/** Finds the voices of these languages whose name, description or tags contain every word of `search`. */
export async function findVoices(
  client: Client,
  { languages, search }: VoicesRequest,
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

export interface VoicesMessage extends NodeMessageInFlow {
  operation?: unknown
  voiceId?: unknown
  languages?: unknown
  search?: unknown
  displayName?: unknown
  description?: unknown
  tags?: unknown
  complete?: boolean
}

/** A clone of the message for each voice; *join* makes an array of them. */
export function* voiceMessages(
  message: VoicesMessage,
  voices: Voice[],
  sequenceId: string,
  clone: (message: VoicesMessage) => VoicesMessage,
): Generator<VoicesMessage, void> {
  const { payload: _payload, complete: _complete, parts: outerParts, ...rest } = message
  const sequence = { id: sequenceId, type: 'array', count: voices.length, len: 1 }
  const parts = innerParts(sequence, outerParts)
  for (const [index, voice] of voices.entries()) {
    const own = { ...rest, voiceId: voice.voiceId, parts: { ...parts, index } }
    yield { ...clone(own), payload: voice }
  }
}
