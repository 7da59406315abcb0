import { trimmedText } from '../../../runtime/saved-settings.ts'
import type { Texts } from '../../../runtime/texts.ts'
import { readServerAddress } from '../../network/server-address.ts'
import { problem } from './speaker-problem.ts'

/** Where Home Assistant listens, and the token that only it receives. */
export interface HomeAssistantServer {
  /** The address as texts state it. */
  address: string
  /** The address of its WebSocket API. */
  webSocketUrl: string
  token: string
}

/**
 * Finds Home Assistant: by the address and the token of the form, or, in an add-on without an address, through the supervisor
 * (https://developers.home-assistant.io/docs/apps/communication, read 2026-11). The token of the supervisor is for no other
 * address.
 * @throws {SpeakerError} without an address or a token.
 */
export function findServer(
  RED: Texts,
  config: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
): HomeAssistantServer {
  const typed = trimmedText(config['homeAssistantAddress'])
  const token = trimmedText(config['homeAssistantToken'])
  const supervisorToken = environment['SUPERVISOR_TOKEN']
  if (!typed && supervisorToken) {
    const address = 'http://supervisor/core'
    return { address, webSocketUrl: 'ws://supervisor/core/websocket', token: supervisorToken }
  }
  if (!typed || !token) throw problem(RED, 'no-server')
  const { address, isUsable } = readServerAddress(typed)
  if (!isUsable) throw problem(RED, 'bad-address', { address })
  return { address, webSocketUrl: `${address.replace(/^http/i, 'ws')}/api/websocket`, token }
}
