import { speakerTexts } from '@parlando/test-support/node-red/fake-red'
import { modelMessages as frames } from '@parlando/test-support/players/stand-ins/music-assistant/music-assistant'
import { keys } from '@parlando/test-support/secrets/keys'
import {
  type SocketServerHandlers,
  startSocketServer,
} from '@parlando/test-support/servers/socket-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Connection, type MusicAssistantEvent } from './music-assistant-connection.ts'

const token = keys.service

async function open(address: string, events: MusicAssistantEvent[] = []): Promise<Connection> {
  const webSocketUrl = `${address.replace('http', 'ws')}/ws`
  const options = { RED: speakerTexts.en, server: { address, webSocketUrl, token }, limitMs: 300 }
  const signal = AbortSignal.timeout(10_000)
  const connection = await Connection.open(options, signal, (event) => events.push(event))
  onTestFinished(() => connection.close())
  return connection
}

/** A server that greets a client with this, lets it in, and then does this with each command. */
const startServer = (
  greeting: object,
  onMessage: SocketServerHandlers['onMessage'] = (socket, { message_id }) =>
    socket.send({ message_id, result: true, partial: false }),
) => startSocketServer({ onOpen: (socket) => socket.send(greeting), onMessage })

describe('a connection to Music Assistant', () => {
  it('sends the token after the greeting, and then commands with ids', async () => {
    const server = await startServer(frames.serverInfo)
    const connection = await open(server.baseUrl)
    expect(await connection.request('players/all')).toBe(true)
    expect(server.sockets[0]!.messages).toEqual([
      { message_id: 'auth', command: 'auth', args: { token } },
      { message_id: '1', command: 'players/all', args: {} },
    ])
    expect(server.sockets[0]!.headers.authorization).toBeUndefined()
  })

  it('receives the events of the house', async () => {
    const event = { event: 'player_updated', object_id: 'kitchen', data: { volume_level: 3 } }
    const server = await startServer(frames.serverInfo, (socket, { message_id }) => {
      socket.send({ message_id, result: null, partial: false })
      socket.send(event)
    })
    const events: MusicAssistantEvent[] = []
    await open(server.baseUrl, events)
    await expect
      .poll(() => events)
      .toEqual([{ name: 'player_updated', id: 'kitchen', data: event.data }])
  })

  it('fails with the reason of Music Assistant, without the token', async () => {
    const server = await startServer(frames.serverInfo, (socket, { message_id, command }) => {
      const error = { error_code: 11, details: `no ${token}` }
      socket.send({ message_id, ...(command === 'auth' ? { result: true } : error) })
    })
    const connection = await open(server.baseUrl)
    await expect(connection.request('players/all')).rejects.toMatchObject({
      code: 'SPEAKER_REFUSED',
      message: 'Music Assistant rejects the sound (no …): check the player in Music Assistant.',
    })
  })

  it.each(['{"id":1,"ty', '7', 'null', '[]', '{"message_id":"1"}', '{"result":1}'])(
    'ends with a message that the API does not define: %s',
    async (message) => {
      const server = await startServer(frames.serverInfo, (socket, { message_id, command }) => {
        if (command === 'auth') socket.send({ message_id, result: true })
        else socket.webSocket.send(message)
      })
      const connection = await open(server.baseUrl)
      await expect(connection.request('players/all')).rejects.toThrow('malformed message')
    },
  )
})

describe('the token is not sent', () => {
  it.each<[string, object, string]>([
    ['to another server', { type: 'hello' }, 'does not respond as Music Assistant does'],
    ['to a version without tokens', { ...frames.serverInfo, schema_version: 27 }, 'older than 2.7'],
    [
      'before Music Assistant is set up',
      { message_id: 'connection', error_code: 503, details: 'Setup required' },
      'Setup required',
    ],
  ])('%s', async (_what, greeting, message) => {
    const server = await startServer(greeting)
    await expect(open(server.baseUrl)).rejects.toThrow(message)
    expect(server.sockets[0]!.messages).toEqual([])
  })
})
