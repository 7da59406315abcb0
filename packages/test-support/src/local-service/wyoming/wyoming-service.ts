import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import type { AppContext } from '../../../../local-service/src/api/app/endpoint.ts'
import { openWyomingServer } from '../../../../local-service/src/api/wyoming/wyoming-server.ts'
import { createEncoderPool } from '../../../../local-service/src/audio/encoding/encoder-pool.ts'
import type { WyomingEvent } from '../../../../local-service/src/remote/wyoming/event.ts'
import { readWyomingEvents } from '../../../../local-service/src/remote/wyoming/read-events.ts'
import { createFakeRecogniser } from '../fake-recogniser.ts'
import type { TestApp } from '../test-app.ts'
import { referenceBytes } from './wyoming-bytes.ts'

/** Starts the Wyoming server of the service with the voices of the app. It stops at the end of the test. */
export async function startWyoming(app: TestApp, context: Partial<AppContext> = {}) {
  const recogniser = createFakeRecogniser()
  const failures: unknown[] = []
  const service: AppContext = {
    engines: new Map([['flite', app.flite]]),
    recognisers: new Map([['fake', recogniser]]),
    encoders: createEncoderPool(),
    voiceList: app.voiceList,
    onFailure: (error) => failures.push(error),
    ...context,
  }
  const server = await openWyomingServer({ host: '127.0.0.1', port: 0 }, service)
  onTestFinished(() => server.close())
  return { server, recogniser, failures }
}

/** A client that sends bytes and reads events, as the reference client does. */
export function connectTo({ url }: { url: string }) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const events = readWyomingEvents(socket.iterator({ destroyOnReturn: false }))
  return {
    socket,
    send: (...event: Parameters<typeof referenceBytes>) => socket.write(referenceBytes(...event)),
    /** @returns the next event; `undefined` if the server has closed the connection. */
    async next(): Promise<WyomingEvent | undefined> {
      return (await events.next()).value ?? undefined
    },
    /** @returns all events up to one of this type. */
    async readUntil(type: string): Promise<WyomingEvent[]> {
      const read: WyomingEvent[] = []
      for (;;) {
        const { value, done } = await events.next()
        if (done) throw new Error(`The connection was closed before ${type}`)
        read.push(value)
        if (value.type === type) return read
      }
    },
  }
}
