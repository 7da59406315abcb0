// MPD, Snapcast and squeezelite, which play on the sound device that is recorded.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { encodeMp3 } from '@parlando/test-support/audio/encode-mp3'
import { tone } from '@parlando/test-support/audio/tone'
import { freePort } from '@parlando/test-support/free-port'
import { startMpd } from '@parlando/test-support/players/mpd'
import { snapcastBufferMs, startSnapcast } from '@parlando/test-support/players/snapcast'
import { startSqueezelite } from '@parlando/test-support/players/squeezelite'

const seconds = 1
const hertz = 500

/** The players, the speakers that lead to them, and how each starts a finished sound without Node-RED. */
export async function startNetworkPlayers({ environment }) {
  const port = await freePort()
  const mpd = await startMpd({ environment })
  const snapcast = await startSnapcast({ environment, sinks: ['speaker'] })
  const squeezelite = startSqueezelite({ environment, port, name: 'bench' })
  const file = await serveFinishedSound()
  const speaker = (kind, settings) => ({
    id: `bench-${kind}-speaker`,
    name: `bench-${kind}`,
    kind,
    ...settings,
  })
  return {
    speakers: [
      speaker('mpd', { mpd: mpd.address }),
      speaker('snapcast', { snapcast: snapcast.address, snapcastBuffer: String(snapcastBufferMs) }),
      speaker('squeezebox', { squeezebox: 'bench', squeezeboxPort: String(port) }),
    ],
    async playOnMpd() {
      await mpd.mpc('add', file.url)
      await mpd.mpc('play')
      return () => mpd.mpc('clear')
    },
    playOnSnapcast: () => playOnSnapcast(snapcast),
    /** Until the players are as they were before a sound. */
    rest: () => setTimeout(2 * snapcastBufferMs + 600),
    async close() {
      await Promise.all([mpd.close(), snapcast.close(), squeezelite.kill()])
      file.close()
    },
  }
}

async function serveFinishedSound() {
  const rate = { sampleRateHertz: 44_100 }
  const audio = await encodeMp3(tone({ seconds, hertz, ...rate }), rate)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': audio.length })
    response.end(audio)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${server.address().port}/tone.mp3`, close: () => server.close() }
}

/** As any program that writes to a source of Snapcast. */
async function playOnSnapcast(snapcast) {
  const { server } = await snapcast.request('Server.GetStatus')
  const { uri } = server.streams.find(({ id }) => id === 'Parlando')
  const source = connect(Number(uri.host.split(':')[1]), '127.0.0.1')
  const mono = tone({ seconds: 3 * seconds, hertz, sampleRateHertz: 48_000 })
  const stereo = Buffer.alloc(2 * mono.length)
  for (let at = 0; at < mono.length; at += 2) {
    mono.copy(stereo, 2 * at, at, at + 2)
    mono.copy(stereo, 2 * at + 2, at, at + 2)
  }
  source.on('error', () => {})
  source.write(stereo)
  return () => void source.resetAndDestroy()
}
