import { startMpd } from '@parlando/test-support/players/programs/mpd'
import { startHomeAssistant } from '../../test/systems/home-assistant/run-home-assistant.ts'

/** An MPD of its own, since an announcement of Home Assistant leaves its address in the queue. */
export async function startHomeAssistantPlayer(environment) {
  const mpd = await startMpd({ environment })
  const homeAssistant = await startHomeAssistant(environment)
  const [host, port] = mpd.address.split(':')
  await homeAssistant.add('mpd', { host, port: Number(port) })
  return {
    settings: {
      homeAssistantAddress: homeAssistant.address,
      homeAssistantEntity: 'media_player.music_player_daemon',
      credentials: { homeAssistantToken: homeAssistant.token },
    },
    async close() {
      await homeAssistant.close()
      await mpd.close()
    },
  }
}
