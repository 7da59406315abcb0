import type { Node, NodeAPI, NodeDef } from 'node-red'
import { textOf } from '../../runtime/admin-route.ts'
import { reportFailure } from '../../runtime/failure.ts'
import { handleInput } from '../../runtime/input.ts'
import { afterRunningTime } from '../../runtime/wait.ts'
import type { Sound } from '../../sounds/sound.ts'
import { playerAddress, thisHost } from '../../sounds/to-play/player-address.ts'
import { SoundCollector } from '../../sounds/to-play/sound-collector.ts'
import { addSoundRoute } from '../../sounds/to-play/sound-route.ts'
import {
  createSoundStore,
  type PublishedSound,
  type SoundStore,
} from '../../sounds/to-play/sound-store.ts'
import { fetchWithinMs, notFetched } from '../../speakers/speaker-error.ts'
import {
  type AddressMessage,
  type AddressSettings,
  readOptions,
  toAddressMessage,
  wholeAudio,
} from './address-message.ts'

/** The editor translates a status that is only a key. */
const status = (key: string) => `@parlando/node-red/parlando-address:address.status.${key}`

function register(RED: NodeAPI): void {
  const stores = new Set<SoundStore>()
  const addressOf = (typed?: string) => playerAddress(thisHost(RED), typed)
  addSoundRoute(RED, stores)
  // The form shows the address that players see.
  RED.httpAdmin.get(
    '/parlando/player-address',
    RED.auth.needsPermission('parlando.read'),
    ({ query }, response) => void response.json(addressOf(textOf(query['typed']))),
  )

  function Address(this: Node, config: NodeDef & AddressSettings) {
    RED.nodes.createNode(this, config)
    const { player, response, address, ...limits } = readOptions(config)
    const store = createSoundStore({ ...limits, addressOf })
    stores.add(store)
    const collector = new SoundCollector(RED)
    const published = new WeakMap<Sound, PublishedSound>()
    const fetches = createFetchWatch(RED, this)

    handleInput<AddressMessage>(this, (message, send, end) => {
      if (message.stop === true) {
        collector.close()
        fetches.stop()
        return end()
      }
      const taken = collector.take(message)
      if (!taken) return end()
      const { sound, isFirst, isLast } = taken
      const stored = published.get(sound) ?? store.publish(sound, { response, address })
      published.set(sound, stored)
      const { url } = stored
      // The message is cloned without the audio, which would be copied only to be replaced.
      const clone = isFirst && RED.util.cloneMessage({ ...message, payload: undefined })
      if (clone) fetches.watch(stored, toAddressMessage(clone, player, url, sound))
      if (isLast) {
        message.audio = wholeAudio(sound, message)
        toAddressMessage(message, player, url, sound)
      }
      if (clone || isLast) send([clone || null, isLast ? message : null])
      end()
    })

    this.on('close', () => {
      collector.close()
      stores.delete(store)
      store.close()
      fetches.stop()
    })
  }
  RED.nodes.registerType('parlando-address', Address)
}

/** Shows when a player fetches a sound, and reports when none does. */
function createFetchWatch(RED: NodeAPI, node: Node) {
  /** Ends the wait for each player. */
  const waits = new Set<() => void>()
  const show = (fill: 'yellow' | 'blue' | 'green', key: string) =>
    node.status({ fill, shape: 'dot', text: status(key) })
  return {
    watch({ fetched, warning }: PublishedSound, message: AddressMessage) {
      // This process answers the player: while it does not run, no player can fetch anything.
      const endWait = afterRunningTime(fetchWithinMs, () => {
        waits.delete(endWait)
        show('yellow', 'not-fetched')
        reportFailure(node, notFetched(RED, warning), message)
      })
      waits.add(endWait)
      show(warning ? 'yellow' : 'blue', warning ?? 'offered')
      fetched.then(() => {
        endWait()
        if (waits.delete(endWait)) show('green', 'fetched')
      })
    },
    /** Waits for no player any more. */
    stop() {
      for (const endWait of waits) endWait()
      waits.clear()
      node.status({})
    },
  }
}

export = register
