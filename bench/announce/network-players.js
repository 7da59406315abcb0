// Players that play on the sound device that is recorded.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { tone } from '@parlando/test-support/audio/computed-sounds'
import { encodeMp3 } from '@parlando/test-support/audio/encode'
import { startMpd } from '@parlando/test-support/players/programs/mpd'
import { snapcastBufferMs, startSnapcast } from '@parlando/test-support/players/programs/snapcast'
import { startSqueezelite } from '@parlando/test-support/players/programs/squeezelite'
import { freePort } from '@parlando/test-support/servers/addresses'
import { sendSound, startDlna } from './dlna.js'
import { startHomeAssistantPlayer } from './home-assistant.js'

const seconds = 1
const hertz = 500

const speaker = (kind, settings) => ({
  id: `bench-${kind}-speaker`,
  name: `bench-${kind}`,
  kind,
  ...settings,
})

/**
 * The players, the speakers that lead to them, and how each starts a finished sound without Node-RED.
 * @param withHomeAssistant Whether one more MPD plays for a real Home Assistant.
 */
export async function startNetworkPlayers({ environment }, withHomeAssistant) {
  const port = await freePort()
  const mpd = await startMpd({ environment })
  const snapcast = await startSnapcast({ environment, sinks: ['speaker'] })
  const squeezelite = startSqueezelite({ environment, port, name: 'bench' })
  const audio = await finishedSound()
  const file = await serve(audio)
  const dlna = await startDlna(environment, audio)
  const homeAssistant = withHomeAssistant ? await startHomeAssistantPlayer(environment) : undefined
  return {
    hasHomeAssistant: Boolean(homeAssistant),
    speakers: [
      speaker('mpd', { mpd: mpd.address }),
      speaker('snapcast', { snapcast: snapcast.address, snapcastBuffer: String(snapcastBufferMs) }),
      speaker('squeezebox', { squeezebox: 'bench', squeezeboxPort: String(port) }),
      speaker('dlna', dlna.settings),
      ...(homeAssistant ? [speaker('home-assistant', homeAssistant.settings)] : []),
    ],
    /** Lets the renderer fetch from a Node-RED. */
    serve: dlna.serve,
    async playOnMpd() {
      await mpd.mpc('add', file.url)
      await mpd.mpc('play')
      return () => mpd.mpc('clear')
    },
    playOnSnapcast: () => playOnSnapcast(snapcast),
    async playOnRenderer() {
      await dlna.play()
      return () => setTimeout(1000 * seconds)
    },
    /** Until the players are as they were before a sound. */
    rest: () => setTimeout(2 * snapcastBufferMs + 600),
    async close() {
      await Promise.all([mpd.close(), snapcast.close(), squeezelite.kill(), dlna.close()])
      await homeAssistant?.close()
      file.close()
    },
  }
}

function finishedSound() {
  const rate = { sampleRateHertz: 44_100 }
  return encodeMp3(tone({ seconds, hertz, ...rate }), rate)
}

async function serve(audio) {
  const server = createServer((_request, response) => sendSound(response, audio))
  server.listen(0, '127.0.0.1')
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
