import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import type { Voice } from '@parlando/core/wire'
import type { Hono } from 'hono'
import { createApp } from './app.ts'
import { closeEngines, startEngines } from './engines/registry.ts'
import { type LocalServiceOptions, resolveOptions } from './options.ts'
import { type Catalogue, openCatalogue } from './voices/catalogue.ts'

export interface LocalService {
  /** Where it listens, without a slash at the end. */
  baseUrl: string
  /** Ends what runs, closes every connection and frees every thread. */
  close(): Promise<void>
}

/**
 * Starts the service in this process and resolves when it is warm and listens.
 * @throws {Error} when others could reach it and there is no key; with `code` `EADDRINUSE` when the port is taken.
 */
export async function startLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  const { host, port, apiKey, dataFolder, maxVoices, ...resolved } = resolveOptions(options)
  const { chatUpstream, chatUpstreamKey } = resolved
  const engines = await startEngines()
  const catalogue = await openCatalogue({ dataFolder, maxVoices, warn: console.error })
  const app = createApp({
    engines,
    catalogue,
    apiKey,
    chatUpstream: chatUpstream ? { baseUrl: chatUpstream, apiKey: chatUpstreamKey } : undefined,
    onFailure: (error) => console.error(error),
  })
  try {
    await warm(app, catalogue, apiKey)
    const server = await listen(app.fetch, host, port)
    const { port: boundPort } = server.address() as { port: number }
    return {
      baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
      async close() {
        const closed = new Promise((resolve) => server.close(resolve))
        server.closeAllConnections()
        await Promise.all([closed, closeEngines(engines)])
      },
    }
  } catch (error) {
    await closeEngines(engines)
    throw error
  }
}

/** Speaks as the first requests will, so that they find everything loaded and compiled. */
async function warm(app: Hono, catalogue: Catalogue, apiKey: string | undefined): Promise<void> {
  for (const audioEncoding of ['MP3', 'WAV', 'MP3', 'WAV']) {
    const audioConfig = { audioEncoding, sampleRateHertz: 24_000 }
    const [voice] = catalogue.list() as [Voice]
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
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        error.message = `Port ${port} of ${hostname} is taken; choose another one`
      reject(error)
    })
  })
}
