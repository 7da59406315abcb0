import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRenderer } from '@parlando/test-support/players/upnp/upnp-network'

/** Responds with a whole MP3 file. */
export function sendSound(response, audio) {
  response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': audio.length })
  response.end(audio)
}

/** A UPnP renderer in a network of its own, which reaches this process through a Unix socket. */
export async function startDlna(environment, audio) {
  const folder = await mkdtemp(join(tmpdir(), 'dlna-'))
  const socket = join(folder, 'socket')
  const renderer = await startRenderer('gmediarender', socket, environment)
  let server
  return {
    settings: { renderer: renderer.description, address: renderer.baseUrl },
    async serve(RED) {
      server = createServer((request, response) => {
        if (request.url === '/tone.mp3') sendSound(response, audio)
        else RED.httpNode(request, response)
      }).listen(socket)
      await once(server, 'listening')
    },
    play: () => renderer.playMusic(`${renderer.baseUrl}/tone.mp3`),
    async close() {
      await renderer.close()
      server?.closeAllConnections()
      server?.close()
      await rm(folder, { recursive: true })
    },
  }
}
