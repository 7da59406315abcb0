import type { NodeAPI, NodeDef } from 'node-red'
import { Announcer } from '../../announcements/announcer.ts'
import { providePlayback } from '../../announcements/shared-playback.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { handleClose } from '../../runtime/input.ts'
import { playerAddress, thisHost } from '../../sounds/player-address.ts'
import { addSoundRoute } from '../../sounds/sound-route.ts'
import { createSoundStore, type SoundStore } from '../../sounds/sound-store.ts'
import { notePlayed } from '../../speakers/kinds/another-node/another-node.ts'
import { createSpeakerKinds } from '../../speakers/kinds/kinds.ts'
import type { Speaker, SpeakerNode } from '../../speakers/speaker.ts'
import { credentialsOf, formsOf } from '../../speakers/speaker-kind.ts'
import { failingDriver, findNamedBy, findSpeakers } from './find-speakers.ts'
import { createGroup, expandGroups, groupForm } from './groups.ts'
import { addDevicesRoute } from './list-devices.ts'
import { createRoutedDriver } from './routed-driver.ts'
import { addSearchRoute } from './search-route.ts'
import { readSpeakerSettings, type SpeakerForm } from './speaker-settings.ts'
import { addTestRoute, type CreateDriver } from './test-speaker.ts'

type SpeakerDef = NodeDef & SpeakerForm

function register(RED: NodeAPI): void {
  const sounds = createSoundStore({
    addressOf: (typed, route) => playerAddress(thisHost(RED), typed, route),
  })
  addSoundRoute(RED, [sounds])
  const kinds = createSpeakerKinds(RED)
  // A hand-written flow may name any kind.
  const kindOf = (name: string) => (Object.hasOwn(kinds, name) ? kinds[name] : undefined)
  const createDriver: CreateDriver = (name, config, store = sounds) => {
    const kind = kindOf(name)
    if (kind) return createRoutedDriver(kind, { RED, sounds: store, config: { ...config } })
    // An error here would have a stack in the log, and would not reach the nodes that play on this speaker.
    return failingDriver(new NodeInputError(RED._('speaker.error.unknown-kind', { kind: name })))
  }
  const configured = new Map<string, Speaker>()
  const createSpeaker = (id: string, kindName: string, form: SpeakerForm): Speaker => {
    const kind = kindOf(kindName)
    const driver = createDriver(kindName, form)
    const speaker: Speaker = {
      id,
      get name() {
        return form.name || RED._(`speaker.kind.${driver.place?.() ?? kindName}`)
      },
      devices: kind?.devices?.({ ...form }) ?? [id],
      handsOut: kind?.handsOut ?? false,
      room: form.room ?? '',
      settings: readSpeakerSettings(form),
      driver,
      instead: () => expandGroups(findNamedBy(speaker, form.instead, configured.values(), RED)),
    }
    return speaker
  }

  const builtIn = Object.keys(kinds)
    .filter((name) => kinds[name]!.isBuiltIn)
    .map((name) => createSpeaker(name, name, {}))

  function SpeakerNode(this: SpeakerNode, config: SpeakerDef) {
    RED.nodes.createNode(this, config)
    const { id } = this
    const { kind = 'editor' } = config
    const form = { ...config, ...this.credentials }
    const isGroup = kind === groupForm.name
    const speaker = isGroup ? createGroup(id, form, configured, RED) : createSpeaker(id, kind, form)
    this.page = kindOf(kind)?.page?.(form) ?? ''
    configured.set(id, speaker)
    handleClose(this, async () => {
      configured.delete(id)
      await speaker.driver.close()
    })
  }
  RED.nodes.registerType('parlando-speaker', SpeakerNode, {
    credentials: credentialsOf(kinds),
    // The form reads it as a setting of Node-RED.
    settings: { parlandoSpeakerKinds: { value: [...formsOf(kinds), groupForm], exportable: true } },
  })
  shareSpeakers(RED, sounds, configured, builtIn)
  addTestRoute(RED, { kinds, sounds, createDriver })
  addDevicesRoute(RED, kinds, sounds)
  addSearchRoute(RED, kinds)
}

/** Provides the announcer, the sounds and the speakers to the nodes that play. */
function shareSpeakers(
  RED: NodeAPI,
  sounds: SoundStore,
  configured: ReadonlyMap<string, Speaker>,
  builtIn: readonly Speaker[],
): void {
  const announcer = new Announcer(RED, (alarms) => {
    const acknowledge = (id: string) => void announcer.acknowledge(undefined, id)
    for (const { id, driver } of configured.values()) {
      const own = alarms.filter(({ speakerIds }) => speakerIds.includes(id))
      driver.showAlarms?.(
        own.map(({ id, text }) => ({ id, text })),
        acknowledge,
      )
    }
  })
  providePlayback({
    announcer,
    sounds,
    find(names) {
      const known = { configured: [...configured.values()], builtIn }
      return expandGroups(findSpeakers(names, known, RED))
    },
    notePlayed,
  })
}

export = register
