import type { PlayerRoute } from '../../sounds/to-play/own-address.ts'
import { routeTo } from '../../sounds/to-play/own-address.ts'
import type { SoundStore } from '../../sounds/to-play/sound-store.ts'
import type { Driver } from '../../speakers/driver.ts'
import type { DriverContext, SpeakerKind } from '../../speakers/speaker-kind.ts'

/** Creates a driver whose player gets the address of this machine in the network that leads to it. */
export function createRoutedDriver(kind: SpeakerKind, context: DriverContext): Driver {
  const host = kind.playerHost?.(context.config)
  if (!host) return kind.create(context)
  let route: PlayerRoute | undefined
  const sounds: SoundStore = {
    ...context.sounds,
    publish: (sound, options) => context.sounds.publish(sound, { ...options, route }),
  }
  const driver = kind.create({ ...context, sounds })
  const prepare = driver.prepare.bind(driver)
  // Each time: this machine may have moved to another network. A name that is not known takes a second.
  driver.prepare = async (signal) => {
    const [format, found] = await Promise.all([prepare(signal), routeTo(host)])
    route = found
    return format
  }
  return driver
}
