import type { ApiMessage } from '../../network/api-socket.ts'
import { objectOf, parseJson } from '../../network/json.ts'

/** A clip that a player plays, has played, or will play (https://docs.sonos.com/reference/audioclip-parameters, read 2026-11). */
export interface AudioClip {
  id: string
  /** `ACTIVE`, `DONE`, `DISMISSED`, `INTERRUPTED` or `ERROR`. Empty while it waits. */
  status: string
  errorCode: string
}

/** A player has a few clips at most. */
const maxClips = 50
const maxCharacters = 200

/**
 * Reads a message of the local API: a header and a body.
 * @returns `undefined` for what is not one.
 */
export function readSonosMessage(text: string): ApiMessage | undefined {
  const message = parseJson(text)
  if (!Array.isArray(message)) return undefined
  const [header, body] = message.map(objectOf)
  if (!header) return undefined
  const { cmdId, success } = header
  const isResult = typeof success === 'boolean'
  return {
    id: shortText(cmdId),
    isResult,
    result: body,
    ...(success === false && { error: errorOf(body) }),
    ...(!isResult && { event: body }),
  }
}

function errorOf(body: Readonly<Record<string, unknown>> = {}): string {
  const { errorCode, reason } = body
  return [errorCode, reason].map(shortText).filter(Boolean).join(', ') || '?'
}

/** @returns the clips of an event; none if it is about something else. */
export function clipsIn(event: unknown): AudioClip[] {
  const { audioClips } = objectOf(event)
  return Array.isArray(audioClips) ? audioClips.slice(0, maxClips).flatMap(readClip) : []
}

export function readClip(value: unknown): AudioClip[] {
  const { id, status, errorCode } = objectOf(value)
  const clip = { id: shortText(id), status: shortText(status), errorCode: shortText(errorCode) }
  return clip.id === '' ? [] : [clip]
}

function shortText(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, maxCharacters) : ''
}
