import type { NodeAPI, NodeDef } from 'node-red'
import { Announcer } from '../../announcements/announcer.ts'
import { providePlayback } from '../../announcements/shared-playback.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { playerAddress, thisHost } from '../../sounds/player-address.ts'
import { addSoundRoute } from '../../sounds/sound-route.ts'
import { createSoundStore, type SoundStore } from '../../sounds/sound-store.ts'
import { notePlayed } from '../../speakers/another-node/another-node.ts'
import type { Driver } from '../../speakers/driver.ts'
import { createSpeakerKinds } from '../../speakers/kinds.ts'
import type { Speaker, SpeakerNode } from '../../speakers/speaker.ts'
import { credentialsOf, formsOf } from '../../speakers/speaker-kind.ts'
import { failingDriver, findSpeakers } from './find-speakers.ts'
import { readSpeakerSettings, type SpeakerForm } from './speaker-settings.ts'
import { addTestRoute } from './test-speaker.ts'

interface SpeakerDef extends NodeDef, SpeakerForm {}

function register(RED: NodeAPI): void {
  const sounds = createSoundStore({ addressOf: (typed) => playerAddress(thisHost(RED), typed) })
  addSoundRoute(RED, [sounds])
  const speakerKinds = createSpeakerKinds(RED)
  // A hand-written flow may name any kind.
  const kindOf = (name: string) =>
    Object.hasOwn(speakerKinds, name) ? speakerKinds[name] : undefined
  const context = (config: object) => ({ RED, sounds, config: { ...config } })
  const createDriver = (kind: string, config: object): Driver => {
    // An error here would have a stack in the log, and would not reach the nodes that play on this speaker.
    const error = () => new NodeInputError(RED._('speaker.error.unknown-kind', { kind }))
    return kindOf(kind)?.create(context(config)) ?? failingDriver(error())
  }

  const configured = new Map<string, Speaker>()
  const builtIn = Object.entries(speakerKinds)
    .filter(([, { isBuiltIn }]) => isBuiltIn)
    .map(([id, kind]): Speaker => {
      const driver = kind.create(context({}))
      return {
        id,
        get name() {
          return RED._(`speaker.kind.${driver.place?.() ?? id}`)
        },
        devices: kind.devices?.({}) ?? [id],
        handsOut: false,
        room: '',
        settings: readSpeakerSettings({}),
        driver,
      }
    })

  function SpeakerNode(this: SpeakerNode, config: SpeakerDef) {
    RED.nodes.createNode(this, config)
    const { id } = this
    const { kind: kindName = 'editor', room = '' } = config
    const settings = { ...config, ...this.credentials }
    const kind = kindOf(kindName)
    const driver = createDriver(kindName, settings)
    this.page = kind?.page?.(settings) ?? ''
    configured.set(id, {
      id,
      name: config.name || RED._(`speaker.kind.${kindName}`),
      devices: kind?.devices?.(settings) ?? [id],
      handsOut: kind?.handsOut ?? false,
      room,
      settings: readSpeakerSettings(config),
      driver,
    })
    this.on('close', async (done: () => void) => {
      configured.delete(id)
      await driver.close()
      done()
    })
  }
  RED.nodes.registerType('parlando-speaker', SpeakerNode, {
    credentials: credentialsOf(speakerKinds),
    // The form reads it as a setting of Node-RED.
    settings: { parlandoSpeakerKinds: { value: formsOf(speakerKinds), exportable: true } },
  })
  shareSpeakers(RED, sounds, configured, builtIn)
  addTestRoute(RED, createDriver)
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
    find: (names) => findSpeakers(names, [...configured.values(), ...builtIn], RED),
    notePlayed,
  })
}

export = register
