import type { Server } from 'node:http'
import { availableParallelism } from 'node:os'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import { createApp } from './app.ts'
import type { Engine } from './engines/engine.ts'
import { engines as registry } from './engines/registry.ts'
import { createScheduler } from './speech/scheduler.ts'
import { type LibraryVoice, library } from './voices/library.ts'

export interface LocalServiceOptions {
  /** Default 127.0.0.1: this machine alone. */
  host?: string
  /** Default 0: any free port. */
  port?: number
  /** The key every request must carry. Default: any key or none is good. */
  apiKey?: string
}

export interface LocalService {
  /** Where it listens, without a slash at the end. */
  baseUrl: string
  /** Ends what runs, closes every connection and frees every thread. */
  close(): Promise<void>
}

/**
 * Starts the service in this process and resolves when it is warm and listens.
 * @throws {Error} with `code` `EADDRINUSE` when the port is taken.
 */
export async function startLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  const { host = '127.0.0.1', port = 0, apiKey } = options
  const engines = await startEngines()
  // One core stays free for the server itself: with two cores one speaking thread serves faster than two.
  const scheduler = createScheduler(Math.max(1, availableParallelism() - 1))
  const app = createApp({ engines, scheduler, apiKey, onFailure: (error) => console.error(error) })
  const closeEngines = () => Promise.all([...engines.values()].map((engine) => engine.close()))
  try {
    await warm(app, apiKey)
    const server = await listen(app.fetch, host, port)
    const { port: boundPort } = server.address() as { port: number }
    return {
      baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
      async close() {
        const closed = new Promise((resolve) => server.close(resolve))
        server.closeAllConnections()
        await Promise.all([closed, closeEngines()])
      },
    }
  } catch (error) {
    await closeEngines()
    throw error
  }
}

async function startEngines(): Promise<Map<string, Engine>> {
  const started = Object.entries(registry).map(
    async ([name, start]) => [name, await start()] as const,
  )
  return new Map(await Promise.all(started))
}

/** Speaks as the first requests will, so that they find everything loaded and compiled. */
async function warm(app: Hono, apiKey: string | undefined): Promise<void> {
  for (const audioEncoding of ['MP3', 'WAV', 'MP3', 'WAV']) {
    const audioConfig = { audioEncoding, sampleRateHertz: 24_000 }
    const [{ voice }] = library as [LibraryVoice]
    const request = {
      text: 'Good morning.',
      voiceId: voice.voiceId,
      modelId: 'svc-tts-2',
      audioConfig,
    }
    const response = await app.request('/tts/v1/voice:stream', {
      method: 'POST',
      headers: { authorization: `Basic ${apiKey}` },
      body: JSON.stringify(request),
    })
    await response.text()
  }
}

function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  hostname: string,
  port: number,
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname, port }, () => {
      server.off('error', reject)
      resolve(server)
    }) as Server
    server.on('error', reject)
  })
}
