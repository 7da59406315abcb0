import type { NodeAPI } from 'node-red'
import { addAdminRoute } from '../../runtime/admin-route.ts'
import type { SoundStore } from '../../sounds/to-play/sound-store.ts'
import type { SpeakerKind } from '../../speakers/speaker-kind.ts'
import { readUnsavedSpeaker } from './unsaved-speaker.ts'

/** The route of the form's list of devices. It takes the settings of the form, and responds with `{ devices }`. */
export function addDevicesRoute(
  RED: NodeAPI,
  kinds: Readonly<Record<string, SpeakerKind>>,
  sounds: SoundStore,
): void {
  // Who may not change flows must not choose an address to which Node-RED connects.
  addAdminRoute(RED, 'speaker-devices', 'flows.write', async (body, disconnected) => {
    const config = readUnsavedSpeaker(RED, kinds, body)
    const kind = Object.hasOwn(kinds, config.kind) ? kinds[config.kind]! : undefined
    return { devices: (await kind?.listDevices?.({ RED, sounds, config }, disconnected)) ?? [] }
  })
}
