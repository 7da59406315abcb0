import { once } from 'node:events'
import { get } from 'node:http'
import type { Texts } from '../../runtime/texts.ts'
import type { AddressWarning } from '../../sounds/to-play/player-address.ts'
import type { SoundStore } from '../../sounds/to-play/sound-store.ts'
import { SpeakerError } from '../../speakers/speaker-error.ts'

/** An address that a player was given. */
interface Published {
  url: string
  warning: AddressWarning | undefined
}

const limitMs = 2_000

/** A store that remembers the last address that it gave to a player. */
export function watchPublished(sounds: SoundStore) {
  let last: Published | undefined
  const watched: SoundStore = {
    ...sounds,
    publish(sound, options) {
      const published = sounds.publish(sound, options)
      last = published
      return published
    },
  }
  return { sounds: watched, last: () => last }
}

/**
 * The error when no player has fetched an address: what is wrong with it, as far as Node-RED knows, or else whether Node-RED
 * responds there at all.
 */
export async function explainNotFetched(
  RED: Texts,
  { url, warning }: Published,
): Promise<SpeakerError> {
  // A hand-written flow may state anything as the address of Node-RED.
  const address = URL.canParse(url) ? new URL(url).origin : url
  const isNodeRed = await respondsAt(url)
  const message = RED._('speaker.test.not-fetched', { address })
  const reason = isNodeRed ? 'network' : 'address'
  const hint = warning
    ? RED._(`@parlando/node-red/parlando-address:address.warning.${warning}`)
    : RED._(`speaker.test.check-${reason}`, { address })
  return new SpeakerError('NOT_FETCHED', `${message} ${hint}`)
}

/** Whether a web server responds at an address of this machine, or of the one in front of it. */
async function respondsAt(url: string): Promise<boolean> {
  if (!URL.canParse(url)) return false
  if (!url.startsWith('http:')) return true
  const request = get(url, { agent: false, signal: AbortSignal.timeout(limitMs) })
  try {
    await once(request, 'response')
    return true
  } catch {
    return false
  } finally {
    request.on('error', () => {}).destroy()
  }
}
