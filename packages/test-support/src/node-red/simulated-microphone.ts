import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type {
  PageMessage,
  ServerMessage,
} from '../../../node-red-nodes/src/microphones/page/page-messages.ts'

/** A browser that has opened the page of a microphone. */
export interface SimulatedMicrophone {
  socket: WebSocket
  /** What the server has sent. */
  messages: ServerMessage[]
  /** Records 16 kHz PCM in packets of 20 ms, in real time unless `isFast`. */
  record(pcm: Buffer, options?: { isFast?: boolean }): Promise<void>
  send(message: PageMessage): void
  close(): void
}

const packetBytes = 640

/** Requests a token as the page does. */
export async function requestToken(baseUrl: string, name: string): Promise<string> {
  const path = `/parlando/microphone/${encodeURIComponent(name)}/token`
  const response = await fetch(baseUrl + path, { method: 'POST' })
  if (!response.ok) throw new Error(`the token has the status ${response.status}`)
  return ((await response.json()) as { token: string }).token
}

/** @param baseUrl The address of the HTTP nodes. */
export function socketAddress(baseUrl: string, name: string, token: string): string {
  const path = `/parlando/microphone/${encodeURIComponent(name)}/socket?token=${token}`
  return baseUrl.replace(/^http/, 'ws') + path
}

/** Opens the page of a microphone. Resolves when it is connected. */
export async function openMicrophone(baseUrl: string, name: string): Promise<SimulatedMicrophone> {
  const token = await requestToken(baseUrl, name)
  const socket = new WebSocket(socketAddress(baseUrl, name, token))
  const messages: ServerMessage[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await once(socket, 'message')
  const send = (message: PageMessage) => socket.send(JSON.stringify(message))
  return {
    socket,
    messages,
    send,
    async record(pcm, { isFast = false } = {}) {
      send({ type: 'start' })
      const startedAt = performance.now()
      for (let at = 0; at < pcm.length; at += packetBytes) {
        socket.send(pcm.subarray(at, at + packetBytes))
        const dueAt = startedAt + (at / packetBytes) * 20
        if (!isFast) await delay(Math.max(0, dueAt - performance.now()))
      }
      send({ type: 'end' })
    },
    close: () => socket.close(),
  }
}
