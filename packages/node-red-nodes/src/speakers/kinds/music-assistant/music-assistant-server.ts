import { trimmedText } from '../../../runtime/saved-settings.ts'
import type { Texts } from '../../../runtime/texts.ts'
import { readServerAddress } from '../../network/server-address.ts'
import { problem } from './speaker-problem.ts'

/** Where Music Assistant listens, and the token that only it receives. */
export interface MusicAssistantServer {
  /** The address that texts name. */
  address: string
  /** The address of its WebSocket API. */
  webSocketUrl: string
  token: string
}

/** Finds Music Assistant by the address and the token of the form. @throws {SpeakerError} without them. */
export function findServer(
  RED: Texts,
  config: Readonly<Record<string, unknown>>,
): MusicAssistantServer {
  const typed = trimmedText(config['musicAssistantAddress'])
  const token = trimmedText(config['musicAssistantToken'])
  if (!typed || !token) throw problem(RED, 'no-server')
  const { address, isUsable } = readServerAddress(typed)
  if (!isUsable) throw problem(RED, 'bad-address', { address })
  return { address, webSocketUrl: `${address.replace(/^http/i, 'ws')}/ws`, token }
}
