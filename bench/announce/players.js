import { takeNamedTurns } from '../shared/take-turns.js'
import { mp3, pcm } from './flow.js'

const warmingCount = 2

/**
 * Measures announcements on other players, and how soon each player by itself plays a finished sound.
 * @returns the rows by their names. Without Home Assistant, its row is missing.
 */
export async function measurePlayers({ players, announcements, speaker, what }, sentenceCount) {
  const ownStart = (how, play) => ({
    row: { what: `first sample of a finished sound on ${how}` },
    async firstMs() {
      const timeMs = await speaker.recordMs(play)
      await players.rest()
      return timeMs
    },
  })
  const announcedOn = (name, kind, format) => ({
    row: { what: what(`first sample of announce on ${name}`), ...format },
    async firstMs(text) {
      const timeMs = await speaker.announcementMs(text, `bench-${kind}`)
      await players.rest()
      return timeMs
    },
  })
  const squeezelite = announcedOn('squeezelite', 'squeezebox', pcm)
  const kinds = {
    mpdOwn: ownStart('MPD, by mpc', players.playOnMpd),
    mpd: announcedOn('MPD', 'mpd', mp3),
    snapcastOwn: ownStart('Snapcast, from a source', players.playOnSnapcast),
    snapcast: announcedOn('Snapcast', 'snapcast', pcm),
    squeezelite,
    squeezeliteKnown: {
      row: { what: what('first sample of a sentence said before on squeezelite'), ...pcm },
      async firstMs(text) {
        await announcements.say(text, 'bench-squeezebox')
        return squeezelite.firstMs(text)
      },
    },
    dlnaOwn: ownStart('gmediarender, by a control point', players.playOnRenderer),
    dlna: announcedOn('gmediarender (DLNA)', 'dlna', mp3),
    ...(players.hasHomeAssistant && {
      homeAssistant: announcedOn('MPD through Home Assistant', 'home-assistant', mp3),
    }),
  }
  return takeNamedTurns(kinds, sentenceCount, warmingCount)
}
