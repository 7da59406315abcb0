import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { openRawWebSocket } from '@parlando/test-support/local-service/clients/raw-web-socket'
import { createFakeRecogniser } from '@parlando/test-support/local-service/fake-recogniser'
import { openTestServer } from '@parlando/test-support/local-service/open-server'
import { createTestApp, type useTestApp } from '@parlando/test-support/local-service/test-app'
import { startWyoming } from '@parlando/test-support/local-service/wyoming/wyoming-service'
import { startFakeHttpRed } from '@parlando/test-support/node-red/fake-http-red'
import { onTestFinished } from 'vitest'
import { serveMicrophonePages } from '../../../packages/node-red-nodes/src/microphones/page/page-routes.ts'
import { servePageDrivers } from '../../../packages/node-red-nodes/src/speakers/kinds/page/page.ts'

type TestApp = ReturnType<typeof useTestApp>
/** Opens a connection, which reads nothing by itself. */
export type OpenConnection = () => Promise<Socket>

/** Serves a path of the service. */
export async function openWebSocketPort(app: TestApp, path: string): Promise<OpenConnection> {
  const { fetch } = createTestApp(app.flite, () => {}, undefined, {
    recognisers: new Map([['fake', createFakeRecogniser()]]),
  })
  const { baseUrl } = await openTestServer({ fetch })
  return () => openRawWebSocket(baseUrl, path)
}

export async function openWyomingPort(app: TestApp): Promise<OpenConnection> {
  const { server } = await startWyoming(app)
  return async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
}

export async function openMicrophonePage(): Promise<OpenConnection> {
  const { RED, baseUrl, close } = await startFakeHttpRed()
  onTestFinished(close)
  const page = serveMicrophonePages(RED).open('desk', {
    settings: { mode: 'push', speaker: '' },
    onRecording: () => ({ push() {}, end() {} }),
    onChange() {},
  })
  onTestFinished(() => page?.close())
  return () => openPageSocket(baseUrl, 'microphone/desk')
}

export async function openSpeakerPage(): Promise<OpenConnection> {
  const { RED, baseUrl, close } = await startFakeHttpRed()
  onTestFinished(close)
  const driver = servePageDrivers(RED)('Kitchen')
  onTestFinished(() => driver.close())
  return () => openPageSocket(baseUrl, 'speaker/kitchen', '&player=player-of-the-test')
}

async function openPageSocket(baseUrl: string, page: string, query = ''): Promise<Socket> {
  const path = `/parlando/${page}`
  const response = await fetch(`${baseUrl}${path}/token`, { method: 'POST' })
  const { token } = (await response.json()) as { token: string }
  return openRawWebSocket(baseUrl, `${path}/socket?token=${token}${query}`)
}
